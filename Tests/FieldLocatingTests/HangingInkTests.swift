import CardModel
import Testing

@testable import FieldLocating

/// What stands right of a name is told apart: letters of it that were cut off, and Urdu that rises into its line.
@Suite struct HangingInkTests {
  private let baseline = Int(0.26 * 638) + 10

  /// A card with a name of 150 pixels, and `mark` drawn over it.
  private func name(_ mark: (_ x: Int, _ y: Int) -> Bool) throws -> LocatedLine {
    var samples = [UInt8](repeating: 235, count: 1012 * 638)
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
    for y in 0..<638 { for x in 0..<1012 where mark(x, y) { samples[y * 1012 + x] = 30 } }
    let lines = FieldLocator(Raster(width: 1012, height: 638, channels: 1, samples: samples)).locate().lines
    return try #require(lines.first { $0.role == .value(.name) })
  }

  @Test func urduThatRisesIntoTheLineOfANameIsNoPartOfIt() throws {
    // A stroke like a gaf's, from the Urdu's line up to the right, to the middle of the name's letters.
    let line = try name { x, y in
      let along = baseline + 45 - y
      return (0...57).contains(along) && abs(x - 490 - along / 2) < 4
    }
    #expect(line.evidence.inkRight == 0)
    #expect(line.evidence.textRight < 0.05)
    #expect(abs((line.box.x + line.box.width) * 1012 - 434) < 5)
  }

  @Test func lettersBehindAGapAreStillSeen() throws {
    let line = try name { x, y in (470..<500).contains(x) && (x - 470) % 7 < 3 && (baseline - 20..<baseline).contains(y)
    }
    #expect(line.evidence.inkRight > 1)
    #expect(line.evidence.textRight > 0.5)
  }

  /// Descenders hang below the line as well, but not as deep.
  @Test func lettersWithDescendersBehindAGapAreStillSeen() throws {
    let line = try name { x, y in
      (470..<500).contains(x) && (x - 470) % 7 < 3 && (baseline - 15..<baseline + 7).contains(y)
    }
    #expect(line.evidence.inkRight > 1)
    #expect(line.evidence.textRight > 0.5)
  }

  /// A whole word of Urdu in the line's own rows: a bowl that hangs below it, and dots that hang on nothing.
  @Test func urduBesideANameIsNoPartOfIt() throws {
    let line = try name { x, y in
      let bowl = (500..<504).contains(x) && (baseline - 8...baseline + 18).contains(y)
      let dots = (506..<512).contains(x) && (baseline - 18..<baseline - 12).contains(y)
      return bowl || dots
    }
    #expect(line.evidence.inkRight == 0)
    #expect(line.evidence.textRight < 0.05)
  }
}
