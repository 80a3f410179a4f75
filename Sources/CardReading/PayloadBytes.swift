import CardModel

/// Small questions about a payload's bytes.
enum PayloadBytes {
  static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
  static func isUpper(_ byte: UInt8) -> Bool { (0x41...0x5A).contains(byte) }

  /// The payload without NUL padding, blanks and line ends around it.
  static func trimmed(_ bytes: [UInt8]) -> [UInt8] {
    func isBlank(_ byte: UInt8) -> Bool { byte == 0 || byte == 0x20 || (0x09...0x0D).contains(byte) }
    guard let first = bytes.firstIndex(where: { !isBlank($0) }), let last = bytes.lastIndex(where: { !isBlank($0) })
    else { return [] }
    return Array(bytes[first...last])
  }

  /// UTF-8 Urdu (U+06F0-06F9) and Arabic-Indic (U+0660-0669) digits become Latin ones; all other bytes stay.
  static func withLatinDigits(_ bytes: [UInt8]) -> [UInt8] {
    var out: [UInt8] = []
    out.reserveCapacity(bytes.count)
    var i = 0
    while i < bytes.count {
      let next = i + 1 < bytes.count ? bytes[i + 1] : 0
      if bytes[i] == 0xDB, (0xB0...0xB9).contains(next) {
        out.append(0x30 + next - 0xB0)
        i += 2
      } else if bytes[i] == 0xD9, (0xA0...0xA9).contains(next) {
        out.append(0x30 + next - 0xA0)
        i += 2
      } else {
        out.append(bytes[i])
        i += 1
      }
    }
    return out
  }

  /// The number where the bytes are exactly one, with or without dashes, of a known region (first digit 1...8).
  static func identityNumber(_ bytes: ArraySlice<UInt8>) -> IdentityNumber? {
    guard (13...15).contains(bytes.count), bytes.allSatisfy({ isDigit($0) || $0 == 0x2D }),
      let number = IdentityNumber(String(decoding: bytes, as: UTF8.self)), number.hasKnownRegion
    else { return nil }
    return number
  }

  /// Whether 12 digits are a stamp `YYYYMMDDHHMM` of 1970...2099, as the control number of an old card ends with.
  static func isStamp(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard bytes.count == 12, bytes.allSatisfy(isDigit) else { return false }
    let d = bytes.map { Int($0 - 0x30) }
    let year = d[0] * 1000 + d[1] * 100 + d[2] * 10 + d[3]
    guard (1970...2099).contains(year), CardDate(day: d[6] * 10 + d[7], month: d[4] * 10 + d[5], year: year) != nil
    else { return false }
    return d[8] * 10 + d[9] < 24 && d[10] * 10 + d[11] < 60
  }
}
