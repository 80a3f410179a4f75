import CardModel
private import CSpecimens

/// An encoded image with the ending its file name is to have.
package struct SpecimenImage: Sendable, Equatable {
  package var bytes: [UInt8]
  package var fileExtension: String
}

extension Raster {
  func throughJPEG(quality: Int) throws(SpecimenFailure) -> Raster {
    let bytes = try encoded(.jpeg(quality: quality), dpi: 72).bytes
    var samples = samples
    guard cspecimens_decode_jpeg(bytes, bytes.count, Int32(width), Int32(height), &samples) == 0 else {
      throw .imageNotEncoded("JPEG")
    }
    return Raster(width: width, height: height, channels: 3, samples: samples)
  }

  /// The image as a TIFF of pages of that height, stacked in it.
  func encodedAsPages(height pageHeight: Int) throws(SpecimenFailure) -> SpecimenImage {
    var memory: UnsafeMutableRawPointer?
    var length = 0
    let status = cspecimens_encode_tiff(
      samples, Int32(width), Int32(height), Int32(channels), 300, Int32(pageHeight), &memory, &length)
    defer { cspecimens_free(memory) }
    guard status == 0, let memory else { throw .imageNotEncoded("tif") }
    return SpecimenImage(bytes: Array(UnsafeRawBufferPointer(start: memory, count: length)), fileExtension: "tif")
  }

  /// The image as a file's bytes.
  func encoded(_ format: Damage.FileFormat, dpi: Int) throws(SpecimenFailure) -> SpecimenImage {
    var memory: UnsafeMutableRawPointer?
    var length = 0
    let (width, height, channels) = (Int32(width), Int32(height), Int32(channels))
    let status: Int32
    let ending: String
    switch format {
    case .jpeg(let quality):
      status = cspecimens_encode_jpeg(samples, width, height, channels, Int32(quality), Int32(dpi), &memory, &length)
      ending = "jpg"
    case .png:
      status = cspecimens_encode_png(samples, width, height, channels, Int32(dpi), &memory, &length)
      ending = "png"
    case .tiff:
      status = cspecimens_encode_tiff(samples, width, height, channels, Int32(dpi), 0, &memory, &length)
      ending = "tif"
    }
    defer { cspecimens_free(memory) }
    guard status == 0, let memory else { throw .imageNotEncoded(ending) }
    return SpecimenImage(bytes: Array(UnsafeRawBufferPointer(start: memory, count: length)), fileExtension: ending)
  }
}
