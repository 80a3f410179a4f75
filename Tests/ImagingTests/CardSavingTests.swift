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
