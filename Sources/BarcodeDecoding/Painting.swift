import CardModel

extension GreyImage {
  /// The picture with the quadrangle of these corners (fractions of it), grown by `margin` pixels, made white; `nil` where
  /// they enclose nothing of it.
  ///
  /// The quadrangle itself, not the box around it: tilted symbols side by side lie in each other's boxes.
  func painted(over corners: [FractionPoint], margin: Int) -> GreyImage? {
    guard corners.count == 4 else { return nil }
    let given = corners.map { (x: $0.x * Double(width), y: $0.y * Double(height)) }
    let centre = (x: given.reduce(0) { $0 + $1.x } / 4, y: given.reduce(0) { $0 + $1.y } / 4)
    let grown = given.map { point in
      (
        x: point.x + (point.x < centre.x ? -1 : 1) * Double(margin),
        y: point.y + (point.y < centre.y ? -1 : point.y > centre.y ? 1 : 0) * Double(margin)
      )
    }
    let isFlat = Set(given.map { Int($0.y) }).count == 1
    let top = (grown.map(\.y).min() ?? 0) - (isFlat ? Double(margin) : 0)
    let bottom = (grown.map(\.y).max() ?? 0) + (isFlat ? Double(margin) : 0)
    let rows = max(0, Int(top))..<max(max(0, Int(top)), min(height, Int(bottom) + 1))
    var out = self
    var touched = false
    for y in rows {
      let span =
        isFlat ? (grown.map(\.x).min() ?? 0, grown.map(\.x).max() ?? 0) : Self.span(of: grown, at: Double(y) + 0.5)
      guard let (left, right) = span else { continue }
      let columns = max(0, Int(left))..<max(max(0, Int(left)), min(width, Int(right) + 1))
      for x in columns { out.samples[y * width + x] = 255 }
      touched = touched || !columns.isEmpty
    }
    return touched ? out : nil
  }

  /// Where a horizontal line crosses the polygon, from its leftmost to its rightmost crossing.
  private static func span(of polygon: [(x: Double, y: Double)], at y: Double) -> (Double, Double)? {
    var crossings: [Double] = []
    for (i, a) in polygon.enumerated() {
      let b = polygon[(i + 1) % polygon.count]
      if (a.y <= y) != (b.y <= y) { crossings.append(a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x)) }
    }
    guard let left = crossings.min(), let right = crossings.max() else { return nil }
    return (left, right)
  }
}
