import CardModel
import Testing

@testable import FieldLocating

/// A page on which nothing of a card is left but its rows of text.
@Suite struct FrontsByLayoutTests {
  /// A card's print alone, `share` of the page wide, its left top corner at `x` and `y` pixels.
  private func page(_ width: Int, _ height: Int, share: Double, x: Int, y: Int, slope: Double = 0) -> Raster {
    let card = ColumnEdgeTests.card(second: 525, numberEnd: 480)
    let scale = share * Double(width) / 1012
    let samples = (0..<height).flatMap { row in
      (0..<width).map { column in
        let fromX = Int((Double(column - x) / scale).rounded(.down))
        let down = Double(row - y) - slope * Double(column - width / 2)
        let fromY = Int((down / scale).rounded(.down))
        return (0..<1012).contains(fromX) && (0..<638).contains(fromY) ? card.samples[fromY * 1012 + fromX] : UInt8(235)
      }
    }
    return Raster(width: width, height: height, channels: 1, samples: samples)
  }

  @Test(arguments: [
    (1012, 720, 0.8, 120, 90, 0.0), (1012, 700, 0.95, 20, 40, 0.0), (900, 1200, 0.7, 200, 500, 0.0),
    (1012, 720, 0.8, 100, 80, 0.02),
  ])
  func aFrontIsFoundByTheDistancesOfItsRows(
    _ width: Int, _ height: Int, _ share: Double, _ x: Int, _ y: Int, _ slope: Double
  ) throws {
    let place = try #require(
      FrontsByLayout.places(on: page(width, height, share: share, x: x, y: y, slope: slope)).first)
    let cardWidth = share * Double(width), cardHeight = cardWidth * 638 / 1012
    for (corner, at) in zip(place, [(0.0, 0.0), (1, 0), (1, 1), (0, 1)]) {
      let wantedX = Double(x) + at.0 * cardWidth
      let wantedY = Double(y) + at.1 * cardHeight + slope * (wantedX - Double(width) / 2)
      #expect(abs(corner.x * Double(width) - wantedX) < 0.03 * cardWidth)
      #expect(abs(corner.y * Double(height) - wantedY) < 0.02 * cardWidth)
    }
  }

  @Test func emptyPagesHoldNone() {
    for value: UInt8 in [0, 128, 255] {
      let page = Raster(width: 600, height: 500, channels: 1, samples: Array(repeating: value, count: 300_000))
      #expect(FrontsByLayout.places(on: page).isEmpty)
    }
    #expect(
      FrontsByLayout.places(on: Raster(width: 3, height: 2, channels: 1, samples: Array(repeating: 9, count: 6)))
        .isEmpty)
  }
}
