/// Writes JSON deterministically: the same value always gives the same bytes, on one line, in UTF-8, keys sorted by their bytes.
///
/// Fractions are rounded to four decimals and always hold a point (`1.0`), whole numbers never do, so a line that is read and
/// written again keeps its bytes. Control characters, U+007F...U+009F, U+2028 and U+2029 are escaped: some line readers
/// (Python's `splitlines`, JavaScript) take them for line ends. Slashes are not escaped. A value that is no number becomes `null`.
/// Its speed against JSONEncoder is not measured yet.
package struct JSONWriter {
  package private(set) var bytes: [UInt8] = []

  package init(reserving capacity: Int = 1024) { bytes.reserveCapacity(capacity) }

  /// The bytes of one value, without a line end.
  package static func line(_ value: JSONValue) -> [UInt8] {
    var writer = JSONWriter()
    writer.write(value)
    return writer.bytes
  }

  /// The text of one value, without a line end.
  package static func text(_ value: JSONValue) -> String { String(decoding: line(value), as: UTF8.self) }

  /// Appends a value.
  package mutating func write(_ value: JSONValue) {
    switch value {
    case .null: append("null")
    case .bool(let flag): append(flag ? "true" : "false")
    case .int(let number): write(number)
    case .double(let number): write(number)
    case .string(let text): write(text)
    case .array(let values):
      bytes.append(0x5B)
      for (index, element) in values.enumerated() {
        if index > 0 { bytes.append(0x2C) }
        write(element)
      }
      bytes.append(0x5D)
    case .object(let members): write(members)
    }
  }

  private mutating func write(_ members: [JSONValue.Member]) {
    var ordered = members
    if !Self.isSorted(members) { ordered.sort { Self.precedes($0.key, $1.key) } }
    bytes.append(0x7B)
    for (index, member) in ordered.enumerated() {
      if index > 0 { bytes.append(0x2C) }
      write(member.key)
      bytes.append(0x3A)
      write(member.value)
    }
    bytes.append(0x7D)
  }

  private mutating func write(_ number: Int) {
    if number < 0 { bytes.append(0x2D) }
    var rest = number.magnitude
    var digits: [UInt8] = []
    repeat {
      digits.append(0x30 + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    bytes.append(contentsOf: digits.reversed())
  }

  private mutating func write(_ number: Double) {
    guard number.isFinite else { return append("null") }
    // Beyond this, four decimals are no longer exact in a Double; Swift's own shortest form is deterministic too.
    guard number.magnitude < 1e11 else { return append("\(number)") }
    let scaled = Int((number.magnitude * 10_000).rounded())
    if number < 0, scaled > 0 { bytes.append(0x2D) }
    write(scaled / 10_000)
    bytes.append(0x2E)
    var fraction = scaled % 10_000
    var width = 4
    while width > 1, fraction % 10 == 0 {
      fraction /= 10
      width -= 1
    }
    var divisor = 1
    for _ in 1..<width { divisor *= 10 }
    while divisor > 0 {
      bytes.append(0x30 + UInt8(fraction / divisor % 10))
      divisor /= 10
    }
  }

  private mutating func write(_ text: String) {
    bytes.append(0x22)
    var text = text
    text.withUTF8 { utf8 in
      var clean = 0
      var index = 0
      while index < utf8.count {
        let byte = utf8[index]
        let length = Self.lengthToEscape(byte, at: index, in: utf8)
        if length == 0 {
          index += 1
          continue
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[clean..<index]))
        appendEscape(utf8[index..<(index + length)])
        index += length
        clean = index
      }
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[clean...]))
    }
    bytes.append(0x22)
  }

  /// The number of bytes at `index` that stand for one character to escape, 0 where none does.
  private static func lengthToEscape(_ byte: UInt8, at index: Int, in utf8: UnsafeBufferPointer<UInt8>) -> Int {
    switch byte {
    case 0..<0x20, 0x22, 0x5C, 0x7F: 1
    case 0xC2 where index + 1 < utf8.count && utf8[index + 1] < 0xA0: 2
    case 0xE2 where index + 2 < utf8.count && utf8[index + 1] == 0x80 && (utf8[index + 2] & 0xFE) == 0xA8: 3
    default: 0
    }
  }

  private mutating func appendEscape(_ sequence: Slice<UnsafeBufferPointer<UInt8>>) {
    let first = sequence[sequence.startIndex]
    switch (sequence.count, first) {
    case (1, 0x22): append("\\\"")
    case (1, 0x5C): append("\\\\")
    case (1, 0x0A): append("\\n")
    case (1, 0x0D): append("\\r")
    case (1, 0x09): append("\\t")
    case (1, _): appendEscape(code: UInt16(first))
    case (2, _): appendEscape(code: UInt16(sequence[sequence.startIndex + 1]))
    default: appendEscape(code: 0x2028 + UInt16(sequence[sequence.startIndex + 2] & 1))
    }
  }

  private mutating func appendEscape(code: UInt16) {
    append("\\u")
    for shift in [12, 8, 4, 0] {
      let digit = UInt8(code >> UInt16(shift) & 0xF)
      bytes.append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
    }
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private static func precedes(_ a: String, _ b: String) -> Bool { a.utf8.lexicographicallyPrecedes(b.utf8) }

  private static func isSorted(_ members: [JSONValue.Member]) -> Bool {
    for index in members.indices.dropFirst() where !precedes(members[index - 1].key, members[index].key) {
      return false
    }
    return true
  }
}

extension JSONWriter {
  /// The value for people to read: two spaces a level, members in the order they stand, with a line end.
  package static func indented(_ value: JSONValue) -> String {
    var text = ""
    indent(value, depth: 0, into: &text)
    return text + "\n"
  }

  private static func indent(_ value: JSONValue, depth: Int, into text: inout String) {
    let margin = String(repeating: "  ", count: depth)
    switch value {
    case .object(let members) where !members.isEmpty:
      text += "{\n"
      for (index, member) in members.enumerated() {
        text += margin + "  " + Self.text(.string(member.key)) + ": "
        indent(member.value, depth: depth + 1, into: &text)
        text += index < members.count - 1 ? ",\n" : "\n"
      }
      text += margin + "}"
    case .array(let values) where values.contains { $0.object?.isEmpty == false }:
      text += "[\n"
      for (index, element) in values.enumerated() {
        text += margin + "  "
        indent(element, depth: depth + 1, into: &text)
        text += index < values.count - 1 ? ",\n" : "\n"
      }
      text += margin + "]"
    default: text += Self.text(value)
    }
  }
}
