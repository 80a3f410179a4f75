import CardModel
import Foundation
import Testing

@testable import ScanPipeline

/// Finding fronts by their print where no outline shows.
@Suite struct FrontsByTextTests {
  /// Labels in their places, as a recogniser gives them, on a card that lies at `x`, `y`, `width` pixels wide, turned by `degrees`.
  private func lines(
    x: Double, y: Double, width: Double, degrees: Double = 0,
    _ labels: [(String, Double, Double)] = [
      ("PAKISTAN", 0.23, 0.10), ("National Identity Card", 0.49, 0.09), ("Nane", 0.28, 0.22),
      ("Father Name", 0.28, 0.41),
      ("Gender Country of Stay", 0.285, 0.61), ("Identity Nuinber", 0.28, 0.74), ("Date 0f Birth", 0.52, 0.74),
    ]
  ) -> [RecognisedLine] {
    let turn = degrees * .pi / 180
    return labels.map { text, left, top in
      let u = left * width, v = top * width * 53.98 / 85.60
      let px = x + u * cos(turn) - v * sin(turn), py = y + u * sin(turn) + v * cos(turn)
      var symbols: [RecognisedSymbol] = []
      for (index, character) in text.enumerated() where character != " " {
        let at = Int(px) + index * 12
        symbols.append(
          RecognisedSymbol(text: String(character), confidence: 0.9, left: at, right: at + 10, middle: Int(py)))
      }
      // The box of a line that rises or falls is higher than the line.
      let fall = Double(text.count * 12) * sin(turn)
      return RecognisedLine(
        text: text, confidence: 0.9, symbols: symbols,
        box: PixelBox(
          x: Int(px), y: Int(py + min(0, fall)) - 8, width: text.count * 12, height: 16 + Int(abs(fall))))
    }
  }

  private struct Reader: TextRecognising {
    /// What is read on a page of that width: a page turned by a quarter has another.
    var pages: [Int: [RecognisedLine]]
    func recogniseLine(_ line: Raster, model: TextModel) -> RecognisedLine {
      RecognisedLine(text: "", confidence: 0, symbols: [], box: PixelBox(x: 0, y: 0, width: 1, height: 1))
    }
    func recognisePage(_ image: Raster) -> [RecognisedLine] { pages[image.width] ?? [] }
  }

  private func page(_ width: Int, _ height: Int) -> Raster {
    Raster(width: width, height: height, channels: 1, samples: [UInt8](repeating: 255, count: width * height))
  }

  private func isNear(_ a: FractionPoint, _ x: Double, _ y: Double, by limit: Double = 0.02) -> Bool {
    abs(a.x - x) < limit && abs(a.y - y) < limit
  }

  @Test(arguments: [-8.0, -4, 0, 3, 8])
  func aCardOnWhitePaperIsFoundByItsLabels(_ degrees: Double) throws {
    let found = FrontsByText(text: Reader(pages: [1600: lines(x: 300, y: 200, width: 900, degrees: degrees)]))
      .find(on: page(1600, 1200)).new
    let corners = try #require(found.first)
    #expect(found.count == 1)
    #expect(isNear(corners[0], 300.0 / 1600, 200.0 / 1200))
    let turn = degrees * .pi / 180
    #expect(isNear(corners[1], (300 + 900 * cos(turn)) / 1600, (200 + 900 * sin(turn)) / 1200))
  }

  /// Labels wash out before values do: digits that are read wrong still show a number or a date.
  @Test func valuesTellWhereACardLiesThatHasFewLabelsLeft() throws {
    let seen = lines(
      x: 300, y: 200, width: 900, degrees: 5,
      [
        ("PAKISTAN", 0.23, 0.10), ("Nare", 0.28, 0.22), ("42101-00000O1-7", 0.28, 0.79), ("45.10.1990", 0.52, 0.79),
        ("10.11.201c", 0.28, 0.91),
      ])
    let found = FrontsByText(text: Reader(pages: [1600: seen])).find(on: page(1600, 1200)).new
    let corners = try #require(found.first)
    #expect(isNear(corners[0], 300.0 / 1600, 200.0 / 1200))
  }

  @Test func aFormsDatesAreNoCard() {
    let form = lines(
      x: 100, y: 100, width: 900,
      [
        ("01.02.1990", 0.1, 0.1), ("03.04.2001", 0.1, 0.2), ("05.06.2007", 0.1, 0.3), ("Pakistan", 0.1, 0.4),
        ("42101-0000001-7", 0.1, 0.5),
      ])
    #expect(FrontsByText(text: Reader(pages: [1400: form])).find(on: page(1400, 1000)).new.isEmpty)
  }

  @Test func aPageOnItsSideIsReadTurned() throws {
    // Read after one clockwise quarter turn, when the page is as wide as it was high.
    let found = FrontsByText(text: Reader(pages: [1200: lines(x: 100, y: 300, width: 900)])).find(on: page(1600, 1200))
      .new
    let corners = try #require(found.first)
    // (100, 300) on the turned page, 1200 wide and 1600 high, lay at x = 300, y = 1200 - 100 before.
    #expect(isNear(corners[0], 300.0 / 1600, 1100.0 / 1200))
  }

  @Test func twoCardsOnAPageAreTwo() {
    let both = lines(x: 100, y: 100, width: 900) + lines(x: 150, y: 900, width: 900)
    #expect(FrontsByText(text: Reader(pages: [1400: both])).find(on: page(1400, 1700)).new.count == 2)
  }

  @Test func threeWordsAreNoCard() {
    let few = lines(
      x: 100, y: 100, width: 900, [("Name", 0.28, 0.22), ("Gender", 0.285, 0.61), ("PAKISTAN", 0.23, 0.10)])
    #expect(FrontsByText(text: Reader(pages: [1400: few])).find(on: page(1400, 1000)).new.isEmpty)
  }

  @Test func labelsOutOfTheirPlacesAreNoCard() {
    // A form's words, one below the other.
    let form = lines(
      x: 100, y: 100, width: 900,
      [
        ("Name", 0.1, 0.1), ("Father Name", 0.1, 0.2), ("Gender", 0.1, 0.3), ("Date of Birth", 0.1, 0.4),
        ("Identity Number", 0.1, 0.5), ("Country of Stay", 0.1, 0.6),
      ])
    #expect(FrontsByText(text: Reader(pages: [1400: form])).find(on: page(1400, 1000)).new.isEmpty)
  }
}
