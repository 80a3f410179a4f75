import CardModel
import Testing

@testable import FieldLocating
@testable import ScanPipeline

/// A line in doubt is read again in views that differ from those it was read in.
@Suite struct FurtherViewsTests {
  /// A bright line with one dark stroke, as wide as `stroke` says.
  private func line(width: Int, stroke: Range<Int>) -> Raster {
    let samples = (0..<width * 20).map { UInt8(stroke.contains($0 % width) ? 60 : 200) }
    return Raster(width: width, height: 20, channels: 1, samples: samples)
  }

  @Test func twoViewsAreWiderAndTwoDifferInSharpness() {
    let (first, second) = (line(width: 80, stroke: 38..<42), line(width: 100, stroke: 48..<52))
    let views = FurtherViews.of(
      LocatedLine(
        role: .value(.name), image: first, secondView: second, box: FractionBox(x: 0, y: 0, width: 1, height: 1),
        evidence: CutEvidence()))
    #expect(views.map(\.width) == [101, 121, 80, 80])
    #expect(views.allSatisfy { $0.height == 20 && $0.channels == 1 })
    #expect(views[2] != first && views[3] != first && views[2] != views[3])
  }

  @Test func softerViewsLowerAnEdgeAndSharperOnesRaiseIt() {
    let image = line(width: 40, stroke: 20..<40)
    func step(_ view: Raster) -> Int { Int(view.samples[10 * 40 + 19]) - Int(view.samples[10 * 40 + 20]) }
    #expect(step(FurtherViews.filtered(image, .softer)) < step(image))
    #expect(step(FurtherViews.filtered(image, .sharper)) > step(image))
  }

  @Test func evenPaperAndTheOutermostPixelsStayAsTheyAre() {
    let image = line(width: 40, stroke: 0..<3)
    for filter in [FurtherViews.Filter.softer, .sharper] {
      let view = FurtherViews.filtered(image, filter)
      #expect(view.samples[10 * 40 + 30] == 200)
      #expect(view.samples.prefix(40) == image.samples.prefix(40))
    }
    let tiny = Raster(width: 2, height: 1, channels: 1, samples: [1, 2])
    #expect(FurtherViews.filtered(tiny, .sharper) == tiny)
  }
}
