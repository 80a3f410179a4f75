/// Whether a CSV row that is not kept has ended, by its quotes alone (RFC 4180): a quoted cell ends at a quote before a comma or
/// a line's end, and a quote inside it is doubled.
struct QuotedCell {
  /// Whether the row goes on behind the last line.
  private(set) var isOpen: Bool
  /// Whether a quote stood where CSV places none.
  private(set) var isMisplaced = false

  init(isOpen: Bool) { self.isOpen = isOpen }

  private enum Place { case inside, behindQuote, cellStart, bare }

  /// Reads the row's next line; it begins inside a quoted cell.
  mutating func read(_ line: [UInt8]) {
    var place = Place.inside
    for byte in line where byte != 0x0A && byte != 0x0D || place == .inside {
      switch (place, byte) {
      case (.inside, 0x22): place = .behindQuote
      case (.behindQuote, 0x22), (.cellStart, 0x22): place = .inside
      case (.behindQuote, 0x2C), (.cellStart, 0x2C), (.bare, 0x2C): place = .cellStart
      case (.behindQuote, _), (.bare, 0x22): isMisplaced = true
      case (.cellStart, _): place = .bare
      case (.inside, _), (.bare, _): break
      }
    }
    isOpen = place == .inside && !isMisplaced
  }

  /// Goes on behind a line whose bytes are gone; an odd number of quotes opens or closes a cell.
  mutating func passOver(quotes: Int) { if quotes % 2 == 1 { isOpen.toggle() } }
}
