internal import CardModel
internal import Glibc
internal import RecordFormats

/// Which lines go from a run.
struct GoneLines: Sendable {
  /// The lines of these pairs.
  var ids: Set<ExactText>
  /// The lines of refused rows, which may give another pair's id: where each one's result begins, and where its events stand.
  var refused: [Int: Range<Int>]
  /// Whether the lines of pairs go that a later run did again.
  var isSuperseded: Bool
}

/// One run's files written anew without the lines of some pairs.
struct RunRewrite {
  private let run: LedgerRun
  private let path: String
  /// The files that have a `.purged` successor.
  private var names: [String] = []
  private(set) var removedLines = 0
  private var results = RemovedLines()
  private var events = RemovedLines()
  private var rescan: Int
  private var timings: Int

  /// - Returns: `nil` where nothing goes.
  init?(_ run: LedgerRun, in folder: OutputFolder, without gone: GoneLines, ledger: Ledger) throws(RunError) {
    (self.run, path) = (run, folder.run(run.folder))
    (rescan, timings) = (run.lengths.rescan, run.lengths.timings)
    let finder = IdFinder(gone.ids)
    let newest = try LedgerLookup(ledger)
    // Results first: they decide which ids go from this run.
    var goneIds = gone.ids
    var places: Set<Int> = []
    var place = 0
    results = try cut("results.ndjson", run.lengths.results) { line, start throws(RunError) in
      defer { place += 1 }
      let id = try Self.goneId(of: line, gone, finder) { id throws(RunError) in
        try newest.entry(key: id).map { $0.run > run.number } ?? false
      }
      if let id { goneIds.insert(ExactText(id)) }
      let goes = id != nil || gone.refused[start] != nil
      if goes { places.insert(place) }
      return goes
    }
    removedLines = results.count
    if removedLines > 0 {
      let refused = gone.refused.values.filter { !$0.isEmpty }
      events = try cut("events.ndjson", run.lengths.events) { line, start throws(RunError) in
        Self.id(of: line).map { goneIds.contains(ExactText($0)) } ?? false || refused.contains { $0.contains(start) }
      }
      // One line a pair, in the results' order.
      place = 0
      timings = try cut("timings.ndjson", run.lengths.timings) { _, _ in
        defer { place += 1 }
        return places.contains(place)
      }.length
      try rewriteRescan(goneIds)
      try syncFolder(path)
    }
    // These tell of pairs whose results stand in other runs, too.
    _ = try cut("duplicates.ndjson", nil) { line, _ in
      Self.id(of: line).map { gone.ids.contains(ExactText($0)) } ?? false
    }
    _ = try cut("unpaired.ndjson", nil) { line, _ in finder.finds(in: Self.text(of: line, "path") ?? "") }
    if names.isEmpty { return nil }
  }

  /// The id that a line gives, where that pair's lines go. A line that somebody has torn goes where it names a pair that goes.
  private static func goneId(
    of line: [UInt8], _ gone: GoneLines, _ finder: IdFinder, isDoneAgain: (_ id: String) throws(RunError) -> Bool
  ) throws(RunError) -> String? {
    guard gone.isSuperseded || finder.mayFind(in: line) else { return nil }
    guard let id = id(of: line) else { return finder.firstId(in: line) }
    if gone.ids.contains(ExactText(id)) { return id }
    guard gone.isSuperseded, try isDoneAgain(id) else { return nil }
    return id
  }

  private static func text(of line: [UInt8], _ key: String) -> String? {
    do throws(FormatError) { return try JSONValue.parse(line: line)[key]?.string } catch { return nil }
  }
  private static func id(of line: [UInt8]) -> String? { text(of: line, "id") }

  /// Writes a file anew without the lines that go; does nothing where none does.
  /// - Parameter length: how much of the file counts, `nil` for all of it.
  private mutating func cut(
    _ name: String, _ length: Int?, _ goes: (_ line: [UInt8], _ start: Int) throws(RunError) -> Bool
  ) throws(RunError) -> RemovedLines {
    var removed = RemovedLines(length: length ?? 0)
    let source = open(path + "/" + name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard source >= 0 else {
      if errno == ENOENT || errno == ENOTDIR { return removed }
      throw FileFailure.error("a file of an earlier run cannot be opened", errno)
    }
    defer { close(source) }
    var stat = FileStat()
    if let code = stat.look(at: source) { throw FileFailure.error("a file of an earlier run cannot be read", code) }
    let whole = min(length ?? stat.size, stat.size)
    var lines = LineReader(descriptor: source, maximumLineBytes: 1 << 28)
    var offset = 0
    while offset < whole, case .line(let line) = lines.next() {
      let end = min(whole, offset + line.count + 1)
      if try goes(line, offset) { removed.add(offset, end) }
      offset = end
    }
    guard removed.count > 0 else { return removed }
    let target = try GrowingFile(path: path + "/" + name + ".purged", acknowledged: 0)
    for kept in removed.kept(of: whole) { try Self.copy(kept, of: source, to: target) }
    try target.sync()
    removed.length = target.durable
    names.append(name)
    return removed
  }

  private static func copy(_ range: Range<Int>, of source: Int32, to target: GrowingFile) throws(RunError) {
    var offset = range.lowerBound
    while offset < range.upperBound {
      var bytes = [UInt8](repeating: 0, count: min(1 << 20, range.upperBound - offset))
      let count = bytes.withUnsafeMutableBytes { pread(source, $0.baseAddress, $0.count, off_t(offset)) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else {
        throw FileFailure.error("a file of an earlier run cannot be read", count < 0 ? errno : EIO)
      }
      target.append(Array(bytes.prefix(count)))
      if target.end - target.durable >= 1 << 22 { try target.sync() }
      offset += count
    }
  }

  /// Somebody may have filled `rescan.csv` since: what is not understood of it must not be lost with the rest.
  private mutating func rewriteRescan(_ gone: Set<ExactText>) throws(RunError) {
    let file = path + "/rescan.csv"
    guard run.lengths.rescan > 0, access(file, F_OK) == 0 else { return }
    let target = try GrowingFile(path: file + ".purged", acknowledged: 0)
    target.append(Array(ManifestWriter.header.utf8))
    do throws(FormatError) {
      var reader = try ManifestReader(path: file)
      while let entry = try reader.next() {
        switch entry {
        case .row(let row): if !gone.contains(ExactText(row.id)) { target.append(Array(ManifestWriter.line(row).utf8)) }
        case .problem(let problem): throw FormatError(problem.description)
        }
      }
    } catch {
      throw RunError(
        .noInput,
        "runs/\(run.folder)/rescan.csv was filled with what is no manifest (\(error)): mend it or move it away")
    }
    try target.sync()
    names.append("rescan.csv")
    rescan = target.durable
  }

  /// Lists what is to be done with the new files.
  func note(in pending: PurgeEnding.Pending) throws(RunError) {
    for name in names { try pending.note(.file, run.folder + "/" + name) }
    try pending.note(.derived, run.folder)
  }

  /// Tells the ledger where the remaining pairs' lines stand now.
  static func moveEntries(of rewrites: [Int: RunRewrite], _ ledger: Ledger) throws(RunError) {
    // A part at a time: what a statement walks over is not changed under it, and the memory stays bounded.
    let select = try ledger.database.prepare(
      "SELECT \(Ledger.columns) FROM pairs WHERE key > ? ORDER BY key LIMIT 4096")
    let update = try ledger.database.prepare(
      "UPDATE pairs SET resultsStart = ?, resultsEnd = ?, eventsStart = ?, eventsEnd = ? WHERE key = ?")
    var last = ""
    while true {
      select.bind(1, last)
      var entries: [LedgerEntry] = []
      while try select.step() { entries.append(try Ledger.entry(select)) }
      guard let end = entries.last else { break }
      last = end.key
      for entry in entries {
        guard let rewrite = rewrites[entry.run] else { continue }
        let results = rewrite.results.moved(entry.results), events = rewrite.events.moved(entry.events)
        let places = [results.lowerBound, results.upperBound, events.lowerBound, events.upperBound]
        for (index, place) in places.enumerated() { update.bind(Int32(index + 1), place) }
        update.bind(5, entry.key)
        try update.run()
      }
    }
    let lengths = try ledger.database.prepare(
      "UPDATE runs SET results = ?, events = ?, rescan = ?, timings = ? WHERE number = ?")
    for (number, rewrite) in rewrites {
      let values = [rewrite.results.length, rewrite.events.length, rewrite.rescan, rewrite.timings, number]
      for (index, value) in values.enumerated() { lengths.bind(Int32(index + 1), value) }
      try lengths.run()
    }
  }
}
