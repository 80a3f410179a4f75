import CardModel
import Testing

@testable import FieldLocating

/// On white paper the pattern stands out as faintly as letters do in glare: only letters belong to a line.
@Suite struct PaperPatternTests {
  private let baseline = DrawnName.baseline

  private func name(_ mark: (_ x: Int, _ y: Int) -> Bool) throws -> LocatedLine {
    try DrawnName.line(paper: 255) { mark($0, $1) ? 195 : nil }
  }

  @Test func aFaintLineOfThePatternBehindANameIsNoPartOfIt() throws {
    // Falls by a fifth through the name's rows, from just behind it.
    let line = try name { x, y in (438..<520).contains(x) && abs(y - (baseline - 16) - (x - 438) / 5) < 2 }
    #expect(abs((line.box.x + line.box.width) * 1012 - 434) < 5)
    #expect(line.evidence.faintest > 0.5)
  }

  @Test func faintLettersInGlareAreStillPartOfTheName() throws {
    let line = try name { x, y in
      (446..<500).contains(x) && (x - 446) % 7 < 3 && (baseline - 20..<baseline).contains(y)
    }
    #expect(abs((line.box.x + line.box.width) * 1012 - 500) < 8)
    #expect(line.evidence.faintest < 0.3)
  }
}
