import CardModel
import Foundation
import ScanPipeline
import Specimens
import TestSupport
import Testing

@testable import Imaging

/// Finding on drawn specimens of every level, against their true corners.
struct CardFindingTests {
  private let imager = CardImager()

  private struct Tally {
    var images = 0, found = 0, faces = 0
    var error = 0.0
  }

  /// The mean distance of found and true corners, in pixels of a card 1012 wide, and the turn between them.
  private func error(_ card: FoundCard, _ truth: SpecimenTruth.SideTruth) -> (pixels: Double, turn: Int) {
    let width = Double(truth.widthPixels), height = Double(truth.heightPixels)
    let scale = 1012 / hypot(truth.corners[1][0] - truth.corners[0][0], truth.corners[1][1] - truth.corners[0][1])
    let errors = (0..<4).map { turn in
      (0..<4).map { i in
        let corner = card.corners[(i + turn) % 4]
        return hypot(corner.x * width - truth.corners[i][0], corner.y * height - truth.corners[i][1])
      }.reduce(0, +) / 4 * scale
    }
    let turn = errors.indices.min { errors[$0] < errors[$1] } ?? 0
    return (errors[turn], turn)
  }

  private func measure(_ level: SpecimenLevel, seed: UInt64, count: Int) throws -> Tally {
    let folder = try FreshDirectory()
    let set = try SpecimenSet(seed: seed, count: count, level: level)
    var tally = Tally()
    for index in 0..<count {
      let specimen = try set.specimen(at: index)
      for (side, image, truth) in [
        (CardSide.front, specimen.front, specimen.truth.front), (.back, specimen.back, specimen.truth.back),
      ] {
        let path = folder.path("\(index)\(side.rawValue).\(image.fileExtension)")
        try Data(image.bytes).write(to: URL(fileURLWithPath: path))
        tally.images += 1
        guard let card = try imager.findCards(in: path, page: 0, limits: ImageLimits()).first else { continue }
        let (pixels, turn) = error(card, truth)
        guard pixels < 20 else { continue }
        tally.found += 1
        tally.error += pixels
        guard let best = card.appearance.first else { continue }
        let isRightFace = best.face.side == side && best.face.documentType.rawValue == specimen.truth.documentType
        if isRightFace, best.upsideDown == (turn == 2) { tally.faces += 1 }
      }
    }
    return tally
  }

  @Test(arguments: [(SpecimenLevel.clean, 1.0), (.scan, 1.0), (.photo, 0.9), (.hard, 0.8)])
  func cardsAreFoundWhereTheyAre(_ level: SpecimenLevel, _ share: Double) throws {
    let tally = try measure(level, seed: 9090, count: 5)
    #expect(Double(tally.found) >= share * Double(tally.images), "\(tally)")
    #expect(tally.error / Double(max(1, tally.found)) < 4, "\(tally)")
    #expect(Double(tally.faces) >= 0.9 * Double(tally.found), "\(tally)")
  }

  @Test func aCardIsUnwarpedToItsFullSizeWithItsMeasures() throws {
    let folder = try FreshDirectory()
    let specimen = try SpecimenSet(seed: 9090, count: 5, level: .scan).specimen(at: 0)
    let path = folder.path("card." + specimen.front.fileExtension)
    try Data(specimen.front.bytes).write(to: URL(fileURLWithPath: path))
    #expect(try imager.pageCount(of: path, limits: ImageLimits()) == 1)
    let card = try #require(try imager.findCards(in: path, page: 0, limits: ImageLimits()).first)
    // A front of 300 dpi is given no more pixels than it has.
    #expect(card.image.width == 1012)
    #expect(card.image.height == 638)
    #expect(abs(Double(card.quality.cardWidthPixels) / specimen.truth.front.damage.cardWidthPixels - 1) < 0.02)
    #expect(card.quality.cutOff < 0.02)
    #expect(card.quality.focus > 0.2)
  }

  /// A copy that kept the print alone, cropped to other proportions than a card's.
  @Test(arguments: [0.96, 1.04])
  func aWhiteCopyWithoutSidesIsTheCard(_ stretch: Double) throws {
    let folder = try FreshDirectory()
    let set = try SpecimenSet(seed: 71, count: 40, level: .clean)
    let index = try #require(try (0..<40).first { try set.specimen(at: $0).truth.documentType == "old" })
    let face = try set.face(at: index, .front).grey()
    let width = Int(Double(face.height) * Quad.cardAspect * stretch)
    let print = face.samples.map { $0 > 120 ? 255 : $0 }
    let samples = (0..<face.height).flatMap { y in
      (0..<width).map { x in x < face.width ? print[y * face.width + x] : 255 }
    }
    let copy = Raster(width: width, height: face.height, channels: 1, samples: samples)
    let path = folder.path("copy.png")
    let encoder = try #require(PNGEncoder())
    try Data(#require(encoder.encode(copy))).write(to: URL(fileURLWithPath: path))
    let card = try #require(try imager.findCards(in: path, page: 0, limits: ImageLimits()).first)
    #expect(card.corners.allSatisfy { min($0.x, 1 - $0.x) < 0.05 && min($0.y, 1 - $0.y) < 0.05 }, "\(card.corners)")
    #expect(card.appearance.first?.face == .oldFront)
  }

  @Test func focusFallsWithBlurUntilNothingCanBeRead() throws {
    let folder = try FreshDirectory()
    let face = try SpecimenSet(seed: 12, count: 1, level: .clean).face(at: 0, .front)
    let sharp = try focus(of: face, in: folder)
    let soft = try focus(of: blurred(face, times: 2), in: folder)
    let lost = try focus(of: blurred(face, times: 10), in: folder)
    #expect(sharp > soft)
    #expect(soft > lost)
    #expect(lost < 0.5 * sharp)
  }

  private func focus(of face: Raster, in folder: FreshDirectory) throws -> Double {
    let path = folder.path("\(UUID()).jpg")
    try Data(try imager.encodeJPEG(CardPicture(whole: face), widthPixels: 1012)).write(to: URL(fileURLWithPath: path))
    return try #require(try imager.findCards(in: path, page: 0, limits: ImageLimits()).first).quality.focus
  }

  /// Box means of five pixels along both directions, again and again.
  private func blurred(_ image: Raster, times: Int) -> Raster {
    let small = image.grey()
    var samples = small.samples.map { Int($0) }
    let width = small.width, height = small.height
    for _ in 0..<times {
      for step in [1, width] {
        let source = samples
        for i in (4 * width)..<(width * (height - 4)) {
          samples[i] = [-4, -2, 0, 2, 4].reduce(0) { $0 + source[i + $1 * step] } / 5
        }
      }
    }
    return Raster(width: width, height: height, channels: 1, samples: samples.map { UInt8($0) })
  }
}
