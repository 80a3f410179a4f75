private import CVips
import CardModel
import ScanPipeline

/// A decoded page, and how much smaller than the file's own pixels it is.
struct LoadedPage {
  let image: Raster
  /// File pixels per pixel of `image`: 1, 2, 4 or 8.
  let shrink: Int
}

/// Decodes pages of an image file through libvips: limits before pixels, then upright sRGB of 8 bits.
struct PageLoader {
  let file: ImageFile
  let pages: Int

  /// Reads the file and its header.
  /// - Throws: what `ImageFile` throws; `imageDamaged`, `tooManyPages`, `tooManyPixels`.
  init(path: String, limits: ImageLimits) throws(ImageFailure) {
    guard Self.isStarted else { throw ImageFailure(.internalError, diagnostic: "libvips did not start") }
    if limits.allowPDF { cvips_allow_pdf() }
    file = try ImageFile(path: path, limits: limits)
    let header = try Self.header(of: file, page: 0, limits: limits)
    guard header.pages <= limits.pages else {
      throw ImageFailure(.tooManyPages, diagnostic: "\(header.pages) pages")
    }
    pages = Int(header.pages)
  }

  /// - Parameter longSidePixels: a JPEG is decoded at a half, quarter or eighth so that its long side keeps at least that.
  /// - Throws: `imageDamaged`, `tooManyPixels` (pages of a TIFF differ in size).
  func load(page: Int, longSidePixels: Int, limits: ImageLimits) throws(ImageFailure) -> LoadedPage {
    let header = try Self.header(of: file, page: page, limits: limits)
    var shrink = 1
    if file.format == .jpeg {
      // libvips ends the process where a side shrinks to nothing.
      let (long, short) = (Int(max(header.width, header.height)), Int(min(header.width, header.height)))
      while shrink < 8, long / (shrink * 2) >= longSidePixels, short >= 8 * shrink { shrink *= 2 }
    }
    do throws(ImageFailure) {
      return LoadedPage(image: try decode(page: page, shrink: shrink, strict: true), shrink: shrink)
    } catch {
      // Many a scanner and messenger loses the last bytes of a JPEG; what matters is how much of the picture is gone.
      guard file.format == .jpeg else { throw error }
      let image = try decode(page: page, shrink: shrink, strict: false)
      guard image.missingRows <= image.height / 50 else { throw error }
      return LoadedPage(image: image, shrink: shrink)
    }
  }

  private func decode(page: Int, shrink: Int, strict: Bool) throws(ImageFailure) -> Raster {
    var pixels: UnsafeMutablePointer<UInt8>?
    var width: Int32 = 0, height: Int32 = 0
    var words = [CChar](repeating: 0, count: 256)
    let status = file.bytes.withUnsafeBytes { bytes in
      cvips_decode(
        bytes.baseAddress, bytes.count, file.format.code, Int32(page), Int32(shrink), strict ? 1 : 0, &pixels, &width,
        &height, &words, words.count)
    }
    guard status == 0, let pixels else { throw ImageFailure(.imageDamaged, diagnostic: Self.text(words)) }
    defer { cvips_free(pixels) }
    let count = Int(width) * Int(height) * 3
    return Raster(
      width: Int(width), height: Int(height), channels: 3,
      samples: Array(UnsafeBufferPointer(start: pixels, count: count)))
  }

  private static func header(of file: ImageFile, page: Int, limits: ImageLimits) throws(ImageFailure) -> cvips_header {
    var header = cvips_header()
    var words = [CChar](repeating: 0, count: 256)
    let status = file.bytes.withUnsafeBytes { bytes in
      cvips_read_header(
        bytes.baseAddress, bytes.count, file.format.code, Int32(page), &header, &words, words.count)
    }
    guard status == 0, header.width > 0, header.height > 0 else {
      throw ImageFailure(.imageDamaged, diagnostic: text(words))
    }
    let pixels = Int(header.width).multipliedReportingOverflow(by: Int(header.height))
    guard !pixels.overflow, pixels.partialValue <= limits.pixels else {
      throw ImageFailure(.tooManyPixels, diagnostic: "\(header.width) x \(header.height)")
    }
    return header
  }

  private static func text(_ words: [CChar]) -> String {
    String(decoding: words.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// libvips starts once a process; a static's initialiser runs once, whatever the threads.
  private static let isStarted = cvips_start_untrusted() == 0
}

extension ImageFormat {
  fileprivate var code: Int32 {
    switch self {
    case .jpeg: Int32(CVIPS_JPEG.rawValue)
    case .png: Int32(CVIPS_PNG.rawValue)
    case .tiff: Int32(CVIPS_TIFF.rawValue)
    case .webp: Int32(CVIPS_WEBP.rawValue)
    case .gif: Int32(CVIPS_GIF.rawValue)
    case .heif: Int32(CVIPS_HEIF.rawValue)
    case .pdf: Int32(CVIPS_PDF.rawValue)
    }
  }
}

extension Raster {
  /// How many rows at the bottom, or columns at the side for a turned picture, hold one grey throughout: what libjpeg
  /// fills in where a file ends too soon.
  var missingRows: Int {
    let rows = (0..<height).reversed().prefix { y in (0..<width).allSatisfy { isFill(x: $0, y: y) } }.count
    let left = (0..<width).prefix { x in (0..<height).allSatisfy { isFill(x: x, y: $0) } }.count
    let right = (0..<width).reversed().prefix { x in (0..<height).allSatisfy { isFill(x: x, y: $0) } }.count
    let top = (0..<height).prefix { y in (0..<width).allSatisfy { isFill(x: $0, y: y) } }.count
    return max(max(rows, top), max(left, right) * height / width)
  }

  private func isFill(x: Int, y: Int) -> Bool {
    let i = (y * width + x) * channels
    return (0..<channels).allSatisfy { (126...130).contains(samples[i + $0]) }
  }
}
