internal import CardModel
internal import Glibc
internal import RecordFormats
private import CProcess

/// `purge`: takes persons out of an output: their ledger entries, images, decisions and lines in every run. A line in `audit.ndjson`
/// that says when and how many, and nothing of whom, remains.
///
/// **Order**: the runs' files are written anew beside the old ones (`.purged`); one transaction removes the entries, moves the
/// others' places and says what is still to be done (`PurgeEnding`); then that is done. A crash before the transaction leaves
/// everything as it was, one after it is finished by whoever opens the folder next.
package struct OutputPurge {
  package enum Choice: Sendable, Equatable {
    case id(String)
    /// Pairs that were finished before this many seconds ago.
    case olderThan(seconds: Int)
  }

  package struct Report: Sendable, Equatable {
    package var pairs = 0
    package var lines = 0
    package var images = 0
  }

  private let folder: OutputFolder
  private let ledger: Ledger

  /// Purges.
  /// - Throws: `RunError(.noInput)` where the folder holds no ledger, `temporaryFailure` where a run holds it or must be
  ///   finished first; others before anything was removed.
  package static func purge(_ output: String, _ choice: Choice) throws(RunError) -> Report {
    cprocess_harden()
    let folder = try OutputFolder(existing: output)
    let lock = try OutputLock(folder)
    defer { withExtendedLifetime(lock) {} }
    let ledger = try Ledger(path: folder.ledger)
    let ending = PurgeEnding(folder: folder, ledger: ledger)
    try ending.finishInterrupted()
    if let last = try ledger.lastRun(), last.state == "running" {
      throw RunError(.temporaryFailure, "the last run is not finished: run it to its end first")
    }
    try DecisionLog(in: folder).check()
    // Whose the images are that no entry names, nobody can say.
    try RunPlan.sweepAfterInterruption(folder, ledger: ledger)
    let report = try OutputPurge(folder: folder, ledger: ledger).mark(choice)
    try ending.finishInterrupted()
    // Gives the room back; what was deleted was overwritten already.
    try ledger.database.execute("VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
    return report
  }

  /// Does everything up to and with the transaction.
  private func mark(_ choice: Choice) throws(RunError) -> Report {
    try ledger.database.execute("PRAGMA secure_delete=ON")
    let marked = try marked(by: choice)
    var report = Report(pairs: marked.pairs)
    var rewritten: [Int: RunRewrite] = [:]
    do throws(RunError) {
      let newest = try newestEntries()
      for run in try ledger.allRuns() + folder.unknownRuns(ledger) {
        let lines = marked.lines(of: run, newest: newest[run.number] ?? 0)
        guard let rewrite = try RunRewrite(run, in: folder, without: lines, ledger: ledger) else { continue }
        rewritten[run.number] = rewrite
        report.lines += rewrite.removedLines
      }
    } catch {
      // Files that are half written must not keep a full disk full.
      try PurgeEnding(folder: folder, ledger: ledger).discardFiles()
      throw error
    }
    report.images = try commit(choice, marked, rewritten, report)
    return report
  }

  /// What goes.
  private struct Marked {
    /// Ids whose lines go from every run.
    var ids: Set<ExactText> = []
    /// The entries of refused rows: they have keys of their own, and their lines are known by their places alone.
    var refused: [String: LedgerEntry] = [:]
    var pairs = 0
    /// Lines of earlier runs that ended before this go where a later run did the pair again; `nil`: none.
    var supersededBefore: Int?

    /// What goes from one run, whose newest pair was finished then.
    func lines(of run: LedgerRun, newest: Int) -> GoneLines {
      let refused = refused.values.filter { $0.run == run.number }.map { ($0.results.lowerBound, $0.events) }
      return GoneLines(
        ids: ids, refused: Dictionary(uniqueKeysWithValues: refused),
        isSuperseded: supersededBefore.map { newest < $0 } ?? false)
    }
  }

  private static func clause(_ choice: Choice) -> String {
    switch choice {
    case .id: "FROM pairs WHERE key = ?"
    case .olderThan: "FROM pairs WHERE finished < ?"
    }
  }

  private let now = Int(WallClock.now())

  private func bind(_ choice: Choice, to statement: Statement) {
    switch choice {
    case .id(let id): statement.bind(1, id)
    case .olderThan(let seconds): statement.bind(1, now - seconds)
    }
  }

  private func marked(by choice: Choice) throws(RunError) -> Marked {
    var marked = Marked()
    switch choice {
    case .id(let id): marked.ids = [ExactText(id)]
    case .olderThan(let seconds): marked.supersededBefore = now - seconds
    }
    let statement = try ledger.database.prepare("SELECT \(Ledger.columns) " + Self.clause(choice))
    bind(choice, to: statement)
    while try statement.step() {
      let entry = try Ledger.entry(statement)
      if entry.isRefusedRow { marked.refused[entry.key] = entry } else { marked.ids.insert(ExactText(entry.key)) }
      marked.pairs += 1
    }
    // A refused row that gives the id of a pair that goes speaks of the same person.
    let lines = try ResultLines(folder, ledger: ledger)
    try ledger.eachRefusedRow { entry throws(RunError) in
      guard marked.refused[entry.key] == nil, let id = try lines.id(of: entry), marked.ids.contains(ExactText(id))
      else { return }
      marked.refused[entry.key] = entry
      marked.pairs += 1
    }
    return marked
  }

  /// When each run's newest pair was finished.
  private func newestEntries() throws(RunError) -> [Int: Int] {
    let statement = try ledger.database.prepare("SELECT run, max(finished) FROM pairs GROUP BY run")
    var newest: [Int: Int] = [:]
    while try statement.step() { newest[statement.int(0)] = statement.int(1) }
    return newest
  }

  /// - Returns: the number of images that go.
  private func commit(
    _ choice: Choice, _ marked: Marked, _ rewritten: [Int: RunRewrite], _ report: Report
  ) throws(RunError) -> Int {
    let database = ledger.database
    try database.execute("BEGIN IMMEDIATE")
    do throws(RunError) {
      var report = report
      let number = try PurgeEnding.begin(database)
      let pending = try PurgeEnding.Pending(database)
      for rewrite in rewritten.values { try rewrite.note(in: pending) }
      let images = try database.prepare("SELECT images " + Self.clause(choice))
      bind(choice, to: images)
      while try images.step() {
        for name in images.text(0).split(separator: "/") {
          try pending.note(.image, String(name))
          if access(folder.images + "/" + name, F_OK) == 0 { report.images += 1 }
        }
      }
      try pending.note(.audit, Self.auditLine(choice, report, number: number, at: now))
      let delete = try database.prepare("DELETE " + Self.clause(choice))
      bind(choice, to: delete)
      try delete.run()
      let deleteRow = try database.prepare("DELETE FROM pairs WHERE key = ?")
      for key in marked.refused.keys {
        deleteRow.bind(1, key)
        try deleteRow.run()
      }
      try RunRewrite.moveEntries(of: rewritten, ledger)
      try database.execute("COMMIT")
      return report.images
    } catch {
      // Whether a transaction whose end failed stands is for whoever opens the ledger next: no file is removed here.
      database.rollBack()
      throw error
    }
  }

  private static func auditLine(_ choice: Choice, _ report: Report, number: Int, at time: Int) -> String {
    let criterion =
      switch choice {
      case .id: "id"
      case .olderThan(let seconds): "olderThan \(seconds) s"
      }
    return JSONWriter.text(
      .object([
        .init("action", .string("purge")), .init("by", .string(criterion)), .init("images", .int(report.images)),
        .init("lines", .int(report.lines)), .init("number", .int(number)), .init("pairs", .int(report.pairs)),
        .init("time", .int(time)),
      ]))
  }
}
