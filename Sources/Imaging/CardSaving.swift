private import CVips
import CardModel
import Glibc
package import ScanPipeline

extension CardImager {
  package func savePNG(_ card: CardPicture, widthPixels: Int, to path: String) throws(ImageFailure) {
    if png == nil { png = PNGEncoder() }
    guard let file = png?.encode(try sized(card, widthPixels: widthPixels)) else {
      throw ImageFailure(.outputNotWritten, diagnostic: "no memory to encode")
    }
    try Self.publish(file, to: path)
  }

  package func encodeJPEG(_ card: CardPicture, widthPixels: Int) throws(ImageFailure) -> [UInt8] {
    let image = try sized(card, widthPixels: widthPixels)
    var encoded: UnsafeMutableRawPointer?
    var length = 0
    let status = image.samples.withUnsafeBufferPointer {
      cvips_encode_jpeg(
        $0.baseAddress, Int32(image.width), Int32(image.height), Int32(image.channels), 90, &encoded, &length)
    }
    guard status == 0, let encoded else { throw ImageFailure(.outputNotWritten, diagnostic: "encoding failed") }
    defer { cvips_free(encoded) }
    return Array(UnsafeRawBufferPointer(start: encoded, count: length))
  }

  /// The rule of the saved images: an ID-1 card at 300 dpi is 1012 x 638.
  private func sized(_ card: CardPicture, widthPixels: Int) throws(ImageFailure) -> Raster {
    let heightPixels = max(1, Int((Double(widthPixels) * 638 / 1012).rounded()))
    guard widthPixels > 0, let image = Self.rendered(card, widthPixels, heightPixels) else {
      throw ImageFailure(.outputNotWritten, diagnostic: "resizing failed")
    }
    return image
  }

  private static func rendered(_ card: CardPicture, _ width: Int, _ height: Int) -> Raster? {
    let pixels = card.pixels
    guard !card.isWhole else {
      return pixels.width == width && pixels.height == height ? pixels : scaled(pixels, width, height)
    }
    guard let quad = Quad(card.corners, on: pixels) else { return nil }
    // What is to be larger than the file's own pixels, and the size for reading, is enlarged from there: its surroundings need not be.
    let most = max(FoundCard.widthPixels, Int(quad.longSide))
    guard width > most else { return quad.unwarped(from: pixels, width: width, height: height) }
    return quad.unwarped(from: pixels, width: most, height: max(1, height * most / width))
      .flatMap { scaled($0, width, height) }
  }

  private static func scaled(_ image: Raster, _ width: Int, _ height: Int) -> Raster? {
    image.resized(
      width: width, height: height, width < image.width ? .reducing(by: image.width, to: width) : .cubic)
  }

  /// Writes the bytes under a temporary name in the same folder, makes them durable, then renames: a reader sees the
  /// whole file or none.
  private static func publish(_ bytes: [UInt8], to path: String) throws(ImageFailure) {
    var template = (path + ".XXXXXX").utf8CString.map { $0 }
    // mkstemp makes the file with mode 0600 and never follows a link.
    let descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw notWritten() }
    do throws(ImageFailure) {
      try write(bytes, to: descriptor)
      guard fsync(descriptor) == 0 else { throw notWritten() }
      guard close(descriptor) == 0 else { throw notWritten() }
      guard rename(template, path) == 0 else { throw notWritten() }
    } catch {
      close(descriptor)
      unlink(template)
      throw error
    }
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) throws(ImageFailure) {
    var done = 0
    while done < bytes.count {
      let written = bytes[done...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if written > 0 {
        done += written
      } else if errno != EINTR {
        throw notWritten()
      }
    }
  }

  private static func notWritten() -> ImageFailure {
    ImageFailure(.outputNotWritten, diagnostic: String(cString: strerror(errno)))
  }
}
