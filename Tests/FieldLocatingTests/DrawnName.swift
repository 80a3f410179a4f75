import CardModel
import Testing

@testable import FieldLocating

/// A card of strokes for text, with a name of 150 pixels, and what was cut as its name.
enum DrawnName {
  static let baseline = Int(0.26 * 638) + 10

  /// - Parameter mark: the luma of what is drawn over the card at a place; `nil` for nothing.
  static func line(paper: UInt8 = 235, _ mark: (_ x: Int, _ y: Int) -> UInt8?) throws -> LocatedLine {
    var samples = [UInt8](repeating: paper, count: 1012 * 638)
    func text(_ x0: Int, _ x1: Int, centre: Double, capital: Int) {
      let top = Int(centre * 638) - capital / 2
      for x in x0..<x1 where (x - x0) % 7 < 3 {
        for y in top..<(top + capital) { samples[y * 1012 + x] = 30 }
      }
    }
    for (label, value) in [(0.22, 0.26), (0.41, 0.46), (0.61, 0.66), (0.74, 0.79), (0.86, 0.91)] {
      text(284, 340, centre: label, capital: 13)
      text(284, 434, centre: value, capital: 20)
    }
    for y in 0..<638 { for x in 0..<1012 { samples[y * 1012 + x] = mark(x, y) ?? samples[y * 1012 + x] } }
    let lines = FieldLocator(Raster(width: 1012, height: 638, channels: 1, samples: samples)).locate().lines
    return try #require(lines.first { $0.role == .value(.name) })
  }
}
