package import CardModel
package import ScanPipeline

/// Decodes the barcode on an unwarped card: ZXing first, over a ladder of preparations, and ZBar as second reader for QR
/// and Code 128. It says what is in the symbols; whether a payload is a card's is the caller's `accept`.
///
/// A Code 128 payload counts only when two rungs read it alike. Its one check character lets about one misread in a hundred
/// pass: over 3,000 badly damaged symbols, 15 payloads read once were wrong (ZBar's, mostly), and none of 1,271 read twice.
/// QR and PDF417 carry Reed-Solomon codes, and no payload of theirs was wrong.
package struct CardBarcodeDecoder: ScanPipeline.BarcodeDecoding {
  package init() {}

  package func decode(
    _ image: Raster, likely: [Symbology], accept: (DecodedBarcode) -> Bool
  ) -> [DecodedBarcode] {
    var picture = GreyImage(image)
    let zbar = ZBarReader()
    var decoded: [DecodedBarcode] = []
    var rungs = Self.rungs(likely: likely)
    // A symbol that was refused may hide another, since a reader gives one a call: it is painted over and the cheap rungs
    // are climbed again.
    for _ in 0..<Self.climbLimit {
      let found = Ladder(picture, zbar: zbar).climb(
        rungs, needsSecondReading: { $0.symbology == .code128 }, accept: accept)
      let new = found.filter { symbol in !decoded.contains { $0.isSamePayload(as: symbol) } }
      decoded += new
      guard let last = new.last, !accept(last), let rest = picture.painted(over: last.corners, margin: 4) else { break }
      picture = rest
      rungs = Self.cheapRungs
    }
    return decoded
  }

  package func decodePage(_ page: Raster) -> [DecodedBarcode] { ImageBarcodeReader().read(page) }

  /// A card holds one symbol of its own; a second and third cover stickers and pages.
  private static let climbLimit = 3

  private static let cheapRungs = [
    Rung("raw/localAverage"), Rung("raw/globalHistogram", .whole, [], .globalHistogram), Rung.zbar("raw/zbar"),
  ]

  /// The rungs for a card, those for the likeliest symbology first. The order is by what a reading costs.
  ///
  /// *Measured* before there were fixed rungs, over 660 old backs, unwarped with 2 px of corner noise (60 clean, 200 each of scan, photo and hard, either
  /// way up), CPU milliseconds with one thread; no wrong payload:
  ///
  /// | rung | hard, cumulative | ms a card read there |
  /// |---|---|---|
  /// | band/unsharp | 96.5% (clean 100, scan 99.5, photo 100) | 27 |
  /// | raw/localAverage | 98.0% (scan 100) | 45 |
  /// | band/small/unsharp | 98.5% | 106 |
  /// | band/levelled | 99.0% | 224 |
  ///
  /// QR: 300 of 300 at raw/localAverage, 5 ms. A climb that finds nothing costs 150 to 330 ms.
  ///
  /// Sharpened until bars and gaps lie on either side of mid-grey, few pixels a module are read best by a fixed threshold: of 1,000
  /// copies of 125 hard backs of another generator, made smaller by a fifth to a half, blurred and compressed again, the three fixed
  /// rungs raised the numbers read from 485 to 662, none of them wrong. Two payloads without them, and one with them, were gibberish.
  static func rungs(likely: [Symbology]) -> [Rung] {
    let bars: Set<Symbology> = [.pdf417, .code128]
    let whole = [Rung("raw/localAverage")]
    let bands = [
      Rung("band/unsharp", .bands, [.unsharp(sigma: 3, amount: 1.5)], reads: bars),
      Rung("band/unsharp/fixed", .bands, [.unsharp(sigma: 2, amount: 5)], .fixed, reads: bars),
    ]
    return (likely.first == .pdf417 ? bands + whole : whole + bands) + [
      Rung("raw/globalHistogram", .whole, [], .globalHistogram),
      .zbar("raw/zbar"),
      Rung("band/small/unsharp", .bands, scale: 0.7, [.unsharp(sigma: 2, amount: 2)], reads: bars),
      Rung("band/unsharp/globalHistogram", .bands, [.unsharp(sigma: 3, amount: 3)], .globalHistogram, reads: bars),
      Rung("band/unsharp/strong", .bands, [.unsharp(sigma: 2, amount: 5)], reads: bars),
      Rung("band/larger/fixed", .bands, scale: 1.5, [.unsharp(sigma: 3, amount: 8)], .fixed, reads: bars),
      Rung("band/double/fixed", .bands, scale: 2, [.unsharp(sigma: 4, amount: 5)], .fixed, reads: bars),
      Rung("band/levelled", .bands, [.levelled(25), .unsharp(sigma: 3, amount: 2)], reads: bars),
      Rung("band/adaptive", .bands, [.adaptive(block: 45, offset: 0)], .fixed, reads: bars),
      Rung("unsharp/localAverage", .whole, [.unsharp(sigma: 3, amount: 2)], rotated: true, downscaled: true),
      Rung("median/localAverage", .whole, [.median(3)]),
      Rung("inverted/localAverage", .whole, [.inverted]),
      .zbar("unsharp/zbar", [.unsharp(sigma: 3, amount: 2)]),
    ]
  }
}
