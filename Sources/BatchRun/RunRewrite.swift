internal import CardModel
internal import Glibc
internal import RecordFormats

/// One run's files written anew without the lines of some pairs.
struct RunRewrite {
  let run: LedgerRun
  let folderName: String
  /// The files that have a `.purged` successor, relative to `runs/`.
  private(set) var files: [String] = []
  private(set) var removedLines = 0
  private var results = KeptLines()
  private var events = KeptLines()
  private var rescan = 0
  private var timings = 0

  /// Which stretches of a file were removed.
  private struct KeptLines {
    /// Each removed stretch, in order, with the bytes removed up to and including it.
    var removed: [(start: Int, end: Int, total: Int)] = []
    var length = 0

    mutating func remove(_ start: Int, _ end: Int) {
      removed.append((start, end, (removed.last?.total ?? 0) + end - start))
    }

    /// Where a kept byte stands now.
    func moved(_ offset: Int) -> Int {
      var low = 0, high = removed.count
      while low < high {
        let middle = (low + high) / 2
        if removed[middle].end <= offset { low = middle + 1 } else { high = middle }
      }
      return offset - (low == 0 ? 0 : removed[low - 1].total)
    }
  }

  init(_ run: LedgerRun, in folder: OutputFolder, marked: OutputPurge.Marked, ledger: Ledger) throws(RunError) {
    self.run = run
    folderName = run.folder
    let path = folder.run(run.folder)
    let ownStarts = Set(marked.entries.filter { $0.run == run.number }.map(\.results.lowerBound))
    let newest = try LedgerLookup(ledger)
    let isOld =
      try marked.supersededBefore.map { before throws(RunError) in try Self.newestEntry(of: run, ledger) < before }
      ?? false
    var goneIds = marked.ids

    func goes(_ id: String, _ offset: Int) throws(RunError) -> Bool {
      if marked.ids.contains(ExactText(id)) || ownStarts.contains(offset) { return true }
      guard isOld else { return false }
      let entry = try newest.entry(key: id)
      return entry.map { $0.run > run.number } ?? false
    }
    // Results first: they decide which ids go from this run.
    var removed = KeptLines()
    removed.length = try rewrite(path, "results.ndjson", run.lengths.results) { line, start, end throws(RunError) in
      guard let id = Self.id(of: line), try goes(id, start) else { return true }
      goneIds.insert(ExactText(id))
      removed.remove(start, end)
      return false
    }
    results = removed
    removedLines = removed.removed.count
    guard removedLines > 0 else {
      discard(path)
      return
    }
    removed = KeptLines()
    removed.length = try rewrite(path, "events.ndjson", run.lengths.events) { line, start, end throws(RunError) in
      guard let id = Self.id(of: line), goneIds.contains(ExactText(id)) else { return true }
      removed.remove(start, end)
      return false
    }
    events = removed
    timings = try rewrite(path, "timings.ndjson", run.lengths.timings) { line, _, _ throws(RunError) in
      Self.id(of: line).map { !goneIds.contains(ExactText($0)) } ?? true
    }
    rescan = try rewriteRescan(path, goneIds)
    if access(path + "/unpaired.ndjson", F_OK) == 0 {
      var stat = FileStat()
      if stat.look(at: path + "/unpaired.ndjson", followingLinks: false) == nil {
        _ = try rewrite(path, "unpaired.ndjson", stat.size) { line, _, _ throws(RunError) in
          let name = Self.text(of: line, "path") ?? ""
          return !goneIds.contains { name.contains($0.text) }
        }
      }
    }
  }

  /// When the run's newest pair was finished.
  private static func newestEntry(of run: LedgerRun, _ ledger: Ledger) throws(RunError) -> Int {
    let statement = try ledger.database.prepare("SELECT coalesce(max(finished), 0) FROM pairs WHERE run = ?")
    statement.bind(1, run.number)
    defer { statement.reset() }
    return try statement.step() ? statement.int(0) : 0
  }

  private static func text(of line: [UInt8], _ key: String) -> String? {
    do throws(FormatError) { return try JSONValue.parse(line: line)[key]?.string } catch { return nil }
  }
  private static func id(of line: [UInt8]) -> String? { text(of: line, "id") }

  /// Copies the lines that `keeps` wants to `NAME.purged`.
  /// - Returns: the new file's length.
  private mutating func rewrite(
    _ folder: String, _ name: String, _ length: Int,
    keeps: (_ line: [UInt8], _ start: Int, _ end: Int) throws(RunError) -> Bool
  ) throws(RunError) -> Int {
    let source = open(folder + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard source >= 0 else {
      if errno == ENOENT { return 0 }
      throw FileFailure.error("a file of an earlier run cannot be opened", errno)
    }
    defer { close(source) }
    let target = try GrowingFile(path: folder + "/" + name + ".purged", acknowledged: 0)
    var lines = LineReader(descriptor: source, maximumLineBytes: 1 << 28)
    var offset = 0
    while offset < length, case .line(let line) = lines.next() {
      let end = offset + line.count + 1
      if try keeps(line, offset, end) { target.append(line + [0x0A]) }
      offset = end
      if target.end - target.durable > 1 << 22 { try target.sync() }
    }
    try target.sync()
    files.append(folderName + "/" + name)
    return target.durable
  }

  private mutating func rewriteRescan(_ folder: String, _ gone: Set<ExactText>) throws(RunError) -> Int {
    guard run.lengths.rescan > 0 else { return 0 }
    let target = try GrowingFile(path: folder + "/rescan.csv.purged", acknowledged: 0)
    target.append(Array(ManifestWriter.header.utf8))
    do throws(FormatError) {
      var reader = try ManifestReader(path: folder + "/rescan.csv")
      while let entry = try reader.next() {
        guard case .row(let row) = entry, !gone.contains(ExactText(row.id)) else { continue }
        target.append(Array(ManifestWriter.line(row).utf8))
      }
    } catch {
      throw RunError(.internalError, "rescan.csv of an earlier run cannot be read: \(error)")
    }
    try target.sync()
    files.append(folderName + "/rescan.csv")
    return target.durable
  }

  private mutating func discard(_ folder: String) {
    for name in files { unlink(folder + "/" + (name.split(separator: "/").last.map(String.init) ?? name) + ".purged") }
    files = []
  }

  /// Tells the ledger where the remaining pairs' lines stand now.
  func moveEntries(_ ledger: Ledger) throws(RunError) {
    let select = try ledger.database.prepare("SELECT \(Ledger.columns) FROM pairs WHERE run = ?")
    let update = try ledger.database.prepare(
      "UPDATE pairs SET resultsStart = ?, resultsEnd = ?, eventsStart = ?, eventsEnd = ? WHERE key = ?")
    select.bind(1, run.number)
    var moves: [(key: String, results: Range<Int>, events: Range<Int>)] = []
    while try select.step() {
      let entry = try Ledger.entry(select)
      let results = Self.moved(entry.results, self.results)
      let events = Self.moved(entry.events, self.events)
      if results != entry.results || events != entry.events { moves.append((entry.key, results, events)) }
    }
    for move in moves {
      for (index, place) in [
        move.results.lowerBound, move.results.upperBound, move.events.lowerBound, move.events.upperBound,
      ]
      .enumerated() { update.bind(Int32(index + 1), place) }
      update.bind(5, move.key)
      try update.run()
    }
    let lengths = try ledger.database.prepare(
      "UPDATE runs SET results = ?, events = ?, rescan = ?, timings = ? WHERE number = ?")
    for (index, length) in [results.length, events.length, rescan, timings, run.number].enumerated() {
      lengths.bind(Int32(index + 1), length)
    }
    try lengths.run()
  }

  private static func moved(_ range: Range<Int>, _ kept: KeptLines) -> Range<Int> {
    let start = kept.moved(range.lowerBound)
    return start..<(start + range.count)
  }
}
