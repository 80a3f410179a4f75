import CardModel
import Testing

@testable import ScanPipeline

/// An old front is told by its number; other faces carry numbers too.
@Suite struct OldFrontByNumberTests {
  private static let number = "42101-0000001-7"

  private struct Reader: TextRecognising {
    /// What is read on a page of that width: a page turned by a quarter has another.
    var pages: [Int: [RecognisedLine]]
    /// What the second network reads of a line.
    var other = number
    func recogniseLine(_ image: Raster, model: TextModel) -> RecognisedLine {
      let text = model == .second ? other : number
      return RecognisedLine(text: text, confidence: 0.9, symbols: [], box: PixelBox(x: 0, y: 0, width: 1, height: 1))
    }
    func recognisePage(_ image: Raster) -> [RecognisedLine] { pages[image.width] ?? [] }
  }

  private func line(_ text: String, y: Int) -> RecognisedLine {
    var symbols: [RecognisedSymbol] = []
    for (index, character) in text.enumerated() where character != " " {
      symbols.append(
        RecognisedSymbol(
          text: String(character), confidence: 0.9, left: 50 + index * 12, right: 60 + index * 12,
          middle: y + 10))
    }
    return RecognisedLine(
      text: text, confidence: 0.9, symbols: symbols, box: PixelBox(x: 50, y: y, width: text.count * 12, height: 20))
  }

  private func turn(_ lines: [RecognisedLine], width: Int = 400, other: String = number) -> Int? {
    let page = Raster(width: 400, height: 300, channels: 1, samples: [UInt8](repeating: 255, count: 120_000))
    return FrontsByText(text: Reader(pages: [width: lines], other: other)).find(on: page).oldsTurn
  }

  private let urdu = ["cs oles", "3 jol"]

  @Test func aNumberBelowTheMiddleTellsAnOldFront() {
    let lines = [line(urdu[0], y: 20), line(urdu[1], y: 60), line("42101-0000001-7", y: 220)]
    #expect(turn(lines) == 0)
    #expect(turn(lines, width: 300) == 1)
  }

  @Test func aNumberAtTheTopIsABacks() {
    #expect(turn([line("42101-0000001-7 A0X1B2", y: 20), line(urdu[0], y: 90), line(urdu[1], y: 240)]) == nil)
  }

  @Test func englishLabelsAreANewFronts() {
    let lines = [
      line("PAKISTAN National Identity Card", y: 20), line("Father Name", y: 90), line("42101-0000001-7", y: 220),
    ]
    #expect(turn(lines) == nil)
  }

  @Test func aNumberThatTheNetworksReadDifferentlyTellsNothing() {
    let lines = [line(urdu[0], y: 20), line("42101-0000001-7", y: 220)]
    #expect(turn(lines, other: "42101-0000001-1") == nil)
  }
}
