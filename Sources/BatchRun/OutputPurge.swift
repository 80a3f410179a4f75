internal import CardModel
internal import Glibc
internal import RecordFormats

/// `purge`: takes persons out of an output: their ledger entries, images and lines in every run. A line in `audit.ndjson`
/// that says when and how many, and nothing of whom, remains.
///
/// **Order**: the runs' files are written anew beside the old ones (`.purged`); one transaction removes the entries, moves the
/// others' places and says that a purge is under way; then the new files take the old ones' places and the images go. A crash
/// before the transaction leaves everything as it was, one after it is finished by whoever opens the folder next.
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
  ///   finished first.
  package static func purge(_ output: String, _ choice: Choice) throws(RunError) -> Report {
    let folder = try OutputFolder(existing: output)
    let lock = try OutputLock(folder)
    defer { withExtendedLifetime(lock) {} }
    let ledger = try Ledger(path: folder.ledger)
    try finishInterrupted(folder, ledger: ledger)
    if let last = try ledger.lastRun(), last.state == "running" {
      throw RunError(.temporaryFailure, "the last run is not finished: run it to its end first")
    }
    return try OutputPurge(folder: folder, ledger: ledger).run(choice)
  }

  private func run(_ choice: Choice) throws(RunError) -> Report {
    try ledger.database.execute("PRAGMA secure_delete=ON")
    let marked = try mark(choice)
    var report = Report(pairs: marked.entries.count)
    var rewritten: [RunRewrite] = []
    for run in try ledger.allRuns() {
      let rewrite = try RunRewrite(run, in: folder, marked: marked, ledger: ledger)
      if rewrite.removedLines > 0 { rewritten.append(rewrite) }
      report.lines += rewrite.removedLines
    }
    let images = Set(marked.entries.flatMap { $0.images.split(separator: "/").map(String.init) })
    try commit(marked, rewritten, images: images)
    report.images = try Self.finishInterrupted(folder, ledger: ledger)
    try audit(choice, report)
    // What was deleted must not stay in free pages or in the log beside the file.
    try ledger.database.execute("PRAGMA wal_checkpoint(TRUNCATE); VACUUM; PRAGMA wal_checkpoint(TRUNCATE);")
    return report
  }

  /// What goes.
  struct Marked {
    var entries: [LedgerEntry] = []
    /// Ids whose lines go from every run.
    var ids: Set<ExactText> = []
    /// Lines of earlier runs that ended before this go where a later run did the pair again; `nil`: none.
    var supersededBefore: Int?
  }

  private func mark(_ choice: Choice) throws(RunError) -> Marked {
    var marked = Marked()
    let statement: Statement
    switch choice {
    case .id(let id):
      statement = try ledger.database.prepare("SELECT \(Ledger.columns) FROM pairs WHERE key = ?")
      statement.bind(1, id)
      marked.ids = [ExactText(id)]
    case .olderThan(let seconds):
      let before = Int(WallClock.now()) - seconds
      statement = try ledger.database.prepare("SELECT \(Ledger.columns) FROM pairs WHERE finished < ?")
      statement.bind(1, before)
      marked.supersededBefore = before
    }
    while try statement.step() {
      let entry = try Ledger.entry(statement)
      marked.entries.append(entry)
      if entry.key.utf8.first != 0 { marked.ids.insert(ExactText(entry.key)) }
    }
    return marked
  }

  private func commit(_ marked: Marked, _ rewritten: [RunRewrite], images: Set<String>) throws(RunError) {
    let database = ledger.database
    try database.execute("BEGIN IMMEDIATE")
    do throws(RunError) {
      let delete = try database.prepare("DELETE FROM pairs WHERE key = ?")
      for entry in marked.entries {
        delete.bind(1, entry.key)
        try delete.run()
      }
      for rewrite in rewritten { try rewrite.moveEntries(ledger) }
      try database.execute("CREATE TABLE IF NOT EXISTS purging (kind TEXT NOT NULL, name TEXT NOT NULL)")
      let pending = try database.prepare("INSERT INTO purging VALUES (?, ?)")
      func note(_ kind: String, _ name: String) throws(RunError) {
        pending.bind(1, kind)
        pending.bind(2, name)
        try pending.run()
      }
      for rewrite in rewritten { for name in rewrite.files { try note("file", name) } }
      for rewrite in rewritten { try note("derived", rewrite.folderName) }
      for image in images.sorted() { try note("image", image) }
      try database.execute("COMMIT")
    } catch {
      database.rollBack()
      throw error
    }
  }

  /// Finishes a purge whose transaction is done, or clears away what one left that came to nothing.
  /// - Returns: the number of images removed.
  @discardableResult
  static func finishInterrupted(_ folder: OutputFolder, ledger: Ledger) throws(RunError) -> Int {
    var images = 0
    let exists = try ledger.database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'purging'")
    let isUnderWay = try exists.step()
    exists.reset()
    if isUnderWay {
      let statement = try ledger.database.prepare("SELECT kind, name FROM purging")
      while try statement.step() {
        let name = statement.text(1)
        switch statement.text(0) {
        case "file":
          let path = folder.runs + "/" + name
          guard rename(path + ".purged", path) == 0 || errno == ENOENT else {
            throw FileFailure.error("a purged file cannot be put in place", errno)
          }
        case "derived":
          // Pages made from the results hold what was purged; `report` and `review` make them again.
          unlink(folder.run(name) + "/report.html")
          unlink(folder.run(name) + "/duplicates.ndjson")
          removeTree(folder.run(name) + "/review")
        default: if unlink(folder.images + "/" + name) == 0 { images += 1 }
        }
      }
      try ledger.database.execute("DROP TABLE purging")
    }
    try OutputFolder.eachName(in: folder.runs) { run throws(RunError) in
      try OutputFolder.eachName(in: folder.run(run)) { name throws(RunError) in
        if name.hasSuffix(".purged") { unlink(folder.run(run) + "/" + name) }
      }
    }
    return images
  }

  private func audit(_ choice: Choice, _ report: Report) throws(RunError) {
    let criterion =
      switch choice {
      case .id: "id"
      case .olderThan(let seconds): "olderThan \(seconds) s"
      }
    let line = JSONWriter.line(
      .object([
        .init("action", .string("purge")), .init("by", .string(criterion)), .init("images", .int(report.images)),
        .init("lines", .int(report.lines)), .init("pairs", .int(report.pairs)),
        .init("time", .int(Int(WallClock.now()))),
      ]))
    let path = folder.path + "/audit.ndjson"
    let file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw FileFailure.error("the audit line cannot be written", errno) }
    defer { close(file) }
    if let code = writeAll(line + [0x0A], to: file) {
      throw FileFailure.error("the audit line cannot be written", code)
    }
    guard fsync(file) == 0 else { throw FileFailure.error("the audit line cannot be synced", errno) }
  }
}
