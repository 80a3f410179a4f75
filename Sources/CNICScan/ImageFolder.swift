package import CardModel
package import ScanPipeline
internal import CGLib
internal import Glibc

/// The folder that keeps the captured images, named so that the same input always gets the same name:
/// `front_<uuid>.png` and `back_<uuid>.png`, uuid version 5 of the pair, the side and the frame's content.
package struct ImageFolder: ImageStoring {
  let imaging: any CardImaging
  let directory: String

  /// - Parameter directory: absolute; it exists and is the caller's alone (mode 0700).
  package init(imaging: any CardImaging, directory: String) {
    self.imaging = imaging
    self.directory = directory
  }

  package func save(
    _ card: CardPicture, as side: CardSide, pair id: String, source: FrameSource, widthPixels: Int
  ) throws(ImageFailure) -> String {
    let content = try Checksum.sha1(ofFile: source.path)
    let name = [id, side.rawValue, content, String(source.page), String(source.card), String(widthPixels)].joined(
      separator: "\u{0}")
    let path = directory + "/" + side.rawValue + "_" + UUIDv5.make(namespace: Self.namespace, name: name) + ".png"
    try imaging.savePNG(card, widthPixels: widthPixels, to: path)
    return path
  }

  /// This program's own namespace for the names of images (drawn once at random).
  static let namespace: [UInt8] = [
    0x5b, 0x1d, 0x0c, 0x52, 0x8e, 0x0f, 0x4a, 0x6b, 0x9d, 0x5e, 0x61, 0x2c, 0xf3, 0x77, 0x1a, 0x94,
  ]
}

/// SHA-1 through GLib.
enum Checksum {
  static func sha1(of bytes: [UInt8]) -> [UInt8] {
    let checksum = g_checksum_new(G_CHECKSUM_SHA1)
    defer { g_checksum_free(checksum) }
    g_checksum_update(checksum, bytes, bytes.count)
    var digest = [UInt8](repeating: 0, count: 20)
    var length: gsize = 20
    g_checksum_get_digest(checksum, &digest, &length)
    return digest
  }

  /// - Returns: lower-case hexadecimal.
  /// - Throws: `ImageFailure` where the file can no longer be read.
  static func sha1(ofFile path: String) throws(ImageFailure) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { throw ImageFailure(errno == EACCES ? .permissionDenied : .fileMissing) }
    defer { close(descriptor) }
    let checksum = g_checksum_new(G_CHECKSUM_SHA1)
    defer { g_checksum_free(checksum) }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count < 0 {
        if errno == EINTR { continue }
        throw ImageFailure(.fileUnreadable, diagnostic: "read: errno \(errno)")
      }
      if count == 0 { break }
      g_checksum_update(checksum, chunk, count)
    }
    return String(cString: g_checksum_get_string(checksum))
  }
}

/// RFC 9562, version 5: a name's SHA-1 in a namespace.
enum UUIDv5 {
  /// - Parameter namespace: 16 bytes.
  static func make(namespace: [UInt8], name: String) -> String {
    var bytes = Array(Checksum.sha1(of: namespace + Array(name.utf8)).prefix(16))
    bytes[6] = bytes[6] & 0x0F | 0x50
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = Array("0123456789abcdef")
    var text = ""
    for (index, byte) in bytes.enumerated() {
      if [4, 6, 8, 10].contains(index) { text.append("-") }
      text.append(digits[Int(byte >> 4)])
      text.append(digits[Int(byte & 15)])
    }
    return text
  }
}
