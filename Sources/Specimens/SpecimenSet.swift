package import CardModel

/// Draws invented identity cards with their truth, one pair at a time, from nothing but a seed.
///
/// The specimen at an index depends on the set's seed, level, options and that index alone: not on the count, nor on
/// which others were drawn. The same machine gives the same bytes each time; another machine has other fonts, and with
/// them other pixels, but the same persons, numbers and payloads.
package struct SpecimenSet: Sendable {
  package let seed: UInt64
  package let count: Int
  package let level: SpecimenLevel
  package let options: SpecimenOptions

  /// - Throws: `SpecimenFailure.invalidOptions`.
  package init(seed: UInt64, count: Int, level: SpecimenLevel, options: SpecimenOptions = SpecimenOptions())
    throws(SpecimenFailure)
  {
    try options.validate(count: count)
    (self.seed, self.count, self.level, self.options) = (seed, count, level, options)
  }

  /// Draws the pair at `index` (0 ..< count; further ones are drawn as well).
  /// - Throws: `SpecimenFailure` where a face cannot be drawn or encoded.
  package func specimen(at index: Int) throws(SpecimenFailure) -> Specimen {
    let pair = try PairDrawing(set: self, index: index)
    if let pages = options.pages { return try pair.onPages(pages) }
    let (front, frontImage, frontTruth) = try pair.photographed(pair.front, purpose: .frontScene, level: level)
    let (back, backImage, backTruth) = try pair.photographed(pair.back, purpose: .backScene, level: level)
    return Specimen(
      truth: pair.truth(front: frontTruth, back: backTruth), front: frontImage, back: backImage, frontRaster: front,
      backRaster: back)
  }

  /// An undamaged face of the pair at `index`, seen straight on and filling its image: what unwarping without fault gives.
  package func face(at index: Int, _ side: CardSide, widthPixels: Int = 1518, heightPixels: Int = 957)
    throws(SpecimenFailure) -> Raster
  {
    let pair = try PairDrawing(set: self, index: index)
    return try (side == .front ? pair.front : pair.back).raster(widthPixels: widthPixels, heightPixels: heightPixels)
  }
}

/// A drawn pair: two image files and what is true of them.
package struct Specimen: Sendable {
  package let truth: SpecimenTruth
  package let front: SpecimenImage
  package let back: SpecimenImage
  /// The pixels before the file was encoded.
  package let frontRaster: Raster
  package let backRaster: Raster
}
