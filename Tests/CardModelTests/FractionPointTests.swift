import CardModel
import Testing

struct FractionPointTests {
  private func points(_ places: [(Double, Double)]) -> [FractionPoint] {
    places.map { FractionPoint(x: $0.0, y: $0.1) }
  }

  @Test func aPointOfAParallelogramLiesWhereItsCornersSay() {
    let turned = points([(0.8, 0.1), (0.8, 0.9), (0.2, 0.7), (0.2, -0.1)])
    for (corner, expected) in zip(points([(0, 0), (1, 0), (1, 1), (0, 1)]), turned) {
      let placed = corner.placed(within: turned)
      #expect(abs(placed.x - expected.x) < 1e-9 && abs(placed.y - expected.y) < 1e-9)
    }
    let middle = FractionPoint(x: 0.5, y: 0.5).placed(within: turned)
    #expect(abs(middle.x - 0.5) < 1e-9 && abs(middle.y - 0.4) < 1e-9)
    #expect(FractionPoint(x: 0.3, y: 0.2).placed(within: []) == FractionPoint(x: 0.3, y: 0.2))
  }

  /// A camera that looks down at a slant makes the farther half of a card the smaller one, and straight lines stay straight.
  @Test func aPointUnderPerspectiveLiesWhereLinesThroughTheCornersMeet() {
    let seen = points([(0.3, 0.2), (0.7, 0.2), (0.9, 0.8), (0.1, 0.8)])
    for (corner, expected) in zip(points([(0, 0), (1, 0), (1, 1), (0, 1)]), seen) {
      let placed = corner.placed(within: seen)
      #expect(abs(placed.x - expected.x) < 1e-9 && abs(placed.y - expected.y) < 1e-9)
    }
    // The diagonals meet a third of the way down: 0.4 wide above, 0.8 below.
    let middle = FractionPoint(x: 0.5, y: 0.5).placed(within: seen)
    #expect(abs(middle.x - 0.5) < 1e-9 && abs(middle.y - 0.4) < 1e-9)
    // Beyond the upper side the sides go on toward where they meet, at y = -0.4.
    let above = FractionPoint(x: 0, y: -0.5).placed(within: seen)
    #expect(above.y < 0.2 && above.y > -0.4 && abs((above.x - 0.5) / (above.y + 0.4) + 0.2 / 0.6) < 1e-9)
  }

  @Test func anAreaIsThatOfThePolygonInEitherSense() {
    let square = points([(0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)])
    #expect(abs(FractionPoint.area(of: square) - 0.25) < 1e-9)
    #expect(abs(FractionPoint.area(of: square.reversed()) - 0.25) < 1e-9)
    #expect(FractionPoint.area(of: []) == 0)
  }
}
