internal import CardModel
internal import Glibc
internal import RecordFormats

/// Reads lines out of the files of an output's runs, at the places that its ledger names.
final class ResultLines {
  private let folder: OutputFolder
  private let folders: [Int: String]
  private let purges: Int?
  private var open: [String: Int32] = [:]

  /// - Parameter finishingPurge: whether the caller is the one who finishes a purge.
  /// - Throws: `RunError(.temporaryFailure)` where a purge is under way, or was interrupted.
  init(_ folder: OutputFolder, ledger: Ledger, finishingPurge: Bool = false) throws(RunError) {
    self.folder = folder
    var folders: [Int: String] = [:]
    for run in try ledger.allRuns() { folders[run.number] = run.folder }
    self.folders = folders
    purges = try PurgeEnding.count(ledger.database)
    guard purges != nil || finishingPurge else { throw Self.purged }
  }

  deinit { for descriptor in open.values { close(descriptor) } }

  /// The result line of a pair, without its line end.
  /// - Throws: `RunError`: `internalError` where another line stands there; `temporaryFailure` where a purge has moved it.
  func result(of entry: LedgerEntry) throws(RunError) -> [UInt8] {
    let line = try bytes(of: entry)
    let name = JSONWriter.line(.string("id")) + [0x3A] + JSONWriter.line(.string(entry.key))
    guard entry.isRefusedRow || line.holds(name) else { throw damaged(entry) }
    return line
  }

  /// The id that stands in a pair's result line, `nil` where none can be read.
  func id(of entry: LedgerEntry) throws(RunError) -> String? {
    let line = try bytes(of: entry)
    do throws(FormatError) { return try JSONValue.parse(line: line)["id"]?.string } catch { return nil }
  }

  private func bytes(of entry: LedgerEntry) throws(RunError) -> [UInt8] {
    var line = try read("results.ndjson", entry, entry.results)
    guard line.popLast() == 0x0A, !line.contains(0x0A) else { throw damaged(entry) }
    return line
  }

  /// The event lines of a pair, with their line ends; may be empty.
  func events(of entry: LedgerEntry) throws(RunError) -> [UInt8] {
    try read("events.ndjson", entry, entry.events)
  }

  private func damaged(_ entry: LedgerEntry) -> RunError {
    RunError(
      .internalError,
      "runs/\(folders[entry.run] ?? "?") does not hold what the ledger says of pair \(entry.position + 1): a file was changed by "
        + "something else; `run --fresh` reads everything again")
  }

  private func read(_ name: String, _ entry: LedgerEntry, _ range: Range<Int>) throws(RunError) -> [UInt8] {
    guard !range.isEmpty else { return [] }
    guard let folder = folders[entry.run] else { throw damaged(entry) }
    let descriptor = try descriptor(self.folder.run(folder) + "/" + name)
    var bytes = [UInt8](repeating: 0, count: range.count)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(range.lowerBound + done))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw damaged(entry) }
      done += count
    }
    return bytes
  }

  private func descriptor(_ path: String) throws(RunError) -> Int32 {
    if let known = open[path] { return known }
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard descriptor >= 0 else {
      throw RunError(.noInput, "a file of an earlier run cannot be opened (errno \(errno))")
    }
    open[path] = descriptor
    // A purge puts new files in place only once its transaction stands: none since means that this is the file the ledger speaks of.
    // A connection of its own sees what the ledger says now, beside a statement that sees what it said when it began; it is not kept,
    // since thousands of shards may be open at once.
    guard try PurgeEnding.count(Ledger(reading: folder.ledger).database) == purges else {
      throw Self.purged
    }
    return descriptor
  }

  private static let purged = RunError(
    .temporaryFailure, "a purge is under way or was interrupted: wait, or do it again to finish it, then try once more")
}

/// `export`: the newest result of every pair, whichever run made it.
package enum ResultsExport {
  /// Hands over one result line a pair, without line ends, in the input's order.
  /// - Returns: their number.
  /// - Throws: `RunError(.noInput)` where the folder holds no ledger, and what `body` throws.
  @discardableResult
  package static func export(_ output: String, _ body: (_ line: [UInt8]) throws(RunError) -> Void) throws(RunError)
    -> Int
  {
    let folder = try OutputFolder(existing: output)
    let ledger = try Ledger(reading: folder.ledger)
    // One view of the ledger from the first look to the last line.
    try ledger.database.execute("BEGIN")
    let lines = try ResultLines(folder, ledger: ledger)
    let statement = try ledger.database.prepare("SELECT \(Ledger.columns) FROM pairs ORDER BY position, key")
    var count = 0
    while try statement.step() {
      try body(try lines.result(of: try Ledger.entry(statement)))
      count += 1
    }
    return count
  }
}
