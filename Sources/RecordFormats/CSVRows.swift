private import CCSV

/// A row of a CSV file, or why it is none.
enum CSVRow {
  /// The row's cells as bytes, and the 1-based physical line that it starts on.
  case cells([[UInt8]], line: Int)
  case problem(FormatError, line: Int)
}

/// Reads CSV (RFC 4180) row by row with libcsv, in bounded memory. A broken row costs that row: where a quote is opened and never
/// closed, reading goes on at the physical line after the one the row began on. A row that is too long costs itself too, be it one
/// cell of many lines: its end is looked for without keeping it.
///
/// *Source*: csv(3): `csv_parse` keeps its state from call to call, and calls back with `csv_parse` unfinished on an error.
final class CSVRows {
  /// A row longer than this is refused; a row of a manifest is a few hundred bytes.
  static let maximumRowBytes = 1 << 20

  private var lines: TextLines
  /// Physical lines that were read in search of a closing quote and must be read again.
  private var pending: ArraySlice<Taken> = []
  private var lineNumber = 0
  private var endedAtCarriageReturn = false
  private let parser: Parser

  init(lines: TextLines) {
    self.lines = lines
    parser = Parser()
  }

  /// A physical line and where in the file the next one begins.
  private typealias Taken = (line: TextLine, end: Int)

  /// The next row that is not blank, `nil` at the end.
  func next() throws(FormatError) -> CSVRow? {
    var taken: [Taken] = []
    var bytes = 0
    var start = lineNumber
    while true {
      guard let next = try nextLine() else {
        guard !taken.isEmpty else { return nil }
        return finishAtEnd(taken, start: start)
      }
      taken.append(next)
      switch next.line {
      case .tooLong(let quotes):
        // Behind the row's first line the last one ended inside a quoted cell.
        var cell = QuotedCell(isOpen: taken.count > 1)
        cell.passOver(quotes: quotes)
        return try passOver(cell, first: taken[0], start: start)
      case .complete(let text):
        bytes += text.count
        guard parser.feed(text) else {
          return abandon(taken, start: start, "its quotes are not placed as CSV places them")
        }
      }
      if let cells = parser.takeRow() { return .cells(cells, line: start + 1) }
      if !parser.isInsideRow {
        taken.removeAll()
        (bytes, start) = (0, lineNumber)
      }
      // A row goes on behind a line's end in a quoted cell alone.
      if bytes > Self.maximumRowBytes { return try passOver(QuotedCell(isOpen: true), first: taken[0], start: start) }
    }
  }

  /// Looks for the end of a row that is too long to be kept. Where it has none, its quote was a slip and what follows its first
  /// line are rows.
  private func passOver(_ cell: QuotedCell, first: Taken, start: Int) throws(FormatError) -> CSVRow {
    parser.reset()
    var cell = cell
    while cell.isOpen {
      guard let next = try nextLine() else { break }
      switch next.line {
      case .complete(let bytes): cell.read(bytes)
      case .tooLong(let quotes): cell.passOver(quotes: quotes)
      }
    }
    guard cell.isOpen || cell.isMisplaced else {
      return .problem(FormatError("longer than \(Self.maximumRowBytes) bytes"), line: start + 1)
    }
    pending = []
    try lines.rewind(to: first.end)
    goBehind(first, start: start)
    return .problem(FormatError(Self.unclosedQuote), line: start + 1)
  }

  private static let unclosedQuote = "a quote is opened and never closed"

  private func finishAtEnd(_ taken: [Taken], start: Int) -> CSVRow? {
    guard parser.finish() else { return abandon(taken, start: start, Self.unclosedQuote) }
    return parser.takeRow().map { .cells($0, line: start + 1) }
  }

  /// Gives up a row and puts back all of its lines but the first.
  private func abandon(_ taken: [Taken], start: Int, _ reason: String) -> CSVRow {
    parser.reset()
    pending = taken.dropFirst() + pending
    if let first = taken.first { goBehind(first, start: start) }
    return .problem(FormatError(reason), line: start + 1)
  }

  private func goBehind(_ first: Taken, start: Int) {
    lineNumber = start + 1
    if case .complete(let bytes) = first.line { endedAtCarriageReturn = bytes.last == 0x0D }
  }

  private func nextLine() throws(FormatError) -> Taken? {
    let next: Taken
    if let first = pending.popFirst() {
      next = first
    } else {
      guard let line = try lines.next() else { return nil }
      next = (line, lines.offset)
    }
    // The LF of a CRLF comes as a line of its own and does not count.
    if case .complete(let bytes) = next.line {
      if !(endedAtCarriageReturn && bytes == [0x0A]) { lineNumber += 1 }
      endedAtCarriageReturn = bytes.last == 0x0D
    } else {
      lineNumber += 1
      endedAtCarriageReturn = false
    }
    return next
  }
}

/// The owner of one libcsv parser.
private final class Parser {
  private var state = csv_parser()
  private var cells: [[UInt8]] = []
  private var row: [[UInt8]]?

  init() {
    // Strict: a stray quote is an error, not a guess. STRICT_FINI: so is a file that ends inside quotes.
    let status = csv_init(&state, UInt8(CSV_STRICT | CSV_STRICT_FINI))
    precondition(status == 0, "csv_init fails on a null pointer alone")
    // Cells keep their white space here; the formats trim where they mean to.
    csv_set_space_func(&state) { _ in 0 }
  }

  deinit { csv_free(&state) }

  /// Whether cells were begun and the row's end has not come.
  var isInsideRow: Bool { state.pstate != 0 }

  /// Gives bytes to libcsv. False where they are not CSV.
  func feed(_ bytes: [UInt8]) -> Bool {
    let owner = Unmanaged.passUnretained(self).toOpaque()
    return csv_parse(&state, bytes, bytes.count, Self.takeCell, Self.endRow, owner) == bytes.count
  }

  /// Tells libcsv that the file has ended.
  func finish() -> Bool {
    csv_fini(&state, Self.takeCell, Self.endRow, Unmanaged.passUnretained(self).toOpaque()) == 0
  }

  /// The row that has ended since the last call.
  func takeRow() -> [[UInt8]]? {
    defer { row = nil }
    return row
  }

  /// Forgets a row that was begun.
  func reset() {
    csv_free(&state)
    let status = csv_init(&state, UInt8(CSV_STRICT | CSV_STRICT_FINI))
    precondition(status == 0, "csv_init fails on a null pointer alone")
    csv_set_space_func(&state) { _ in 0 }
    cells = []
    row = nil
  }

  private static let takeCell: @convention(c) (UnsafeMutableRawPointer?, Int, UnsafeMutableRawPointer?) -> Void = {
    text, count, owner in
    guard let owner else { return }
    let bytes = UnsafeRawBufferPointer(start: text, count: count)
    Unmanaged<Parser>.fromOpaque(owner).takeUnretainedValue().cells.append(Array(bytes))
  }

  private static let endRow: @convention(c) (Int32, UnsafeMutableRawPointer?) -> Void = { _, owner in
    guard let owner else { return }
    let parser = Unmanaged<Parser>.fromOpaque(owner).takeUnretainedValue()
    parser.row = parser.cells
    parser.cells = []
  }
}
