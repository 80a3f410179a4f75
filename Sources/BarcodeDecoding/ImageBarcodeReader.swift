package import CardModel
package import ScanPipeline

/// Reads every barcode of any image, card or not: what `cnicscan decode` prints.
///
/// *Limits*: symbols are read one at a time (ZXing 1.4.0 can end the process when asked for several); each one found is
/// painted over and the ladder climbed again, so several symbols on an image cost several climbs.
package struct ImageBarcodeReader {
  package init() {}

  /// - Parameter thorough: whether the whole ladder is climbed for the first symbol, or only the rungs that read most.
  /// - Returns: every distinct symbol, in the order in which they were read; empty when nothing decodes.
  package func read(_ image: Raster, thorough: Bool = true) -> [DecodedBarcode] {
    var picture = GreyImage(image)
    let zbar = ZBarReader()
    var found: [DecodedBarcode] = []
    var margin = 2
    for _ in 0..<Self.climbLimit {
      let decoded = Ladder(picture, zbar: zbar).climb(
        Self.rungs(picture, all: thorough && found.isEmpty),
        needsSecondReading: { $0.symbology == .code128 && $0.reader == "zbar" }, accept: { _ in true })
      guard let symbol = decoded.last else { break }
      // A linear symbol's place is one scan line: what is left of its bars is read again until it is painted over.
      let again = found.contains { $0.symbology == symbol.symbology && $0.bytes == symbol.bytes }
      if !again { found.append(symbol) }
      margin = again ? margin * 3 : symbol.symbology == .code128 ? 12 : 2
      guard let rest = picture.painted(over: symbol.corners, margin: margin) else { break }
      picture = rest
    }
    return found
  }

  /// More symbols than any sensible page holds; a bound on the work that a hostile image can ask for.
  static let climbLimit = 64

  /// The rungs for any image. After the first symbol only those that read most are climbed: the usual image has one.
  static func rungs(_ image: GreyImage, all: Bool) -> [Rung] {
    let small = image.width * image.height < 1_500_000
    let quick = [
      Rung("raw/localAverage", rotated: true, downscaled: true),
      .zbar("raw/zbar"),
      Rung("raw/globalHistogram", .whole, [], .globalHistogram, rotated: true, downscaled: true),
    ]
    guard all else { return quick }
    let bars: Set<Symbology> = [.pdf417, .code128]
    return quick + [
      Rung("inverted/localAverage", .whole, [.inverted], rotated: true, downscaled: true),
      .zbar("inverted/zbar", [.inverted]),
      Rung("raw/fixed", .whole, [], .fixed, rotated: true, downscaled: true),
      Rung("unsharp/localAverage", .whole, [.unsharp(sigma: 3, amount: 2)], rotated: true, downscaled: true),
      .zbar("unsharp/zbar", [.unsharp(sigma: 3, amount: 2)]),
      Rung("soft/localAverage", .whole, [.soft(sigma: 1.5)], rotated: true, downscaled: true),
      Rung("soft/globalHistogram", .whole, [.soft(sigma: 1.5)], .globalHistogram, rotated: true, downscaled: true),
      Rung("softer/localAverage", .whole, [.soft(sigma: 3)], rotated: true, downscaled: true),
      Rung("half/localAverage", .whole, scale: 0.5, rotated: true),
      Rung("third/localAverage", .whole, scale: 1.0 / 3, rotated: true),
      Rung("median/localAverage", .whole, [.median(3)], rotated: true, downscaled: true),
      Rung("adaptive", .whole, [.adaptive(block: 31, offset: 5)], .fixed, rotated: true, downscaled: true),
      Rung("tilted/unsharp", .tiltedBands, [.unsharp(sigma: 3, amount: 1.5)], reads: bars),
      Rung("tilted/fixed", .tiltedBands, [.unsharp(sigma: 2, amount: 5)], .fixed, reads: bars),
      Rung("tilted/raw", .tiltedBands, reads: bars),
      Rung("tilted/double", .tiltedBands, scale: 2, [.unsharp(sigma: 4, amount: 2)], reads: bars),
    ]
      + (small
        ? [
          Rung("double/localAverage", .whole, scale: 2, rotated: true, downscaled: true),
          Rung("double/globalHistogram", .whole, scale: 2, [], .globalHistogram, rotated: true, downscaled: true),
          Rung("double/fixed", .whole, scale: 2, [], .fixed, rotated: true),
          Rung("triple/localAverage", .whole, scale: 3, rotated: true),
          Rung("triple/fixed", .whole, scale: 3, [], .fixed, rotated: true),
          .zbar("double/zbar", scale: 2),
          .zbar("triple/zbar", scale: 3),
        ] : [])
  }
}
