private import COpenCV
import CardModel
import ScanPipeline

extension FrameQuality {
  /// Measures an unwarped card.
  /// - Parameter card: grey, half of `FoundCard`'s size.
  init(ofHalf card: Raster, outline: Outline, on page: LoadedPage) {
    let frame = Quad(width: page.image.width, height: page.image.height)
    let inside = outline.quad.overlap(with: frame.corners)
    let focus = card.samples.withUnsafeBufferPointer {
      copencv_edge_steepness($0.baseAddress, Int32(card.width), Int32(card.height))
    }
    let (glare, brightness) = card.light()
    self.init(
      focus: min(1, max(0, focus)), glare: glare, brightness: brightness,
      cutOff: max(0, min(1, 1 - inside / max(1, outline.quad.area))),
      cardWidthPixels: Int((outline.quad.longSide * Double(page.shrink)).rounded()),
      outlineConfidence: outline.confidence)
  }
}

extension Raster {
  /// The share of blown-out pixels, and the median, both 0...1. Grey alone.
  fileprivate func light() -> (blownOut: Double, median: Double) {
    var counts = [Int](repeating: 0, count: 256)
    for sample in samples { counts[Int(sample)] += 1 }
    let total = samples.count
    var below = 0, median = 0
    while median < 255 {
      below += counts[median]
      if below * 2 >= total { break }
      median += 1
    }
    // Where the paper itself lies at the top of the scale (a bright flatbed scan), white says little of shine: it counts half.
    let weight = median >= 235 ? 0.5 : 1
    return (weight * Double(counts[254] + counts[255]) / Double(total), Double(median) / 255)
  }
}
