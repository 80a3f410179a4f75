/// Urdu text as an old card's PDF417 stores it: each byte is the low byte of a code point U+06xx.
///
/// The rule is total and needs no guess, since Urdu's own letters (U+0621-U+06D2), comma (U+060C), full stop (U+06D4)
/// and digits (U+06F0-U+06F9) fill the block: a byte 0x2C is JEEM (U+062C), never an ASCII comma, and 0x30...0x39 are
/// letters, never digits. Two exceptions: 0x20 is a space (U+0620 is a Kashmiri letter; Urdu does not use it and text
/// needs spaces), and controls below 0x0C other than a tab, which becomes a space, are dropped (U+0600-U+060B are number
/// signs and roots that no name or address holds; NUL pads).
package enum LowByteUrdu {
  /// The text of a segment, spaces trimmed; may be empty.
  ///
  /// A segment that is UTF-8 of Arabic script is taken as such. The two cannot be confused: UTF-8's lead bytes for that
  /// block, 0xD8...0xDB, would be Quranic annotation signs or punctuation before every letter.
  package static func decode(_ bytes: some Sequence<UInt8>) -> String {
    let bytes = Array(bytes)
    if let text = utf8Arabic(bytes) { return trimmed(text.unicodeScalars) }
    var scalars = String.UnicodeScalarView()
    for byte in bytes {
      switch byte {
      case 0x20, 0x09: scalars.append(" ")
      case 0x00..<0x0C: continue
      default: scalars.append(Unicode.Scalar(0x0600 + UInt32(byte)) ?? " ")
      }
    }
    return trimmed(scalars)
  }

  /// The bytes that `decode` reads back, `nil` where a scalar has no place in the form. For specimens and tests.
  package static func encode(_ text: some StringProtocol) -> [UInt8]? {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x20: bytes.append(0x20)
      case 0x060C, 0x060E...0x061C, 0x061E, 0x061F, 0x0621...0x06FF: bytes.append(UInt8(scalar.value & 0xFF))
      default: return nil
      }
    }
    return bytes
  }

  private static func utf8Arabic(_ bytes: [UInt8]) -> String? {
    guard bytes.contains(where: { $0 >= 0x80 }), let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let foreign = text.unicodeScalars.contains { $0.value >= 0x80 && !isArabic($0.value) }
    return foreign ? nil : text
  }

  private static func isArabic(_ value: UInt32) -> Bool {
    switch value {
    case 0x0600...0x06FF, 0x0750...0x077F, 0xFB50...0xFDFF, 0xFE70...0xFEFF, 0x200B...0x200F: true
    default: false
    }
  }

  private static func trimmed(_ scalars: String.UnicodeScalarView) -> String {
    var scalars = scalars[...]
    while scalars.first == " " { scalars.removeFirst() }
    while scalars.last == " " { scalars.removeLast() }
    return String(String.UnicodeScalarView(scalars))
  }
}
