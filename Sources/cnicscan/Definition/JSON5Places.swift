/// Where each key of a JSON5 text stands, so that a message can name the line. It trusts that the text parses; in a text
/// that does not, it finds what it can.
struct JSON5Places {
  /// 1-based lines by dotted path, e.g. `limits.pages`. Elements of arrays have their array's path.
  private(set) var lines: [String: Int] = [:]

  init(_ text: String) {
    var scanner = Scanner(bytes: Array(text.utf8))
    scanner.value(path: [], lines: &lines)
  }

  func line(of path: String) -> Int? { lines[path] }

  /// A recursive descent over the bytes that skips what it does not need to understand.
  private struct Scanner {
    let bytes: [UInt8]
    var place = 0
    var line = 1

    mutating func value(path: [String], lines: inout [String: Int]) {
      skipSpace()
      guard let byte = peek() else { return }
      switch byte {
      case UInt8(ascii: "{"): object(path: path, lines: &lines)
      case UInt8(ascii: "["):
        advance()
        skipSpace()
        while let next = peek(), next != UInt8(ascii: "]") {
          let before = place
          value(path: path, lines: &lines)
          skipSpace()
          if peek() == UInt8(ascii: ",") { advance() }
          skipSpace()
          if place == before { return }
        }
        advance()
      case UInt8(ascii: "\""), UInt8(ascii: "'"): _ = quoted(byte)
      default: _ = bare()
      }
    }

    private mutating func object(path: [String], lines: inout [String: Int]) {
      advance()
      skipSpace()
      while let byte = peek(), byte != UInt8(ascii: "}") {
        let before = place
        let keyLine = line
        let key = byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") ? quoted(byte) : bare()
        lines[(path + [key]).joined(separator: ".")] = keyLine
        skipSpace()
        if peek() == UInt8(ascii: ":") { advance() }
        value(path: path + [key], lines: &lines)
        skipSpace()
        if peek() == UInt8(ascii: ",") { advance() }
        skipSpace()
        if place == before { return }
      }
      advance()
    }

    private mutating func quoted(_ quote: UInt8) -> String {
      advance()
      let start = place
      while let byte = peek(), byte != quote {
        advance()
        if byte == UInt8(ascii: "\\") { advance() }
      }
      let text = String(decoding: bytes[start..<min(place, bytes.count)], as: UTF8.self)
      advance()
      return text
    }

    private mutating func bare() -> String {
      let start = place
      let ends = Set(",:{}[]\"' \t\r\n/".utf8)
      while let byte = peek(), !ends.contains(byte) { advance() }
      return String(decoding: bytes[start..<place], as: UTF8.self)
    }

    private mutating func skipSpace() {
      while let byte = peek() {
        if byte == UInt8(ascii: "/"), place + 1 < bytes.count {
          if bytes[place + 1] == UInt8(ascii: "/") {
            while let next = peek(), next != UInt8(ascii: "\n") { advance() }
          } else if bytes[place + 1] == UInt8(ascii: "*") {
            advance()
            advance()
            while place + 1 < bytes.count, !(bytes[place] == UInt8(ascii: "*") && bytes[place + 1] == UInt8(ascii: "/"))
            {
              advance()
            }
            advance()
            advance()
          } else {
            return
          }
        } else if byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
          advance()
        } else {
          return
        }
      }
    }

    private func peek() -> UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func advance() {
      guard place < bytes.count else { return }
      if bytes[place] == 0x0A { line += 1 }
      place += 1
    }
  }
}
