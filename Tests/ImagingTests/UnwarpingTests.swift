import COpenCV
import CardModel
import Testing

@testable import Imaging

/// The linear unwarping, held against positions that are known: each sample says where it stood.
@Suite struct UnwarpingTests {
  /// Red grows by one a pixel to the right, green by one a pixel down.
  private let ramp = Raster(
    width: 200, height: 120, channels: 3,
    samples: (0..<120).flatMap { y in (0..<200).flatMap { x in [UInt8(x), UInt8(y), 7] } })

  /// Half a level of rounding, an eighth from the step between, and 1/64 of a pixel of place make 0.65.
  private func largestError(_ quad: Quad, width: Int, height: Int) throws -> Double {
    let image = try #require(ramp.unwarped(quad, width: width, height: height, .linear))
    var largest = 0.0
    for y in 0..<height {
      for x in 0..<width {
        let u = (Double(x) + 0.5) / Double(width), v = (Double(y) + 0.5) / Double(height)
        let top = quad.corners[0] + (quad.corners[1] - quad.corners[0]) * u
        let bottom = quad.corners[3] + (quad.corners[2] - quad.corners[3]) * u
        let place = top + (bottom - top) * v
        let red = min(199, max(0, place.x - 0.5)), green = min(119, max(0, place.y - 0.5))
        let sample = image.samples[(y * width + x) * 3..<(y * width + x) * 3 + 3]
        largest = max(
          largest, abs(Double(sample[sample.startIndex]) - red), abs(Double(sample[sample.startIndex + 1]) - green))
        if sample.last != 7 { return 255 }
      }
    }
    return largest
  }

  @Test(arguments: [
    // Parallelograms, whose projection is affine, so that the expected places are exact; the last reaches over the border.
    [(20.0, 10.0), (180.0, 10.0), (180.0, 110.0), (20.0, 110.0)],
    [(40.0, 8.0), (190.0, 30.0), (170.0, 110.0), (20.0, 88.0)],
    [(180.0, 110.0), (20.0, 110.0), (20.0, 10.0), (180.0, 10.0)],
    [(-15.0, -9.0), (150.0, -9.0), (150.0, 130.0), (-15.0, 130.0)],
  ])
  func eachPixelComesFromItsPlace(_ corners: [(Double, Double)]) throws {
    let quad = try #require(Quad(corners.map { Point(x: $0.0, y: $0.1) }))
    let first = try largestError(quad, width: 160, height: 100)
    #expect(first < 0.7)
    let second = try largestError(quad, width: 331, height: 77)
    #expect(second < 0.7)
  }

  @Test func aTiltedQuadsCornersAndCentreLieWhereTheyShould() throws {
    let corners = [Point(x: 30, y: 20), Point(x: 170, y: 35), Point(x: 160, y: 100), Point(x: 20, y: 110)]
    let quad = try #require(Quad(corners))
    let image = try #require(ramp.unwarped(quad, width: 101, height: 61, .linear))
    func sample(_ x: Int, _ y: Int) -> (Double, Double) {
      (Double(image.samples[(y * 101 + x) * 3]), Double(image.samples[(y * 101 + x) * 3 + 1]))
    }
    for (corner, place) in zip(corners, [(0, 0), (100, 0), (100, 60), (0, 60)]) {
      let (red, green) = sample(place.0, place.1)
      #expect(abs(red - corner.x) < 2 && abs(green - corner.y) < 2)
    }
    // A projection takes the crossing of the diagonals to the crossing of the diagonals.
    let centre = try #require(Point.crossing(corners[0], corners[2], corners[1], corners[3]))
    let (red, green) = sample(50, 30)
    #expect(abs(red - centre.x) < 1.2 && abs(green - centre.y) < 1.2)
  }

  /// Quads inside the image, around it, turned, tilted and folded to nearly nothing; widths that are and are not whole eights.
  @Test(arguments: [1, 3], [(64, 40), (77, 31), (9, 5), (1012, 63)])
  func vectorInstructionsChangeNoBit(_ channels: Int, _ size: (Int, Int)) {
    var state: UInt32 = 11
    func next() -> UInt32 {
      state = state &* 1_664_525 &+ 1_013_904_223
      return state >> 8
    }
    for (width, height) in [(2, 2), (3, 2), (31, 17), (200, 120)] {
      let pixels = (0..<(width * height * channels)).map { _ in UInt8(truncatingIfNeeded: next()) }
      for _ in 0..<12 {
        let corners = (0..<4).flatMap { corner -> [Double] in
          let x = [0.0, 1, 1, 0][corner], y = [0.0, 0, 1, 1][corner]
          let shift = { Double(next() % 1000) / 1000 - 0.5 }
          return [(x + shift()) * Double(width), (y + shift()) * Double(height)]
        }
        let images = [COPENCV_LINEAR, COPENCV_LINEAR_PLAIN].map { sampling -> [UInt8] in
          var image = [UInt8](repeating: 0, count: size.0 * size.1 * channels)
          copencv_warp_quad(
            pixels, Int32(width), Int32(height), Int32(channels), corners, &image, Int32(size.0), Int32(size.1),
            Int32(sampling.rawValue))
          return image
        }
        #expect(images[0] == images[1])
      }
    }
  }

  @Test func anImageOfOnePixelHasOnlyThat() throws {
    let dot = Raster(width: 1, height: 1, channels: 1, samples: [9])
    let image = try #require(dot.unwarped(Quad(width: 1, height: 1), width: 4, height: 3, .linear))
    #expect(image.samples == [UInt8](repeating: 9, count: 12))
  }
}
