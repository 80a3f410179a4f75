/// How far a card's lines fall toward the right: cards fill some images without showing an outline to be turned by, and an
/// outline's corner may be off.
///
/// A line that falls by a quarter of its height is cut with parts of its letters missing, and the gaps between them are then
/// measured too wide.
enum Levelling {
  /// Rows per column, to the right and down; 2 degrees either way.
  private static let steepest = 0.035
  private static let step = 0.0025
  /// Lines that fall by less than two pixels from end to end are cut well as they stand.
  private static let leastSlope = 0.005
  /// Columns that are moved together: within them no slope looked for amounts to a pixel.
  private static let block = 16

  /// - Parameter from: the columns to look at, in fractions of the width; by default where a card has text.
  /// - Returns: 0 for a card whose lines are level, or of which nothing can be said.
  static func slope(of map: InkMap, from: Double = LayoutTemplate.textLeft, to: Double = 0.66) -> Double {
    let width = map.strokes.width, height = map.strokes.height
    let x0 = Int(from * Double(width)), x1 = Int(to * Double(width))
    let sums = stride(from: x0, to: x1 - block, by: block).map { rowSums(map.strokes, $0..<($0 + block)) }
    guard height > 4 * 32, sums.count > 1 else { return 0 }
    let middle = Double(sums.count - 1) / 2
    func sharpness(_ slope: Double) -> Double {
      var total = 0
      let shifts = sums.indices.map { Int((slope * (Double($0) - middle) * Double(block)).rounded()) }
      for y in 32..<(height - 32) {
        var sum = 0
        for (index, shift) in shifts.enumerated() { sum &+= sums[index][y &+ shift] }
        total &+= sum &* sum
      }
      return Double(total)
    }
    let level = sharpness(0)
    var best = (sharpness: level, slope: 0.0)
    for index in 1...Int(steepest / step) {
      for slope in [Double(index) * step, -Double(index) * step] {
        let sharpness = sharpness(slope)
        if sharpness > best.sharpness { best = (sharpness, slope) }
      }
    }
    // Level lines are sharpest but for chance.
    return abs(best.slope) >= leastSlope && best.sharpness > level * 1.02 ? best.slope : 0
  }

  private static func rowSums(_ plane: Plane, _ columns: Range<Int>) -> [Int] {
    plane.values.withUnsafeBufferPointer { values in
      (0..<plane.height).map { y in
        var sum = 0
        for x in columns { sum &+= min(96, Int(values[y * plane.width + x])) }
        return sum
      }
    }
  }

  /// The plane with its lines made level: every column moved up or down, its middle column staying where it is.
  static func levelled(_ plane: Plane, slope: Double) -> Plane {
    let width = plane.width, height = plane.height
    var out = plane.values
    let offsets = (0..<width).map { Int((slope * (Double($0) - Double(width) / 2) * 256).rounded()) }
    plane.values.withUnsafeBufferPointer { source in
      out.withUnsafeMutableBufferPointer { out in
        for y in 0..<height {
          for x in 0..<width {
            let at = min(max(0, y * 256 + offsets[x]), (height - 1) * 256)
            let above = at / 256, part = at % 256
            let below = min(height - 1, above + 1)
            let value = Int(source[above * width + x]) * (256 - part) + Int(source[below * width + x]) * part
            out[y * width + x] = UInt8((value + 128) / 256)
          }
        }
      }
    }
    return Plane(width: width, height: height, values: out)
  }
}
