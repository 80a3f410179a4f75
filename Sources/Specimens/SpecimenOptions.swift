/// How badly the images of a set are damaged.
package enum SpecimenLevel: String, Sendable, CaseIterable {
  /// Flatbed at 300 dpi.
  case clean
  /// Skew to 3 degrees, JPEG about 75, slight blur and noise, some grey photocopies.
  case scan
  /// Perspective, a desk around the card, uneven light, blur, JPEG about 60.
  case photo
  /// A card about 600 pixels wide, glare, motion blur, JPEG about 35, turned by quarters.
  case hard
}

/// What a set consists of beyond its seed, count and level.
package struct SpecimenOptions: Sendable, Equatable {
  /// Shares of the kinds of card; they need not add up to 1.
  package var newShare = 0.65
  package var oldShare = 0.25
  package var overseasShare = 0.10
  /// The percentage of pairs whose expected number is another than the card's, 0...100.
  package var mismatchPercent = 0.0
  /// The percentage of pairs whose barcode holds one of the unusual payloads of `PayloadShape`, 0...100.
  package var unusualPayloadPercent = 0.0
  /// Cards at most 700 pixels wide, in JPEG files alone: some 20 to 60 KB an image.
  package var smallFiles = false
  /// Pairs on office pages instead of an image a side.
  package var pages: OfficePages?

  package init() {}

  /// - Throws: `SpecimenFailure.invalidOptions`.
  func validate(count: Int) throws(SpecimenFailure) {
    guard (1...1_000_000).contains(count) else { throw .invalidOptions("count must be 1 to 1000000") }
    let shares = [newShare, oldShare, overseasShare]
    guard shares.allSatisfy({ $0 >= 0 && $0.isFinite }), shares.reduce(0, +) > 0 else {
      throw .invalidOptions("the shares of new, old and overseas cards must not be negative, nor all nought")
    }
    for percent in [mismatchPercent, unusualPayloadPercent] where !(0...100).contains(percent) {
      throw .invalidOptions("a percentage must be 0 to 100")
    }
  }
}

/// How the sides of a pair share a file. Pages are A4, 150 to 300 dpi, with the damage of `scan` (or of `clean` at that level).
package enum OfficePages: String, Sendable, CaseIterable {
  /// Both sides of one card on one page: the page is the pair's front and its back.
  case bothSides
  /// Both sides of the cards of two to four persons on one page; the truth is that of the first.
  case severalPersons
  /// A TIFF of two pages, the front and the back, each as an image of its own would be.
  case twoPageTIFF
}
