import CardModel
import Testing

@testable import ScanPipeline

struct InkLinesTests {
  /// White paper with bars of ink, each as a box and its grey.
  private func page(_ bars: [(PixelBox, UInt8)]) -> Raster {
    var page = Raster(width: 400, height: 240, channels: 1, samples: [UInt8](repeating: 240, count: 400 * 240))
    for (box, grey) in bars {
      for y in box.y..<(box.y + box.height) {
        for x in box.x..<(box.x + box.width) { page.samples[y * 400 + x] = grey }
      }
    }
    return page
  }

  private let number = PixelBox(x: 120, y: 160, width: 140, height: 14)
  private let area = FractionBox(x: 0.1, y: 0.5, width: 0.8, height: 0.45)

  private func isAround(_ box: PixelBox, _ inner: PixelBox) -> Bool {
    abs(box.x - inner.x) < 8 && abs(box.y - inner.y) < 8 && abs(box.width - inner.width) < 14
      && abs(box.height - inner.height) < 14
  }

  @Test func aLineStandsWhereItsInkIs() {
    let lines = InkLines.find(in: page([(number, 20)]), area: area, gap: 0.02)
    #expect(lines.count == 1)
    #expect(lines.allSatisfy { isAround($0, number) })
  }

  /// A guilloche's stripes run through the rows above and below, fainter than print.
  @Test func whatJoinsTheRowsPartsWhereOnlyTheDarkestIsInk() {
    let stripes = stride(from: 60, to: 360, by: 20).map { (PixelBox(x: $0, y: 122, width: 5, height: 110), UInt8(150)) }
    let card = page(stripes + [(number, 20)])
    #expect(!InkLines.find(in: card, area: area, gap: 0.02).contains { isAround($0, number) })
    let lines = InkLines.find(in: card, area: area, gap: 0.02, darkerThan: 55)
    #expect(lines.count == 1)
    #expect(lines.allSatisfy { isAround($0, number) })
  }
}
