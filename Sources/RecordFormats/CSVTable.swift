/// A row of a manifest or of another table that could not be taken, and why. The others are not touched by it.
package struct ManifestProblem: Error, Sendable, Equatable, CustomStringConvertible {
  /// 1-based place among the rows without the header; blank lines do not count.
  package var number: Int
  /// 1-based physical line on which the row starts.
  package var line: Int
  /// The row's id where it has a readable one. It may hold a person's number: it belongs in records, not in messages.
  package var id: String?
  /// What is wrong, naming columns and never values.
  package var reason: FormatError

  package init(number: Int, line: Int, id: String? = nil, reason: FormatError) {
    self.number = number
    self.line = line
    self.id = id
    self.reason = reason
  }

  package var description: String { "row \(number) (line \(line)): \(reason)" }
}

/// A CSV file with a header: columns in any order, each known by name.
struct CSVTable {
  private let rows: CSVRows
  private let header: [String]
  private var number = 0

  /// - Throws: `FormatError` where the file cannot be read, is no UTF-8 text, or its header is not right.
  init(path: String, required: [String], optional: [String] = []) throws(FormatError) {
    var lines = TextLines(
      file: try FileBytes(path: path), maximumBytes: CSVRows.maximumRowBytes, endsAtCarriageReturn: true)
    try Self.takeByteOrderMark(&lines)
    rows = CSVRows(lines: lines)
    header = try Self.header(rows, required: required, optional: optional)
  }

  /// The next row's cells by column; `nil` at the end.
  mutating func next() throws(FormatError) -> Result<
    (cells: [String: String], number: Int, line: Int), ManifestProblem
  >? {
    guard let row = try rows.next() else { return nil }
    number += 1
    switch row {
    case .problem(let reason, let line): return .failure(ManifestProblem(number: number, line: line, reason: reason))
    case .cells(let bytes, let line):
      guard bytes.count == header.count else {
        let reason = FormatError("it has \(bytes.count) cells, the header has \(header.count)")
        return .failure(ManifestProblem(number: number, line: line, reason: reason))
      }
      var cells: [String: String] = [:]
      for (column, cell) in zip(header, bytes) {
        guard let text = String(validating: cell, as: UTF8.self) else {
          let reason = FormatError(
            "`\(column)` is not UTF-8; convert the file, e.g. with `iconv -f WINDOWS-1252 -t UTF-8`")
          return .failure(ManifestProblem(number: number, line: line, id: cells["id"], reason: reason))
        }
        cells[column] = CSVCell.unguarded(text)
      }
      return .success((cells, number, line))
    }
  }

  /// Passes over UTF-8's mark; refuses UTF-16 and UTF-32, marked or not.
  static func takeByteOrderMark(_ lines: inout TextLines) throws(FormatError) {
    let start = Array(try lines.peek(4))
    if start.prefix(3) == [0xEF, 0xBB, 0xBF] { return lines.skip(3) }
    let isWide = [[0xFF, 0xFE], [0xFE, 0xFF]].contains(Array(start.prefix(2))) || start.contains(0)
    guard !isWide else {
      throw FormatError(
        "it is UTF-16 or binary, not UTF-8; convert it with `iconv -f UTF-16 -t UTF-8` or save it as \"CSV UTF-8\"")
    }
  }

  private static func header(_ rows: CSVRows, required: [String], optional: [String]) throws(FormatError) -> [String] {
    let known = required + optional
    let expected = "expected: " + required.joined(separator: ",") + optional.map { "[,\($0)]" }.joined()
    let first = try rows.next()
    guard let first else { throw FormatError("it is empty; a header is missing (\(expected))") }
    guard case .cells(let cells, _) = first else {
      throw FormatError("its first line is not a CSV header (\(expected))")
    }
    var header: [String] = []
    for (index, cell) in cells.enumerated() {
      let text = String(decoding: cell, as: UTF8.self).trimmingASCIIBlanks.lowercased()
      guard let column = known.first(where: { $0.lowercased() == text }) else {
        // The cell is not quoted: a file without a header has a person's number here.
        let divider = cells.count == 1 && (cell.contains(0x3B) || cell.contains(0x09))
        let hint = divider ? "; columns are divided by commas" : ""
        throw FormatError("its header's column \(index + 1) is not one of a manifest's\(hint) (\(expected))")
      }
      guard !header.contains(column) else {
        throw FormatError("its header has the column `\(column)` twice (\(expected))")
      }
      header.append(column)
    }
    for column in required where !header.contains(column) {
      throw FormatError("its header has no column `\(column)` (\(expected))")
    }
    return header
  }
}

extension String {
  /// The text without blanks, tabs and line ends around it.
  var trimmingASCIIBlanks: String {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    var bytes = Substring(self).utf8
    while let first = bytes.first, blanks.contains(first) { bytes.removeFirst() }
    while let last = bytes.last, blanks.contains(last) { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
