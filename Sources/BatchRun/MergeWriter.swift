internal import CardModel
internal import Glibc
internal import RecordFormats

/// Reads one shard's pairs in the input's order.
final class ShardReader {
  let folder: OutputFolder
  let lines: ResultLines
  let times: ShardTimes
  /// Wall time of its runs together.
  let seconds: Double
  /// The name of its newest run.
  let newestRun: String
  private(set) var current: LedgerEntry?
  /// The rows of its `rescan.csv` files by id.
  let rescanRows: [ExactText: ManifestRow]
  private let statement: Statement

  init(_ folder: OutputFolder) throws(RunError) {
    self.folder = folder
    let ledger = try Ledger(reading: folder.ledger)
    lines = try ResultLines(folder, ledger: ledger)
    let runs = try ledger.allRuns()
    newestRun = runs.last?.folder ?? "merged"
    times = ShardTimes(folder, runs: runs)
    seconds = times.seconds(of: runs)
    var rows: [ExactText: ManifestRow] = [:]
    for run in runs where run.lengths.rescan > 0 {
      do throws(FormatError) {
        var reader = try ManifestReader(path: folder.run(run.folder) + "/rescan.csv")
        while case let entry? = try reader.next() {
          if case .row(let row) = entry { rows[ExactText(row.id)] = Self.unfilled(row) }
        }
      } catch {
        throw RunError(.noInput, "a shard's rescan.csv cannot be read: \(error)")
      }
    }
    rescanRows = rows
    statement = try ledger.database.prepare("SELECT \(Ledger.columns) FROM pairs ORDER BY position, key")
  }

  /// The row as the run wrote it: somebody may have filled it since.
  private static func unfilled(_ row: ManifestRow) -> ManifestRow {
    var row = row
    row.back = []
    return row
  }

  /// Goes to the next pair.
  func advance(_ seal: ShardSeal) throws(RunError) {
    current = try statement.step() ? try Ledger.entry(statement) : nil
  }
}

/// Writes a merged run.
struct MergeWriter {
  private let folder: OutputFolder
  private let ledger: Ledger
  private let writer: LedgerWriter
  private let files: RunFiles
  private var entries: [LedgerEntry] = []
  private var tallies = RunTallies()
  private var summary = SummaryBuilder()
  private var refusedRows = 0
  private(set) var progress = RunProgress()

  init(_ folder: OutputFolder, ledger: Ledger, runFolder: String) throws(RunError) {
    self.folder = folder
    self.ledger = ledger
    try ledger.insert(
      LedgerRun(
        number: 1, folder: runFolder, key: [], fresh: false, retryFailed: false, state: "complete",
        lengths: RunLengths()))
    writer = try LedgerWriter(ledger)
    files = try RunFiles(folder: folder.run(runFolder), lengths: RunLengths())
    files.rescan.append(Array(ManifestWriter.header.utf8))
  }

  /// Adds a pair: its lines, with the images' new folder, its images and its entry.
  mutating func add(_ old: LedgerEntry, from shard: ShardReader, rewriter: ImageFolderRewriter) throws(RunError) {
    let line = rewriter.rewrite(try shard.lines.result(of: old))
    let result: ResultLine
    do throws(FormatError) { result = try ResultLine(line: line) } catch {
      throw RunError(.internalError, "a shard's result line cannot be read: \(error)")
    }
    var entry = old
    entry.run = 1
    let resultsStart = files.results.end
    files.results.append(line + [0x0A])
    entry.results = resultsStart..<files.results.end
    let eventsStart = files.events.end
    files.events.append(rewriter.rewrite(try shard.lines.events(of: old)))
    entry.events = eventsStart..<files.events.end
    if old.outcome == .rescanBack, let row = shard.rescanRows[ExactText(result.id)] {
      files.rescan.append(Array(ManifestWriter.line(row).utf8))
    }
    entry.frontCapture = old.frontCapture.map { String(decoding: rewriter.rewrite(Array($0.utf8)), as: UTF8.self) }
    for name in old.images.split(separator: "/") {
      try Self.linkOrCopy(shard.folder.images + "/" + name, folder.images + "/" + name)
    }
    entries.append(entry)
    tallies.count(result)
    summary.add(result, stages: times(of: old, from: shard))
    if result.reasons == [.invalidRequest] { refusedRows += 1 }
    progress.found += 1
    progress.outcomes[result.outcome, default: 0] += 1
    if entries.count >= RunWriter.flushPairs { try flush() }
  }

  /// Copies the pair's line of times and says what stands in it; nothing where it cannot be read.
  private func times(of entry: LedgerEntry, from shard: ShardReader) -> [String: Double] {
    guard let line = shard.times.line(of: entry) else { return [:] }
    do throws(FormatError) {
      let stages = try TimingLine(line: line).stages
      files.timings.append(line + [0x0A])
      return stages
    } catch { return [:] }
  }

  private mutating func flush() throws(RunError) {
    try files.sync()
    try writer.commit(run: 1, entries: entries, seen: [], lengths: files.lengths, tallies: tallies.counts)
    entries.removeAll(keepingCapacity: true)
    tallies = RunTallies()
  }

  /// Writes what comes after the last pair.
  /// - Parameter seconds: of the slowest shard: shards run side by side.
  mutating func finish(unpairedFrom shard: OutputFolder?, seconds: Double) throws(RunError) {
    try flush()
    var whole = summary.summary(found: progress.found, skipped: 0, seconds: seconds)
    whole.refusedRows = refusedRows
    whole.duplicateGroups = try ledger.eachDuplicate { _, _ in }
    if let shard, case let path = shard.path + "/latest/unpaired.ndjson", access(path, R_OK) == 0 {
      try Self.linkOrCopy(path, files.folder + "/unpaired.ndjson")
      whole.unpairedFiles = Self.countLines(path)
    }
    try replaceFile(files.folder + "/summary.json", with: Array(whole.text.utf8))
    try syncFolder(files.folder)
    try syncFolder(folder.images)
  }

  private static func countLines(_ path: String) -> Int {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return 0 }
    defer { close(descriptor) }
    var lines = LineReader(descriptor: descriptor, maximumLineBytes: 1 << 16)
    var count = 0
    while case .line = lines.next() { count += 1 }
    return count
  }

  /// A second name for the same bytes where both lie on one file system, else a copy.
  static func linkOrCopy(_ from: String, _ to: String) throws(RunError) {
    if link(from, to) == 0 || errno == EEXIST { return }
    let code = errno
    guard code != ENOENT else { throw RunError(.noInput, "an image of a shard is missing") }
    let source = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard source >= 0 else { throw RunError(.noInput, "an image of a shard cannot be opened (errno \(errno))") }
    defer { close(source) }
    var bytes: [UInt8] = []
    var count = 1
    while count > 0 {
      let filled = bytes.count
      bytes.append(contentsOf: repeatElement(0, count: 1 << 20))
      count = bytes.withUnsafeMutableBytes { read(source, $0.baseAddress.map { $0 + filled }, 1 << 20) }
      bytes.removeLast((1 << 20) - max(0, count))
    }
    guard count == 0 else { throw RunError(.noInput, "an image of a shard cannot be read (errno \(errno))") }
    try replaceFile(to, with: bytes)
  }
}
