import CardModel
import Testing

@testable import FieldLocating

/// Anything can be handed to the locator as a front: it must find little, and never trap.
struct HostileImageTests {
  private struct Noise: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return state ^ (state >> 29)
    }
  }

  @Test(arguments: [(1, 1), (64, 40), (400, 900)])
  func noiseStripesAndEvenSurfacesAreSurvived(_ width: Int, _ height: Int) {
    var noise = Noise(state: UInt64(width * height))
    let count = width * height
    let random = (0..<count).map { _ in UInt8.random(in: 0...255, using: &noise) }
    let stripes = (0..<count).map { UInt8(($0 / width) % 23 < 9 ? 20 : 230) }
    let columns = (0..<count).map { UInt8(($0 % width) % 17 < 3 ? 0 : 255) }
    for samples in [random, stripes, columns, Array(repeating: 0, count: count), Array(repeating: 255, count: count)] {
      let front = FieldLocator(Raster(width: width, height: height, channels: 1, samples: samples)).locate()
      #expect((0...1).contains(front.fit))
      for line in front.lines {
        #expect(line.box.x >= 0 && line.box.x + line.box.width <= 1.0001)
        #expect(line.box.y >= 0 && line.box.y + line.box.height <= 1.0001)
      }
    }
  }

  @Test func textAtTheVeryBottomIsNoReasonToTrap() {
    var samples = [UInt8](repeating: 240, count: 1012 * 638)
    for y in 150..<638 where (y / 20) % 2 == 0 {
      for x in 280..<640 where (x / 3) % 2 == 0 { samples[y * 1012 + x] = 30 }
    }
    _ = FieldLocator(Raster(width: 1012, height: 638, channels: 1, samples: samples)).locate()
  }
}
