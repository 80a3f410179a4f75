/// Why bytes are not the JSON that was expected. `reason` is fixed wording: nothing of the input stands in it.
package struct JSONError: Error, Sendable, Equatable {
  package var reason: String
  /// 0-based place in the bytes given.
  package var offset: Int
}

/// Reads JSON (RFC 8259) strictly from bytes of any origin: it refuses, and never crashes on, invalid UTF-8, lone surrogates,
/// doubled keys, nesting deeper than `maximumDepth`, and anything after the value. The caller bounds the length.
package struct JSONParser {
  /// Lines of these formats nest to about 6.
  package static let maximumDepth = 32

  private let input: UnsafeBufferPointer<UInt8>
  private var index = 0

  /// The value that `bytes` hold, with white space around it.
  package static func parse(_ bytes: some Collection<UInt8>) throws(JSONError) -> JSONValue {
    try Array(bytes).withUnsafeBufferPointer { buffer throws(JSONError) in try parse(buffer: buffer) }
  }

  private static func parse(buffer: UnsafeBufferPointer<UInt8>) throws(JSONError) -> JSONValue {
    var parser = JSONParser(input: buffer)
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.index == buffer.count else { throw parser.error("something stands after the value") }
    return value
  }

  private init(input: UnsafeBufferPointer<UInt8>) { self.input = input }

  private func error(_ reason: String) -> JSONError { JSONError(reason: reason, offset: index) }

  private var current: UInt8? { index < input.count ? input[index] : nil }

  private mutating func skipSpace() {
    while index < input.count, [0x20, 0x0A, 0x0D, 0x09].contains(input[index]) { index += 1 }
  }

  private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
    guard depth < Self.maximumDepth else { throw error("nested too deeply") }
    skipSpace()
    switch current {
    case 0x7B: return try object(depth: depth)
    case 0x5B: return try array(depth: depth)
    case 0x22: return .string(try string())
    case 0x74: return try word("true", .bool(true))
    case 0x66: return try word("false", .bool(false))
    case 0x6E: return try word("null", .null)
    case .some(0x2D), .some(0x30...0x39): return try number()
    case nil: throw error("a value is missing")
    default: throw error("no JSON value starts here")
    }
  }

  private mutating func word(_ text: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
    let count = text.utf8CodeUnitCount
    guard index + count <= input.count else { throw error("no JSON value starts here") }
    for offset in 0..<count where input[index + offset] != text.utf8Start[offset] {
      throw error("no JSON value starts here")
    }
    index += count
    return value
  }

  private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
    index += 1
    var members: [JSONValue.Member] = []
    var seen: Set<String> = []
    skipSpace()
    if current == 0x7D {
      index += 1
      return .object(members)
    }
    while true {
      skipSpace()
      guard current == 0x22 else { throw error("a key is missing") }
      let key = try string()
      // Few keys: comparing is quicker than hashing. Many: only a set keeps hostile objects cheap.
      if members.count < 16 {
        guard !members.contains(where: { $0.key == key }) else { throw error("a key stands twice in one object") }
      } else {
        if seen.isEmpty { seen = Set(members.map(\.key)) }
        guard seen.insert(key).inserted else { throw error("a key stands twice in one object") }
      }
      skipSpace()
      guard current == 0x3A else { throw error("a colon is missing") }
      index += 1
      members.append(.init(key, try value(depth: depth + 1)))
      if try endsList(with: 0x7D) { return .object(members) }
    }
  }

  private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
    index += 1
    var values: [JSONValue] = []
    skipSpace()
    if current == 0x5D {
      index += 1
      return .array(values)
    }
    while true {
      values.append(try value(depth: depth + 1))
      if try endsList(with: 0x5D) { return .array(values) }
    }
  }

  private mutating func endsList(with end: UInt8) throws(JSONError) -> Bool {
    skipSpace()
    guard let byte = current, byte == end || byte == 0x2C else {
      throw error("a comma or the end of a list is missing")
    }
    index += 1
    return byte == end
  }

  private mutating func number() throws(JSONError) -> JSONValue {
    let start = index
    if current == 0x2D { index += 1 }
    let integerStart = index
    let integerDigits = digits()
    guard integerDigits > 0, integerDigits == 1 || input[integerStart] != 0x30 else { throw error("not a JSON number") }
    var isWhole = true
    if current == 0x2E {
      isWhole = false
      index += 1
      guard digits() > 0 else { throw error("not a JSON number") }
    }
    if current == 0x65 || current == 0x45 {
      isWhole = false
      index += 1
      if current == 0x2B || current == 0x2D { index += 1 }
      guard digits() > 0 else { throw error("not a JSON number") }
    }
    let text = String(decoding: UnsafeBufferPointer(rebasing: input[start..<index]), as: UTF8.self)
    if isWhole, let whole = Int(text) { return .int(whole) }
    // Swift's own conversion knows no locale.
    guard let value = Double(text), value.isFinite else { throw error("a number is out of range") }
    return .double(value)
  }

  private mutating func digits() -> Int {
    let start = index
    while let byte = current, (0x30...0x39).contains(byte) { index += 1 }
    return index - start
  }

  private mutating func string() throws(JSONError) -> String {
    index += 1
    let start = index
    while let byte = current {
      if byte == 0x22 {
        let text = try decoded(UnsafeBufferPointer(rebasing: input[start..<index]))
        index += 1
        return text
      }
      if byte == 0x5C { return try escapedString(from: start) }
      guard byte >= 0x20 else { throw error("a control character stands bare in a string") }
      index += 1
    }
    throw error("a string is not closed")
  }

  private func decoded(_ bytes: some Collection<UInt8>) throws(JSONError) -> String {
    guard let text = String(validating: bytes, as: UTF8.self) else { throw error("not UTF-8") }
    return text
  }

  private mutating func escapedString(from start: Int) throws(JSONError) -> String {
    var out = Array(input[start..<index])
    while let byte = current {
      index += 1
      if byte == 0x22 { return try decoded(out) }
      guard byte == 0x5C else {
        guard byte >= 0x20 else { throw error("a control character stands bare in a string") }
        out.append(byte)
        continue
      }
      guard let escape = current else { break }
      index += 1
      switch escape {
      case 0x22, 0x5C, 0x2F: out.append(escape)
      case 0x62: out.append(0x08)
      case 0x66: out.append(0x0C)
      case 0x6E: out.append(0x0A)
      case 0x72: out.append(0x0D)
      case 0x74: out.append(0x09)
      case 0x75: out.append(contentsOf: Array(String(Character(try escapedScalar())).utf8))
      default: throw error("an unknown escape stands in a string")
      }
    }
    throw error("a string is not closed")
  }

  private mutating func escapedScalar() throws(JSONError) -> Unicode.Scalar {
    var code = UInt32(try hexadecimal())
    if (0xD800..<0xDC00).contains(code) {
      guard current == 0x5C, index + 1 < input.count, input[index + 1] == 0x75 else { throw error("a lone surrogate") }
      index += 2
      let low = UInt32(try hexadecimal())
      guard (0xDC00..<0xE000).contains(low) else { throw error("a lone surrogate") }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw error("a lone surrogate") }
    return scalar
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt16 {
    var code: UInt16 = 0
    for _ in 0..<4 {
      guard let byte = current else { throw error("a string is not closed") }
      let digit: UInt8
      switch byte {
      case 0x30...0x39: digit = byte - 0x30
      case 0x41...0x46: digit = byte - 0x41 + 10
      case 0x61...0x66: digit = byte - 0x61 + 10
      default: throw error("an unknown escape stands in a string")
      }
      code = code << 4 | UInt16(digit)
      index += 1
    }
    return code
  }
}
