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

  @Test func anAreaIsThatOfThePolygonInEitherSense() {
    let square = points([(0.25, 0.25), (0.75, 0.25), (0.75, 0.75), (0.25, 0.75)])
    #expect(abs(FractionPoint.area(of: square) - 0.25) < 1e-9)
    #expect(abs(FractionPoint.area(of: square.reversed()) - 0.25) < 1e-9)
    #expect(FractionPoint.area(of: []) == 0)
  }
}
