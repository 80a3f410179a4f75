import CardModel
import Testing

@testable import FieldLocating

/// What stands right of a name is told apart: letters of it that were cut off, and Urdu that rises into its line.
@Suite struct HangingInkTests {
  private let baseline = DrawnName.baseline

  private func name(_ mark: (_ x: Int, _ y: Int) -> Bool) throws -> LocatedLine {
    try DrawnName.line { mark($0, $1) ? 30 : nil }
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
