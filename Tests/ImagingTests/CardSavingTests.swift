import CardModel
import Foundation
import Glibc
import Imaging
import ScanPipeline
import TestSupport
import Testing

struct CardSavingTests {
  private let imager = CardImager()
  private let card = Raster(
    width: 1518, height: 957, channels: 3, samples: (0..<(1518 * 957 * 3)).map { UInt8(truncatingIfNeeded: $0 / 977) })

  @Test(arguments: [(1012, 638), (64, 40), (2000, 1261)])
  func aSavedCardIsAPNGOfThatWidthThatOnlyItsOwnerReads(_ width: Int, _ height: Int) throws {
    let folder = try FreshDirectory()
    let path = folder.path("front.png")
    try imager.savePNG(card, widthPixels: width, to: path)
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
    #expect(bytes.prefix(4) == [0x89, 0x50, 0x4E, 0x47])
    func number(_ at: Int) -> Int { bytes[at..<(at + 4)].reduce(0) { $0 << 8 | Int($1) } }
    #expect(number(16) == width)
    #expect(number(20) == height)
    var status = stat()
    #expect(stat(path, &status) == 0)
    #expect(status.st_mode & 0o777 == 0o600)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["front.png"])
  }

  /// libpng, behind libvips, reads what libdeflate compressed.
  @Test(arguments: [1, 3], [(64, 40), (1, 1), (333, 210)])
  func whatIsSavedIsReadAgainPixelByPixel(_ channels: Int, _ size: (Int, Int)) throws {
    let folder = try FreshDirectory()
    let path = folder.path("card.png")
    var state: UInt32 = 7
    let samples = (0..<(size.0 * size.1 * channels)).map { _ -> UInt8 in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
    let image = Raster(width: size.0, height: size.1, channels: channels, samples: samples)
    try imager.savePNG(image, widthPixels: size.0, to: path)
    let read = try imager.loadPage(0, of: path, limits: ImageLimits(), longSidePixels: nil)
    #expect(read.width == image.width && read.height == image.height)
    let expected = channels == 3 ? samples : samples.flatMap { [$0, $0, $0] }
    #expect(read.samples == expected)
  }

  @Test(arguments: [(2000...3000, 900), (500...800, 500), (100...200, 200), (250...350, 300)])
  func aPageIsLoadedAtTheSizeAskedForThreefoldAtMost(_ wanted: ClosedRange<Int>, _ long: Int) throws {
    let folder = try FreshDirectory()
    let path = folder.path("card.png")
    try imager.savePNG(card, widthPixels: 300, to: path)
    let page = try imager.loadPage(0, of: path, limits: ImageLimits(), longSidePixels: wanted)
    #expect(page.width == long)
    #expect(abs(Double(page.height) / Double(page.width) - 189 / 300) < 0.01)
  }

  @Test func whatCannotBeWrittenIsSaidAndLeavesNothing() throws {
    let folder = try FreshDirectory()
    #expect(throws: ImageFailure.self) { try imager.savePNG(card, widthPixels: 200, to: folder.path("no/front.png")) }
    do throws(ImageFailure) {
      try imager.savePNG(card, widthPixels: 200, to: folder.path("no/front.png"))
    } catch {
      #expect(error.reason == .outputNotWritten)
    }
    // A folder in the target's place: the rename fails after the bytes were written.
    try FileManager.default.createDirectory(atPath: folder.path("taken.png"), withIntermediateDirectories: false)
    #expect(throws: ImageFailure.self) { try imager.savePNG(card, widthPixels: 200, to: folder.path("taken.png")) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["taken.png"])
  }

  @Test func aJPEGIsMadeInMemory() throws {
    let bytes = try imager.encodeJPEG(card, widthPixels: 506)
    #expect(bytes.prefix(3) == [0xFF, 0xD8, 0xFF])
  }
}
