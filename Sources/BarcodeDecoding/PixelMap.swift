#if canImport(Glibc)
  private import Glibc
#endif

/// An affine map from one picture's pixels to another's: x' = a x + b y + c, y' = d x + e y + f.
struct PixelMap: Sendable, Equatable {
  /// a, b, c, d, e, f.
  var values: [Double]

  static let identity = PixelMap(values: [1, 0, 0, 0, 1, 0])
  static func scaling(_ x: Double, _ y: Double) -> PixelMap { PixelMap(values: [x, 0, 0, 0, y, 0]) }
  static func shifting(_ x: Double, _ y: Double) -> PixelMap { PixelMap(values: [1, 0, x, 0, 1, y]) }

  /// From a picture of that size to the one in which it lies turned by `degrees` clockwise around `centre`.
  static func turning(degrees: Double, centre: (x: Double, y: Double), ofWidth width: Double, height: Double)
    -> PixelMap
  {
    let c = cos(degrees * .pi / 180), s = sin(degrees * .pi / 180)
    return PixelMap(values: [
      c, -s, centre.x - c * width / 2 + s * height / 2,
      s, c, centre.y - s * width / 2 - c * height / 2,
    ])
  }

  func callAsFunction(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
    (values[0] * x + values[1] * y + values[2], values[3] * x + values[4] * y + values[5])
  }

  /// This map and then the next.
  func followed(by next: PixelMap) -> PixelMap {
    let (m, n) = (values, next.values)
    return PixelMap(values: [
      n[0] * m[0] + n[1] * m[3], n[0] * m[1] + n[1] * m[4], n[0] * m[2] + n[1] * m[5] + n[2],
      n[3] * m[0] + n[4] * m[3], n[3] * m[1] + n[4] * m[4], n[3] * m[2] + n[4] * m[5] + n[5],
    ])
  }
}
