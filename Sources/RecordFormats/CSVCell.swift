private import CCSV

/// A cell of a CSV file that people may open in a spreadsheet and that is read back here.
///
/// A spreadsheet takes a cell that begins with `=`, `+`, `-` or `@` (or their full-width forms, a tab or a line end) for a formula. Such a
/// cell is written with an apostrophe before it, and so is one that already has apostrophes there; reading takes exactly one away. Every
/// text therefore comes back as it was. *Source*: OWASP, "CSV Injection".
package enum CSVCell {
  /// The cell as it is written: guarded, and quoted where it must be.
  static func written(_ text: String) -> String {
    let guarded = needsGuard(text) ? "'" + text : text
    let special: Set<UInt8> = [0x22, 0x2C, 0x0A, 0x0D]
    let hasEdgeSpace = guarded.utf8.first == 0x20 || guarded.utf8.last == 0x20
    guard hasEdgeSpace || guarded.utf8.contains(where: special.contains) else { return guarded }
    return quoted(guarded)
  }

  /// The text of a cell that was read.
  static func unguarded(_ cell: String) -> String {
    guard cell.utf8.first == 0x27, needsGuard(cell) else { return cell }
    return String(decoding: cell.utf8.dropFirst(), as: UTF8.self)
  }

  /// A row of cells with its line end.
  package static func line(_ cells: [String]) -> String { cells.map(written).joined(separator: ",") + "\n" }

  private static func needsGuard(_ text: String) -> Bool {
    let first = text.unicodeScalars.first { $0 != "'" }
    guard let first else { return false }
    return formulaStarts.contains(first)
  }

  private static let formulaStarts: Set<Unicode.Scalar> = [
    "=", "+", "-", "@", "\t", "\r", "\n", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}",
  ]

  private static func quoted(_ text: String) -> String {
    let source = Array(text.utf8)
    var target = [UInt8](repeating: 0, count: source.count * 2 + 2)
    let count = csv_write(&target, target.count, source, source.count)
    return String(decoding: target.prefix(count), as: UTF8.self)
  }
}
