import CardModel
import CardReading
import Testing

@testable import ScanPipeline

/// What stands where a name's label should: the label, faint or not, or print that is none.
@Suite struct LabelPlaceTests {
  private struct Reader: TextRecognising {
    func recogniseLine(_ line: Raster, model: TextModel) -> RecognisedLine {
      RecognisedLine(
        text: "Nizamani", confidence: 0.99, symbols: [],
        box: PixelBox(x: 0, y: 0, width: line.width, height: line.height))
    }
    func recognisePage(_ image: Raster) -> [RecognisedLine] { [] }
  }

  /// - Parameter end: where the print in the place of the name's label ends; its darkness.
  @Test(arguments: [(330, 30, LabelVerdict.unread), (540, 150, .unread), (540, 30, .text)])
  func wideDarkPrintAboveANameIsNoLabel(_ end: Int, _ light: UInt8, _ verdict: LabelVerdict) throws {
    var samples = [UInt8](repeating: 235, count: 1012 * 638)
    func text(_ x0: Int, _ x1: Int, centre: Double, capital: Int, light: UInt8 = 30) {
      let top = Int(centre * 638) - capital / 2
      for x in x0..<x1 where (x - x0) % 7 < 3 {
        for y in top..<(top + capital) { samples[y * 1012 + x] = light }
      }
    }
    text(284, end, centre: 0.22, capital: 13, light: light)
    for label in [0.41, 0.61, 0.74, 0.86] { text(284, 340, centre: label, capital: 13) }
    for value in [0.26, 0.46, 0.66, 0.79, 0.91] { text(284, 434, centre: value, capital: 20) }
    let card = Raster(width: 1012, height: 638, channels: 1, samples: samples)
    let fields = FrontReader(text: Reader()).observe(card).fields
    #expect(try #require(fields.first { $0.field == .name }).label == verdict)
  }
}
