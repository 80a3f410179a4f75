import CardModel
import Testing

@testable import FieldLocating

/// Gaps between letters are what tells words apart, so that they must be measured from ink to ink.
@Suite struct ThinBarTests {
  /// The thin bar of a T lies in the uppermost rows of its line; two stems beside each other stand as far apart as words.
  @Test func barsOfThinCapitalsCloseTheGapsBetweenTheirStems() throws {
    var samples = [UInt8](repeating: 235, count: 1012 * 638)
    func fill(_ columns: Range<Int>, _ rows: Range<Int>) {
      for y in rows { for x in columns { samples[y * 1012 + x] = 30 } }
    }
    for (label, value) in [(0.22, 0.26), (0.41, 0.46), (0.61, 0.66), (0.74, 0.79), (0.86, 0.91)] {
      for x in stride(from: 284, to: 340, by: 7) { fill(x..<x + 3, Int(label * 638) - 6..<Int(label * 638) + 7) }
      let top = Int(value * 638) - 10
      for x in stride(from: 284, to: 434, by: 17) {
        fill(x..<x + 15, top..<top + 2)
        fill(x + 6..<x + 9, top..<top + 20)
      }
    }
    let lines = FieldLocator(Raster(width: 1012, height: 638, channels: 1, samples: samples)).locate().lines
    let name = try #require(lines.first { $0.role == .value(.name) })
    #expect(name.evidence.gaps.allSatisfy { $0.width < 0.3 }, "\(name.evidence.gaps.map(\.width))")
  }
}
