package import CardModel

// What reading one side of a card gives, and the two readers as the pair's story sees them. `FrontReader` and
// `BackReader` are the real ones; tests of the story use fakes.

/// What was read on the front of a new card.
package struct FrontReading: Sendable, Equatable {
  package var data: ExtractedData
  /// Calibrated probability 0...1 of each emitted field.
  package var confidence: [FieldName: Double]
  /// Where each emitted field stands, in fractions of the upright card.
  package var boxes: [FieldName: FractionBox]
  /// `true` where the card says that it has no expiry date.
  package var lifetime: Bool?
  /// How well the layout of a new card's front fits what is seen, 0...1.
  package var layoutFit: Double
  /// How many of the layout's labels were read.
  package var labelsRead: Int
  package var reasons: [Reason]
  package init(
    data: ExtractedData = ExtractedData(), confidence: [FieldName: Double] = [:], boxes: [FieldName: FractionBox] = [:],
    lifetime: Bool? = nil, layoutFit: Double = 0, labelsRead: Int = 0, reasons: [Reason] = []
  ) {
    self.data = data
    self.confidence = confidence
    self.boxes = boxes
    self.lifetime = lifetime
    self.layoutFit = layoutFit
    self.labelsRead = labelsRead
    self.reasons = reasons
  }
}

/// Reads the front of a new card. It never fails: what cannot be read is absent.
package protocol FrontReadingCard {
  /// How well the layout of a new card's front fits an image taken as upright, 0...1; cheap.
  func layoutFit(_ card: Raster) -> Double
  /// - Parameter card: an upright front, `FoundCard.widthPixels` wide.
  /// - Parameter barcodeNumber: agreement raises the confidence of the printed number; it never changes the value.
  func read(_ card: Raster, barcodeNumber: IdentityNumber?) -> FrontReading
}

/// What was decoded on a card image taken as a back.
package struct BackReading: Sendable, Equatable {
  /// The symbol whose payload counts, `nil` where nothing was decoded.
  package var barcode: BarcodeReading?
  /// That symbol's centre in fractions of the image given.
  package var symbolCentre: FractionPoint?
  /// Empty where a number was read, else exactly one of `barcodeNotFound`, `barcodeWithoutNumber`, `barcodeAmbiguous`.
  package var reasons: [Reason]
  package init(barcode: BarcodeReading? = nil, symbolCentre: FractionPoint? = nil, reasons: [Reason] = []) {
    self.barcode = barcode
    self.symbolCentre = symbolCentre
    self.reasons = reasons
  }
}

/// Reads the back of a card. It never fails.
package protocol BackReadingCard {
  /// Decodes the barcode of an image that may be upside down.
  /// - Parameter likely: symbologies in the order they are to be expected.
  func read(_ card: Raster, likely: [Symbology]) -> BackReading
  /// What is printed on an upright back, held against the barcode: `backNumberMatchesBarcode`, `machineReadableZone`.
  func printedChecks(_ card: Raster, face: CardFace, barcode: BarcodeReading) -> [Check: CheckResult]
}
