import CardModel

#if canImport(Glibc)
  import Glibc
#endif

/// A point in pixels of some image, in pixel-edge coordinates: (0, 0) is the outer corner of the first pixel.
struct Point: Equatable {
  var x: Double
  var y: Double

  static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
  static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
  static func * (a: Point, factor: Double) -> Point { Point(x: a.x * factor, y: a.y * factor) }
  var length: Double { (x * x + y * y).squareRoot() }
  /// The z of the cross product: positive where `other` is clockwise of this vector (y points down).
  func cross(_ other: Point) -> Double { x * other.y - y * other.x }

  func dot(_ other: Point) -> Double { x * other.x + y * other.y }

  /// Where the line through `a` and `b` meets the line through `c` and `d`; `nil` where they are all but parallel.
  static func crossing(_ a: Point, _ b: Point, _ c: Point, _ d: Point) -> Point? {
    let first = b - a, second = d - c
    let denominator = first.cross(second)
    guard abs(denominator) > 1e-6 * first.length * second.length else { return nil }
    return a + first * ((c - a).cross(second) / denominator)
  }
}

/// Four corners, clockwise; the outline of a card in some image.
struct Quad: Equatable {
  var corners: [Point]

  /// - Returns: `nil` unless the four points make a convex quad; anticlockwise points are turned round.
  init?(_ points: [Point]) {
    guard points.count == 4 else { return nil }
    let signs = (0..<4).map { i -> Double in
      let side: Point = points[(i + 1) % 4] - points[i]
      return side.cross(points[(i + 2) % 4] - points[(i + 1) % 4])
    }
    if signs.allSatisfy({ $0 > 0 }) {
      corners = points
    } else if signs.allSatisfy({ $0 < 0 }) {
      corners = points.reversed()
    } else {
      return nil
    }
  }

  /// The whole of an image.
  init(width: Int, height: Int) {
    let w = Double(width), h = Double(height)
    corners = [Point(x: 0, y: 0), Point(x: w, y: 0), Point(x: w, y: h), Point(x: 0, y: h)]
  }

  private init(unchecked corners: [Point]) { self.corners = corners }

  var area: Double {
    Self.area(of: corners)
  }

  private static func area(of polygon: [Point]) -> Double {
    var sum = 0.0
    for (i, point) in polygon.enumerated() { sum += point.cross(polygon[(i + 1) % polygon.count]) }
    return sum / 2
  }

  func sideLength(_ i: Int) -> Double { (corners[(i + 1) % 4] - corners[i]).length }

  /// The mean of the long sides over the mean of the short ones.
  var aspect: Double {
    let a = sideLength(0) + sideLength(2), b = sideLength(1) + sideLength(3)
    return max(a, b) / max(1e-9, min(a, b))
  }

  /// 1 for a rectangle, and for what a mild tilt makes of one; falling where corners are far from right angles or opposite
  /// sides differ much.
  var squareness: Double {
    var worst = 0.0
    for i in 0..<4 {
      let before = corners[i] - corners[(i + 3) % 4], after = corners[(i + 1) % 4] - corners[i]
      worst = max(worst, abs(before.dot(after)) / max(1e-9, before.length * after.length))
    }
    let unequal = max(abs(log(sideLength(0) / sideLength(2))), abs(log(sideLength(1) / sideLength(3))))
    let angleExcess = max(0, worst - 0.17) / 0.12, sideExcess = max(0, unequal - 0.12) / 0.15
    return exp(-(angleExcess * angleExcess + sideExcess * sideExcess) / 2)
  }

  /// The length of the longer pair of sides.
  var longSide: Double { max(sideLength(0) + sideLength(2), sideLength(1) + sideLength(3)) / 2 }

  /// Landscape: the first side is a long one, and the one nearest to pointing right.
  var landscape: Quad {
    let long = sideLength(0) + sideLength(2) >= sideLength(1) + sideLength(3) ? 0 : 1
    let rightward = corners[(long + 1) % 4].x - corners[long].x
    let start = rightward >= 0 ? long : long + 2
    return Quad(unchecked: (0..<4).map { corners[(start + $0) % 4] })
  }

  func scaled(by factor: Double) -> Quad { Quad(unchecked: corners.map { $0 * factor }) }

  /// The quad taken about its centre to `factor` times its size.
  func grown(by factor: Double) -> Quad {
    let centre = corners.reduce(Point(x: 0, y: 0), +) * 0.25
    return Quad(unchecked: corners.map { centre + ($0 - centre) * factor })
  }

  /// The area that this quad shares with a convex polygon (clockwise).
  func overlap(with polygon: [Point]) -> Double {
    var shape = polygon
    for i in 0..<4 {
      let a = corners[i], edge = corners[(i + 1) % 4] - a
      var kept: [Point] = []
      for (j, point) in shape.enumerated() {
        let next = shape[(j + 1) % shape.count]
        let here = edge.cross(point - a), there = edge.cross(next - a)
        if here >= 0 { kept.append(point) }
        guard (here >= 0) != (there >= 0), let crossing = Point.crossing(a, a + edge, point, next) else { continue }
        kept.append(crossing)
      }
      shape = kept
      if shape.count < 3 { return 0 }
    }
    return Self.area(of: shape)
  }

  /// The largest distance between corners of the same place, over the four ways of numbering them.
  func distance(to other: Quad) -> Double {
    (0..<4).map { turn in
      (0..<4).map { (corners[$0] - other.corners[($0 + turn) % 4]).length }.max() ?? 0
    }.min() ?? 0
  }

  /// The four sides of a convex polygon that enclose it best: sides are taken away one by one, each time the one whose
  /// removal (its neighbours run on until they meet) adds least area. Rounded and cut corners vanish so.
  init?(enclosing polygon: [Point]) {
    var shape = polygon
    while shape.count > 4 {
      var best: (added: Double, index: Int, corner: Point)?
      for i in shape.indices {
        let n = shape.count
        let before = shape[(i + n - 1) % n], a = shape[i], b = shape[(i + 1) % n], after = shape[(i + 2) % n]
        // The neighbours must meet beyond the side, in the direction in which they run.
        guard let corner = Point.crossing(before, a, b, after), (corner - a).dot(a - before) > 0 else { continue }
        let added = abs((corner - a).cross(b - a)) / 2
        if added < best?.added ?? .infinity { best = (added, i, corner) }
      }
      guard let best else { return nil }
      let next = (best.index + 1) % shape.count
      shape[best.index] = best.corner
      shape.remove(at: next)
    }
    self.init(shape)
  }

  /// ID-1: 85.60 x 53.98 mm.
  static let cardAspect = 85.60 / 53.98
}
