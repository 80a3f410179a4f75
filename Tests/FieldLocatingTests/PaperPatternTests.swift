import CardModel
import Testing

@testable import FieldLocating

/// On white paper the pattern stands out as faintly as letters do in glare: only letters belong to a line.
@Suite struct PaperPatternTests {
  private let baseline = Int(0.26 * 638) + 10

  /// A white card with a name of 150 pixels, and `mark` drawn over it: the darkness at a place.
  private func name(_ mark: (_ x: Int, _ y: Int) -> Int) throws -> LocatedLine {
    var samples = [UInt8](repeating: 255, count: 1012 * 638)
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
    for y in 0..<638 { for x in 0..<1012 where mark(x, y) > 0 { samples[y * 1012 + x] = UInt8(255 - mark(x, y)) } }
    let lines = FieldLocator(Raster(width: 1012, height: 638, channels: 1, samples: samples)).locate().lines
    return try #require(lines.first { $0.role == .value(.name) })
  }

  @Test func aFaintLineOfThePatternBehindANameIsNoPartOfIt() throws {
    // Falls by a fifth through the name's rows, from just behind it.
    let line = try name { x, y in (438..<520).contains(x) && abs(y - (baseline - 16) - (x - 438) / 5) < 2 ? 60 : 0 }
    #expect(abs((line.box.x + line.box.width) * 1012 - 434) < 5)
    #expect(line.evidence.faintest > 0.5)
  }

  @Test func faintLettersInGlareAreStillPartOfTheName() throws {
    let line = try name { x, y in
      (446..<500).contains(x) && (x - 446) % 7 < 3 && (baseline - 20..<baseline).contains(y) ? 60 : 0
    }
    #expect(abs((line.box.x + line.box.width) * 1012 - 500) < 8)
    #expect(line.evidence.faintest < 0.3)
  }
}
