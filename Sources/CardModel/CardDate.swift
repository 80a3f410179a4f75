/// A calendar date as a card prints it. Only dates that exist can be made.
public struct CardDate: Hashable, Sendable, Comparable {
  public let day: Int
  public let month: Int
  public let year: Int

  /// - Returns: `nil` where the Gregorian calendar has no such day, or the year is outside 1900...2199.
  public init?(day: Int, month: Int, year: Int) {
    guard (1900...2199).contains(year), (1...12).contains(month), day >= 1 else { return nil }
    let leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0
    let lengths = [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard day <= lengths[month - 1] else { return nil }
    (self.day, self.month, self.year) = (day, month, year)
  }

  /// Reads `DD.MM.YYYY`, `DD/MM/YYYY` or `DD-MM-YYYY`, exactly: two, two and four digits, one separator used twice.
  public init?(_ text: some StringProtocol) {
    let bytes = Array(text.utf8)
    guard bytes.count == 10, bytes[2] == bytes[5], [0x2E, 0x2F, 0x2D].contains(bytes[2]) else { return nil }
    func number(_ range: Range<Int>) -> Int? {
      var value = 0
      for byte in bytes[range] {
        guard (0x30...0x39).contains(byte) else { return nil }
        value = value * 10 + Int(byte - 0x30)
      }
      return value
    }
    guard let day = number(0..<2), let month = number(3..<5), let year = number(6..<10) else { return nil }
    self.init(day: day, month: month, year: year)
  }

  /// The contract's form, `DD.MM.YYYY`.
  public var formatted: String {
    func padded(_ value: Int, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return padded(day, 2) + "." + padded(month, 2) + "." + padded(year, 4)
  }

  public static func < (a: CardDate, b: CardDate) -> Bool {
    (a.year, a.month, a.day) < (b.year, b.month, b.day)
  }
}
