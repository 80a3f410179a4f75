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
    try imager.savePNG(CardPicture(whole: card), widthPixels: width, to: path)
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

  /// libpng, behind libvips, reads what ISA-L compressed.
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
    try imager.savePNG(CardPicture(whole: image), widthPixels: size.0, to: path)
    let read = try imager.loadPage(0, of: path, limits: ImageLimits(), longSidePixels: nil)
    #expect(read.width == image.width && read.height == image.height)
    let expected = channels == 3 ? samples : samples.flatMap { [$0, $0, $0] }
    #expect(read.samples == expected)
  }

  @Test(arguments: [(2000...3000, 900), (500...800, 500), (100...200, 200), (250...350, 300)])
  func aPageIsLoadedAtTheSizeAskedForThreefoldAtMost(_ wanted: ClosedRange<Int>, _ long: Int) throws {
    let folder = try FreshDirectory()
    let path = folder.path("card.png")
    try imager.savePNG(CardPicture(whole: card), widthPixels: 300, to: path)
    let page = try imager.loadPage(0, of: path, limits: ImageLimits(), longSidePixels: wanted)
    #expect(page.width == long)
    #expect(abs(Double(page.height) / Double(page.width) - 189 / 300) < 0.01)
  }

  /// The saved image shows the card as it was turned to be read.
  @Test(arguments: 0...3)
  func aTurnedPictureIsSavedTurned(_ quarters: Int) throws {
    let folder = try FreshDirectory()
    var page = Raster(width: 300, height: 300, channels: 3, samples: [UInt8](repeating: 9, count: 300 * 300 * 3))
    for y in 0..<300 {
      for x in 0..<300 {
        page.samples[(y * 300 + x) * 3] = UInt8(x * 255 / 299)
        page.samples[(y * 300 + x) * 3 + 1] = UInt8(y * 255 / 299)
      }
    }
    // The middle of the page: its corners hold little and much of red and green.
    let picture = CardPicture(
      pixels: page, corners: [(0.2, 0.3), (0.8, 0.3), (0.8, 0.7), (0.2, 0.7)].map { FractionPoint(x: $0.0, y: $0.1) })
    let path = folder.path("card.png")
    try imager.savePNG(picture.turned(quarters: quarters), widthPixels: 80, to: path)
    let saved = try imager.loadPage(0, of: path, limits: ImageLimits())
    #expect(saved.width == 80 && saved.height == 50)
    func isMuch(_ x: Int, _ y: Int, _ channel: Int) -> Bool { saved.samples[(y * 80 + x) * 3 + channel] > 127 }
    let corners = [(1, 1), (78, 1), (78, 48), (1, 48)].map { [isMuch($0.0, $0.1, 0), isMuch($0.0, $0.1, 1)] }
    // Clockwise: what stood at the lower left comes to the upper left.
    let upright = [[false, false], [true, false], [true, true], [false, true]]
    #expect(corners == (0..<4).map { upright[($0 + 4 - quarters) % 4] })
  }

  /// Wider than the file's own pixels, and than what is read.
  @Test func aPictureIsEnlargedToAnyWidth() throws {
    let folder = try FreshDirectory()
    let picture = CardPicture(
      pixels: card, corners: [(0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9)].map { FractionPoint(x: $0.0, y: $0.1) })
    try imager.savePNG(picture, widthPixels: 2000, to: folder.path("card.png"))
    let saved = try imager.loadPage(0, of: folder.path("card.png"), limits: ImageLimits())
    #expect(saved.width == 2000 && saved.height == 1261)
  }

  @Test func whatCannotBeWrittenIsSaidAndLeavesNothing() throws {
    let folder = try FreshDirectory()
    #expect(throws: ImageFailure.self) {
      try imager.savePNG(CardPicture(whole: card), widthPixels: 200, to: folder.path("no/front.png"))
    }
    do throws(ImageFailure) {
      try imager.savePNG(CardPicture(whole: card), widthPixels: 200, to: folder.path("no/front.png"))
    } catch {
      #expect(error.reason == .outputNotWritten)
    }
    // A folder in the target's place: the rename fails after the bytes were written.
    try FileManager.default.createDirectory(atPath: folder.path("taken.png"), withIntermediateDirectories: false)
    #expect(throws: ImageFailure.self) {
      try imager.savePNG(CardPicture(whole: card), widthPixels: 200, to: folder.path("taken.png"))
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["taken.png"])
  }

  @Test func aJPEGIsMadeInMemory() throws {
    let bytes = try imager.encodeJPEG(CardPicture(whole: card), widthPixels: 506)
    #expect(bytes.prefix(3) == [0xFF, 0xD8, 0xFF])
  }
}
