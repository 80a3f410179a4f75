package import CardModel

/// The three lines of 30 characters at the foot of an overseas card's back (ICAO 9303 part 5, TD1).
///
/// *Source*: ICAO Doc 9303-5, section 4.2 (fields and composite) and 9303-3, section 4.9 (check digits, weights 7 3 1).
/// Nothing is repaired: a zone with one character misread does not hold.
package struct MachineReadableZone: Sendable, Equatable {
  package var documentNumber: String
  /// From [15..<28] of the first line, where Pakistan puts it; `nil` where that is no number.
  package var identityNumber: IdentityNumber?
  /// `YYMMDD`; the century is not in the zone.
  package var birth: String
  /// `YYMMDD`; empty where the card has no expiry date (six fillers).
  package var expiry: String
  package var gender: Gender?
  package var nationality: String
  package var surname: String
  package var givenNames: String
  /// Whether all four check digits (document number, birth, expiry, composite) are right.
  package var checkDigitsHold: Bool

  /// Reads a zone from recognised lines, one for each row, in order; blanks inside a line are dropped.
  /// - Returns: `nil` where these are not three TD1 lines of a Pakistani card.
  package init?(lines: [String]) {
    let rows = lines.map { Array($0.utf8).filter { $0 != 0x20 } }
    guard rows.count == 3, rows.allSatisfy({ $0.count == 30 && $0.allSatisfy(Self.isAllowed) }) else { return nil }
    let (first, second) = (rows[0], rows[1])
    guard [0x49, 0x41, 0x43].contains(first[0]), Array(first[2..<5]) == Array("PAK".utf8) else { return nil }
    guard second[0..<6].allSatisfy(PayloadBytes.isDigit) else { return nil }
    let expiryIsDate = second[8..<14].allSatisfy(PayloadBytes.isDigit)
    guard expiryIsDate || second[8..<14].allSatisfy({ $0 == 0x3C }) else { return nil }
    documentNumber = Self.text(first[5..<14])
    identityNumber = PayloadBytes.identityNumber(first[15..<28])
    birth = Self.text(second[0..<6])
    expiry = Self.text(second[8..<14])
    gender = second[7] == 0x3C ? .other : Gender(rawValue: Self.text(second[7..<8]))
    nationality = Self.text(second[15..<18])
    let names = Self.names(rows[2])
    (surname, givenNames) = (names.surname, names.given)
    let composite = Array(first[5..<30]) + Array(second[0..<7]) + Array(second[8..<15]) + Array(second[18..<29])
    checkDigitsHold =
      Self.holds(first[5..<14], first[14]) && Self.holds(second[0..<6], second[6])
      && Self.holds(second[8..<14], second[14]) && Self.holds(composite[...], second[29])
  }

  /// The check digit of a field, 0...9: values weighted 7, 3, 1 and summed modulo 10; `<` is 0, letters are 10...35.
  package static func checkDigit(_ field: some Sequence<UInt8>) -> Int {
    var sum = 0
    for (place, byte) in field.enumerated() {
      let value =
        switch byte {
        case 0x30...0x39: Int(byte) - 0x30
        case 0x41...0x5A: Int(byte) - 0x41 + 10
        default: 0
        }
      sum += value * [7, 3, 1][place % 3]
    }
    return sum % 10
  }

  private static func holds(_ field: ArraySlice<UInt8>, _ digit: UInt8) -> Bool {
    PayloadBytes.isDigit(digit) && checkDigit(field) == Int(digit) - 0x30
  }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    PayloadBytes.isDigit(byte) || PayloadBytes.isUpper(byte) || byte == 0x3C
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.prefix { $0 != 0x3C }, as: UTF8.self)
  }

  private static func names(_ row: [UInt8]) -> (surname: String, given: String) {
    let words = row.split(separator: 0x3C, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
    guard let gap = words.firstIndex(of: "") else { return (words.joined(separator: " "), "") }
    let given = words[(gap + 1)...].filter { !$0.isEmpty }
    return (words[..<gap].joined(separator: " "), given.joined(separator: " "))
  }
}
