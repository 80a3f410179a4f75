import CardModel
import Foundation
import Glibc
@testable import Imaging
import ScanPipeline
import Specimens
import TestSupport
import Testing

/// What strangers send: each refusal has its code, and nothing traps.
struct SafeLoadingTests {
  private let folder: FreshDirectory
  private let imager = CardImager()

  init() throws { folder = try FreshDirectory() }

  private func file(_ name: String, _ bytes: [UInt8]) throws -> String {
    let path = folder.path(name)
    try Data(bytes).write(to: URL(fileURLWithPath: path))
    return path
  }

  private func reason(_ path: String, limits: ImageLimits = ImageLimits()) -> Reason? {
    do throws(ImageFailure) {
      for page in 0..<(try imager.pageCount(of: path, limits: limits)) {
        _ = try imager.findCards(in: path, page: page, limits: limits)
      }
      return nil
    } catch {
      return error.reason
    }
  }

  /// A JPEG of a specimen; drawn once.
  private static let jpeg = Result { try SpecimenSet(seed: 5, count: 1, level: .scan).specimen(at: 0).front.bytes }

  @Test func aMissingFileIsSaidToBeMissing() {
    #expect(reason(folder.path("nothing.jpg")) == .fileMissing)
  }

  @Test func filesOfOneNameToUnicodeAreTwo() throws {
    let composed = try file("\u{00E9}.jpg", try Self.jpeg.get())
    let decomposed = folder.path + "/e\u{0301}.jpg"
    #expect(FileManager.default.createFile(atPath: decomposed, contents: Data("not a picture".utf8)))
    #expect(try imager.pageCount(of: composed, limits: ImageLimits()) == 1)
    #expect(reason(decomposed) == .formatNotAllowed)
  }

  @Test func directoriesPipesAndDevicesAreNotRegularFiles() {
    #expect(reason(folder.path) == .notARegularFile)
    let pipe = folder.path("pipe")
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(reason(pipe) == .notARegularFile)
    #expect(reason("/dev/zero") == .notARegularFile)
  }

  @Test func emptyAndUnknownFilesAreRefused() throws {
    #expect(reason(try file("empty.jpg", [])) == .fileEmpty)
    #expect(reason(try file("text.jpg", Array("not a picture".utf8))) == .formatNotAllowed)
    let drawing = Array("<svg xmlns='http://www.w3.org/2000/svg'/>".utf8)
    #expect(reason(try file("drawing.svg", drawing)) == .formatNotAllowed)
    #expect(reason(try file("page.pdf", Array("%PDF-1.4\n".utf8))) == .formatNotAllowed)
    #expect(reason(try file("map.bmp", Array("BM".utf8) + [UInt8](repeating: 0, count: 60))) == .formatNotAllowed)
  }

  @Test func garbageBehindAFormatsFirstBytesIsDamage() throws {
    let heads: [[UInt8]] = [
      [0xFF, 0xD8, 0xFF, 0xE0], [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
      Array("II*\0".utf8), Array("MM\0*".utf8), Array("GIF89a".utf8), Array("RIFF\0\0\0\0WEBPVP8 ".utf8),
      Array("\0\0\0 ftypheic".utf8),
    ]
    for (i, head) in heads.enumerated() {
      for length in [0, 1, 40, 3000] {
        let rest = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 7919 &+ i * 31 &+ $0 >> 3) }
        #expect(reason(try file("garbage\(i)-\(length)", head + rest)) == .imageDamaged)
      }
    }
    let page = try file("page.pdf", Array("%PDF-1.4\nrubbish".utf8))
    #expect(reason(page, limits: ImageLimits(allowPDF: true)) == .imageDamaged)
  }

  @Test func limitsHoldBeforeAnyPixelIsDecoded() throws {
    let path = try file("card.jpg", try Self.jpeg.get())
    #expect(reason(path, limits: ImageLimits(fileBytes: 1000)) == .fileTooLarge)
    #expect(reason(path, limits: ImageLimits(pixels: 10_000)) == .tooManyPixels)
    #expect(reason(path, limits: ImageLimits(pages: 0)) == .tooManyPages)
    #expect(reason(path) == nil)
  }

  @Test func aJPEGWithoutItsLastBytesIsReadAndOneCutInHalfIsNot() throws {
    let bytes = try Self.jpeg.get()
    #expect(reason(try file("lastBytes.jpg", Array(bytes.dropLast(2)))) == nil)
    #expect(reason(try file("half.jpg", Array(bytes.prefix(bytes.count / 2)))) == .imageDamaged)
    #expect(reason(try file("header.jpg", Array(bytes.prefix(700)))) == .imageDamaged)
  }

  @Test func aPageThatIsNotThereIsAFailure() throws {
    let path = try file("card.jpg", try Self.jpeg.get())
    #expect(throws: ImageFailure.self) { _ = try imager.findCards(in: path, page: 1, limits: ImageLimits()) }
    #expect(throws: ImageFailure.self) { _ = try imager.findCards(in: path, page: -1, limits: ImageLimits()) }
  }

  /// libvips ends the process where a side shrinks to nothing.
  @Test func aPictureOfOneRowIsNotShrunk() throws {
    var bytes = try Self.jpeg.get()
    // The frame header (SOF0 or SOF2) holds height and width, two bytes each, from its fifth byte on.
    let header = try #require(
      bytes.indices.dropLast(8).first { bytes[$0] == 0xFF && [0xC0, 0xC2].contains(bytes[$0 + 1]) })
    bytes.replaceSubrange((header + 5)..<(header + 9), with: [0, 1, 0xFF, 0xDC])
    let found = reason(try file("row.jpg", bytes))
    #expect([nil, .imageDamaged].contains(found), "\(String(describing: found))")
  }

  /// A picture with a white, a red, a green and a blue quarter, in reading order.
  private static let quarters = Raster(
    width: 48, height: 32, channels: 3,
    samples: (0..<32).flatMap { y in
      (0..<48).flatMap { x -> [UInt8] in
        switch (x < 24, y < 16) {
        case (true, true): [255, 255, 255]
        case (false, true): [255, 0, 0]
        case (true, false): [0, 255, 0]
        case (false, false): [0, 0, 255]
        }
      }
    })

  /// The colours of a picture's four corners, in reading order: w, r, g, b.
  private func corners(_ image: Raster) -> String {
    let places = [
      (4, 4), (image.width - 5, 4), (4, image.height - 5), (image.width - 5, image.height - 5),
    ]
    return String(
      places.map { x, y -> Character in
        let i = (y * image.width + x) * 3
        return switch image.samples[i..<(i + 3)].map({ $0 > 128 }) {
        case [true, true, true]: "w"
        case [true, false, false]: "r"
        case [false, true, false]: "g"
        case [false, false, true]: "b"
        default: "?"
        }
      })
  }

  /// EXIF 2.3, tag 0x0112: what each value says of where the first row and column belong.
  @Test(arguments: zip(UInt8(0)...9, ["wrgb", "wrgb", "rwbg", "bgrw", "gbwr", "wgrb", "gwbr", "brgw", "rbwg", "wrgb"]))
  func theOrientationTagIsHonoured(_ tag: UInt8, _ expected: String) throws {
    let jpeg = try imager.encodeJPEG(CardPicture(whole: Self.quarters), widthPixels: 48)
    let exif: [UInt8] =
      Array("Exif\0\0II*\0".utf8) + [8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, tag, 0, 0, 0, 0, 0, 0, 0]
    let tagged = jpeg.prefix(2) + [0xFF, 0xE1, 0, UInt8(exif.count + 2)] + exif + jpeg.dropFirst(2)
    let loader = try PageLoader(path: try file("tagged.jpg", Array(tagged)), limits: ImageLimits())
    let image = try loader.load(page: 0, longSidePixels: 1000, limits: ImageLimits()).image
    #expect(corners(image) == expected, "tag \(tag)")
    #expect((image.width > image.height) == !(5...8).contains(tag))
  }

  @Test func aBlankPictureHoldsNoCard() throws {
    let grey = Raster(width: 700, height: 900, channels: 3, samples: [UInt8](repeating: 128, count: 700 * 900 * 3))
    let path = folder.path("blank.jpg")
    try Data(try imager.encodeJPEG(CardPicture(whole: grey), widthPixels: 700)).write(to: URL(fileURLWithPath: path))
    #expect(try imager.findCards(in: path, page: 0, limits: ImageLimits()).isEmpty)
  }
}
