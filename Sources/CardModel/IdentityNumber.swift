/// A CNIC number: 13 decimal digits, printed as `#####-#######-#` (locality, serial, last digit).
///
/// It carries no check digit. The last digit is odd for men and even for women; published validators disagree about a
/// first digit of 8 (Azad Kashmir) and a last digit of 0, so both are accepted. A first digit outside 1...8 makes a
/// number that `hasKnownRegion` tells apart; readers refuse it, a caller may still expect it.
public struct IdentityNumber: Hashable, Sendable {
  /// Exactly 13 ASCII digits.
  public let digits: String

  /// Reads a number as people and manifests write it: 13 digits, or `#####-#######-#`, with white space around it,
  /// in Latin, Urdu (U+06F0...U+06F9) or Arabic-Indic (U+0660...U+0669) digits; the dash may be any Unicode dash.
  /// - Returns: `nil` for everything else. Nothing is repaired.
  public init?(_ text: some StringProtocol) {
    var digits: [UInt8] = []
    var dashes: [Int] = []
    var scalars = Array(text.unicodeScalars)
    while let last = scalars.last, last.properties.isWhitespace { scalars.removeLast() }
    let start = scalars.firstIndex { !$0.properties.isWhitespace } ?? scalars.endIndex
    for scalar in scalars[start...] {
      if let digit = Self.decimalDigit(scalar) {
        guard digits.count < 13 else { return nil }
        digits.append(0x30 + digit)
      } else if Self.isDash(scalar) {
        dashes.append(digits.count)
      } else {
        return nil
      }
    }
    guard digits.count == 13, dashes.isEmpty || dashes == [5, 12] else { return nil }
    self.digits = String(decoding: digits, as: UTF8.self)
  }

  /// The printed form, `#####-#######-#`.
  public var formatted: String {
    let d = Array(digits)
    return String(d[0..<5]) + "-" + String(d[5..<12]) + "-" + String(d[12])
  }

  /// For people who need to tell records apart but not to read them: the locality and the last digit, `12345-*******-1`.
  public var masked: String { digits.prefix(5) + "-*******-" + digits.suffix(1) }

  /// Whether the first digit names a region in use, 1...8.
  public var hasKnownRegion: Bool { ("1"..."8").contains(digits.prefix(1)) }

  /// The last digit, 0...9; odd for men, even for women.
  public var lastDigit: Int { Int(digits.suffix(1)) ?? 0 }

  /// The value 0...9 of a Latin, Urdu or Arabic-Indic digit, `nil` for any other scalar.
  public static func decimalDigit(_ scalar: Unicode.Scalar) -> UInt8? {
    switch scalar.value {
    case 0x30...0x39: UInt8(scalar.value - 0x30)
    case 0x0660...0x0669: UInt8(scalar.value - 0x0660)
    case 0x06F0...0x06F9: UInt8(scalar.value - 0x06F0)
    default: nil
    }
  }

  private static func isDash(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x2D, 0x2010...0x2015, 0x2212, 0xFE58, 0xFE63, 0xFF0D: true
    default: false
    }
  }
}
