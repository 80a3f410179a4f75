internal import Glibc
internal import RecordFormats

/// Reads lines out of the files of an output's runs, at the places that its ledger names.
final class ResultLines {
  private let folder: OutputFolder
  private let folders: [Int: String]
  private var open: [String: Int32] = [:]

  init(_ folder: OutputFolder, ledger: Ledger) throws(RunError) {
    self.folder = folder
    var folders: [Int: String] = [:]
    for run in try ledger.allRuns() { folders[run.number] = run.folder }
    self.folders = folders
  }

  deinit { for descriptor in open.values { close(descriptor) } }

  /// The result line of a pair, without its line end.
  func result(of entry: LedgerEntry) throws(RunError) -> [UInt8] {
    var line = try read("results.ndjson", run: entry.run, entry.results)
    guard line.popLast() == 0x0A else { throw Self.damaged }
    return line
  }

  /// The event lines of a pair, with their line ends; may be empty.
  func events(of entry: LedgerEntry) throws(RunError) -> [UInt8] {
    try read("events.ndjson", run: entry.run, entry.events)
  }

  private static let damaged = RunError(.internalError, "a file of results does not hold what the ledger says")

  private func read(_ name: String, run: Int, _ range: Range<Int>) throws(RunError) -> [UInt8] {
    guard !range.isEmpty else { return [] }
    guard let folder = folders[run] else { throw Self.damaged }
    let descriptor = try descriptor(self.folder.run(folder) + "/" + name)
    var bytes = [UInt8](repeating: 0, count: range.count)
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeMutableBytes { buffer in
        pread(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(range.lowerBound + done))
      }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { throw Self.damaged }
      done += count
    }
    return bytes
  }

  private func descriptor(_ path: String) throws(RunError) -> Int32 {
    if let known = open[path] { return known }
    let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else {
      throw RunError(.noInput, "a file of an earlier run cannot be opened (errno \(errno))")
    }
    open[path] = descriptor
    return descriptor
  }
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
