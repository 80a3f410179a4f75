private import CProcess

/// A SHA-256 digest.
package struct Digest: Hashable, Sendable {
  /// Exactly 32.
  package let bytes: [UInt8]

  init(bytes: [UInt8]) {
    precondition(bytes.count == 32, "SHA-256 has 32 bytes")
    self.bytes = bytes
  }

  /// The digest of some bytes.
  package static func of(_ bytes: [UInt8]) -> Digest {
    var hasher = DigestBuilder()
    hasher.add(bytes)
    return hasher.finish()
  }

  /// Lower-case hexadecimal, 64 characters.
  package var hexadecimal: String {
    let digits = Array("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The first eight bytes as a number, most significant first.
  package var prefix64: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

/// Computes a digest over parts. Texts and numbers are added with their length, so that parts cannot be shifted into each other.
struct DigestBuilder {
  private var context = cprocess_sha256()

  init() { cprocess_sha256_init(&context) }

  mutating func add(_ bytes: [UInt8]) { bytes.withUnsafeBytes { add($0) } }
  mutating func add(_ buffer: UnsafeRawBufferPointer) {
    if let base = buffer.baseAddress { cprocess_sha256_update(&context, base, buffer.count) }
  }
  mutating func add(number: Int64) {
    withUnsafeBytes(of: number.littleEndian) { add($0) }
  }
  mutating func add(text: String) {
    var text = text
    text.withUTF8 { utf8 in
      add(number: Int64(utf8.count))
      add(UnsafeRawBufferPointer(utf8))
    }
  }

  mutating func finish() -> Digest {
    var digest = [UInt8](repeating: 0, count: 32)
    cprocess_sha256_final(&context, &digest)
    return Digest(bytes: digest)
  }
}
