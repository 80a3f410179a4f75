private import CIsal
import CardModel
import ScanPipeline

/// Encodes rasters as PNG (ISO/IEC 15948): a header, one chunk of pixels, an end.
///
/// libpng only writes through zlib, whose fastest level took an eighth of all the time of a pair; ISA-L's takes a sixth of that for
/// files as large (Benchmarks.md). An encoder keeps its compressor and belongs to one lane.
final class PNGEncoder {
  private let compressor: OpaquePointer

  /// `nil` where no memory is left.
  init?() {
    guard let compressor = cisal_compressor_new() else { return nil }
    self.compressor = compressor
  }

  deinit { cisal_compressor_free(compressor) }

  /// - Returns: the whole file; `nil` where the compressor refused.
  func encode(_ image: Raster) -> [UInt8]? {
    let pixels = compressed(Self.filtered(image))
    guard !pixels.isEmpty else { return nil }
    var header = Self.bytes(UInt32(image.width)) + Self.bytes(UInt32(image.height))
    // 8 bits a sample; grey or RGB; deflate, the five filters, not interlaced.
    header += [8, image.channels == 1 ? 0 : 2, 0, 0, 0]
    return Self.signature + Self.chunk("IHDR", header) + Self.chunk("IDAT", pixels) + Self.chunk("IEND", [])
  }

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Each row as its difference from the one above (filter 2), which costs least and does best on scans.
  private static func filtered(_ image: Raster) -> [UInt8] {
    let row = image.width * image.channels
    return [UInt8](unsafeUninitializedCapacity: (row + 1) * image.height) { target, count in
      image.samples.withUnsafeBufferPointer { source in
        guard var from = source.baseAddress, var to = target.baseAddress else { return }
        for y in 0..<image.height {
          to[0] = y == 0 ? 0 : 2
          to += 1
          let above = from - (y == 0 ? 0 : row)
          // The first row stands as it is.
          if y == 0 { to.update(from: from, count: row) } else { for x in 0..<row { to[x] = from[x] &- above[x] } }
          from += row
          to += row
        }
      }
      count = (row + 1) * image.height
    }
  }

  private func compressed(_ bytes: [UInt8]) -> [UInt8] {
    let most = cisal_zlib_bound(bytes.count)
    return [UInt8](unsafeUninitializedCapacity: most) { target, count in
      count = cisal_zlib(compressor, bytes, bytes.count, target.baseAddress, most)
    }
  }

  private static func chunk(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + content
    return bytes(UInt32(content.count)) + body + bytes(cisal_crc32(0, body, body.count))
  }

  private static func bytes(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
  }
}
