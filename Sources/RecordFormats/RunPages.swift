/// What a run's lines do not tell of it: the engine's own counts.
package struct RunAccount: Sendable, Equatable {
  package var found: Int
  package var skipped: Int
  /// Wall time of the run that ended it.
  package var seconds: Double
  package var refusedRows = 0
  package var unpairedFiles = 0
  package var duplicateGroups = 0
  package var workersReplaced = 0

  package init(found: Int, skipped: Int, seconds: Double) {
    self.found = found
    self.skipped = skipped
    self.seconds = seconds
  }
}

/// Makes `summary.json` and `report.html` from the lines in a run's folder, in one pass and bounded memory.
package enum RunPages {
  /// Writes both at the end of a run.
  /// - Returns: the summary. Where it does not add up, the run exits 70.
  /// - Throws: `FormatError` where a line cannot be read or a file not be written; it names the file, not its folder.
  @discardableResult
  package static func write(folder: String, account: RunAccount, unmasked: Bool = false) throws(FormatError) -> Summary
  {
    var builder = SummaryBuilder()
    var report = Report(runName: name(of: folder), unmasked: unmasked)
    var timings = try TimingLines(path: folder + "/timings.ndjson")
    try forEachResult(in: folder) { line throws(FormatError) in
      let timing = try timings.next(id: line.id)
      builder.add(line, stages: timing?.stages ?? [:], secondsSinceStart: timing?.secondsSinceStart)
      report.add(line)
    }
    var summary = builder.summary(found: account.found, skipped: account.skipped, seconds: account.seconds)
    summary.refusedRows = account.refusedRows
    summary.unpairedFiles = account.unpairedFiles
    summary.duplicateGroups = account.duplicateGroups
    summary.workersReplaced = account.workersReplaced
    try write(summary.text, to: "summary.json", in: folder)
    try write(report.html(summary), to: "report.html", in: folder)
    return summary
  }

  /// Writes the report anew, e.g. unmasked; its numbers are those of `summary.json`.
  package static func rewriteReport(folder: String, unmasked: Bool) throws(FormatError) -> Summary {
    let summary = try readSummary(folder: folder)
    var report = Report(runName: name(of: folder), unmasked: unmasked)
    try forEachResult(in: folder) { line throws(FormatError) in report.add(line) }
    try write(report.html(summary), to: "report.html", in: folder)
    return summary
  }

  /// The run's `summary.json`.
  package static func readSummary(folder: String) throws(FormatError) -> Summary {
    let file = try named("summary.json") { () throws(FormatError) in try FileBytes(path: folder + "/summary.json") }
    var bytes: [UInt8] = []
    while let piece = try file.next() { bytes += piece }
    return try named("summary.json") { () throws(FormatError) in try Summary(text: bytes) }
  }

  /// Goes through a run's results in their order.
  package static func forEachResult(
    in folder: String, _ body: (ResultLine) throws(FormatError) -> Void
  ) throws(FormatError) {
    var lines = try named("results.ndjson") { () throws(FormatError) in
      try NDJSONLines(path: folder + "/results.ndjson")
    }
    while let line = try named("results.ndjson", { () throws(FormatError) in try lines.next() }) {
      let result = try named("results.ndjson, line \(lines.number)") { () throws(FormatError) in
        try ResultLine(line: line)
      }
      try body(result)
    }
  }

  /// The last part of a folder's path.
  static func name(of folder: String) -> String { folder.split(separator: "/").last.map(String.init) ?? folder }

  static func write(_ text: String, to file: String, in folder: String) throws(FormatError) {
    try named(file) { () throws(FormatError) in try PrivateFile.write(text, to: folder + "/" + file) }
  }

  /// Puts a file's name before an error's words.
  static func named<T>(_ file: String, _ body: () throws(FormatError) -> T) throws(FormatError) -> T {
    do throws(FormatError) { return try body() } catch { throw FormatError(file + ": " + error.description) }
  }
}

/// The lines of an NDJSON file that this program wrote.
struct NDJSONLines {
  private var lines: TextLines
  /// 1-based number of the line that `next` gave last.
  private(set) var number = 0

  init(path: String) throws(FormatError) {
    // An iOS event line carries two images in Base64.
    lines = TextLines(
      file: try FileBytes(path: path, pieceBytes: 1 << 18), maximumBytes: 1 << 27, endsAtCarriageReturn: false)
  }

  /// The next line that is not empty, without its end.
  mutating func next() throws(FormatError) -> ArraySlice<UInt8>? {
    while let line = try lines.next() {
      number += 1
      guard case .complete(let bytes) = line else { throw FormatError("line \(number) is too long") }
      let text = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
      if !text.isEmpty { return text }
    }
    return nil
  }
}

/// Finds each pair's timing in a file of the same order as the results; a pair that has none is passed over.
private struct TimingLines {
  private var lines: NDJSONLines?
  private var waiting: TimingLine?

  init(path: String) throws(FormatError) {
    do throws(FormatError) { lines = try NDJSONLines(path: path) } catch { lines = nil }
    waiting = try read()
  }

  mutating func next(id: String) throws(FormatError) -> TimingLine? {
    guard let timing = waiting, timing.id.isExactly(id) else { return nil }
    waiting = try read()
    return timing
  }

  private mutating func read() throws(FormatError) -> TimingLine? {
    guard let line = try lines?.next() else { return nil }
    return try RunPages.named("timings.ndjson") { () throws(FormatError) in try TimingLine(line: line) }
  }
}
