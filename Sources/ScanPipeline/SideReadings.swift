package import CardModel
package import CardReading

// What reading one side of a card gives, and the two readers as the pair's story sees them. `FrontReader` and
// `BackReader` are the real ones; tests of the story use fakes.

/// What is said of the front of a new card.
package struct FrontReading: Sendable, Equatable {
  package var data: ExtractedData
  /// Calibrated probability 0...1 of each emitted field.
  package var confidence: [FieldName: Double]
  /// Where each emitted field stands, in fractions of the upright card.
  package var boxes: [FieldName: FractionBox]
  /// `true` where the card says that it has no expiry date.
  package var lifetime: Bool?
  package var reasons: [Reason]
  package init(
    data: ExtractedData = ExtractedData(), confidence: [FieldName: Double] = [:], boxes: [FieldName: FractionBox] = [:],
    lifetime: Bool? = nil, reasons: [Reason] = []
  ) {
    self.data = data
    self.confidence = confidence
    self.boxes = boxes
    self.lifetime = lifetime
    self.reasons = reasons
  }
}

/// What was read on an image taken as the front of a new card, before anything is decided.
package struct FrontObservation: Sendable, Equatable {
  /// How well the layout of a new card's front fits, 0...1.
  package var layoutFit: Double
  package var fields: [FieldObservation]
  /// Where each field's lines stand, in fractions of the card.
  package var boxes: [FieldName: FractionBox]
  /// Every line as it was read, in the card's order; empty lines left out.
  package var texts: [String]
  /// How many of the layout's labels were read in their places.
  package var labelsRead: Int

  package init(
    layoutFit: Double = 0, fields: [FieldObservation] = [], boxes: [FieldName: FractionBox] = [:], texts: [String] = [],
    labelsRead: Int = 0
  ) {
    self.layoutFit = layoutFit
    self.fields = fields
    self.boxes = boxes
    self.texts = texts
    self.labelsRead = labelsRead
  }

  /// How much of it reads as a front's: a label in its place or a date counts 1, a number 2.
  package var proof: Int {
    fields.reduce(labelsRead) { proof, field in
      switch parseFrontValue(field.firstText, field: field.field) {
      case .number: proof + 2
      case .date: proof + 1
      default: proof
      }
    }
  }

  /// The printed number, where the readers agree on it; not calibrated.
  package var printedNumber: IdentityNumber? {
    guard let field = fields.first(where: { $0.field == .identityNumber }), let second = field.secondText,
      case .number(let number)? = parseFrontValue(field.firstText, field: .identityNumber),
      case .number(let other)? = parseFrontValue(second, field: .identityNumber), number == other
    else { return nil }
    return number
  }

  /// From this on it is a front, laid right, beyond doubt.
  package static let convincingProof = 6
}

/// The fronts that a page shows by its print.
package struct PrintedFronts: Sendable, Equatable {
  /// Each new front's corners in fractions of the page, clockwise from its top left.
  package var new: [[FractionPoint]]
  /// By how many quarters, clockwise, the page must be turned for its old front to stand upright; `nil` where none is seen.
  package var oldsTurn: Int?
  package init(new: [[FractionPoint]] = [], oldsTurn: Int? = nil) {
    self.new = new
    self.oldsTurn = oldsTurn
  }
}

/// Reads the front of a new card. It never fails: what cannot be read is absent.
package protocol FrontReadingCard {
  /// - Parameter card: an image taken as an upright front, whole.
  /// - Parameter leastFit: an image on which the layout fits worse is not read: the observation then holds the fit alone,
  ///   which is cheap.
  func observe(_ card: Raster, leastFit: Double) -> FrontObservation
  /// - Parameter barcodeNumber: agreement raises the confidence of the printed number; it never changes the value.
  func decide(_ observation: FrontObservation, barcodeNumber: IdentityNumber?) -> FrontReading
  /// The number on an upright old front, where two readers agree on it.
  func oldFrontsNumber(_ card: Raster) -> IdentityNumber?
  /// The fronts that the text on a page tells of, where no outline does.
  func findFronts(on page: Raster) -> PrintedFronts

  /// Where an upright front may lie on a page by the distances of its rows alone, likelier places first: guesses, to be read.
  /// - Parameter leastWidth: of a card, in shares of the page's width.
  func guessFronts(on page: Raster, leastWidth: Double) -> [[FractionPoint]]
}

extension FrontReadingCard {
  package func observe(_ card: Raster) -> FrontObservation { observe(card, leastFit: 0) }
}

/// What was decoded on a card image taken as a back.
package struct BackReading: Sendable, Equatable {
  /// The symbol whose payload counts, `nil` where nothing was decoded.
  package var barcode: BarcodeReading?
  /// That symbol's corners in fractions of the image given; empty where its reader does not tell.
  package var symbolCorners: [FractionPoint]
  /// Empty where a number was read, else exactly one of `barcodeNotFound`, `barcodeWithoutNumber`, `barcodeAmbiguous`.
  package var reasons: [Reason]
  package init(barcode: BarcodeReading? = nil, symbolCorners: [FractionPoint] = [], reasons: [Reason] = []) {
    self.barcode = barcode
    self.symbolCorners = symbolCorners
    self.reasons = reasons
  }

  /// That symbol's centre in fractions of the image given.
  package var symbolCentre: FractionPoint? { FractionPoint(centreOf: symbolCorners) }
}

/// Reads the back of a card. It never fails.
package protocol BackReadingCard {
  /// Decodes the barcode of an image that may be upside down.
  /// - Parameter likely: symbologies in the order they are to be expected.
  func read(_ card: Raster, likely: [Symbology]) -> BackReading
  /// Decodes the barcodes of a page on which no card's outline is known. A number counts only where no symbol gives another.
  func readPage(_ page: Raster) -> BackReading
  /// What is printed on an upright back, held against the barcode: `backNumberMatchesBarcode`, `machineReadableZone`.
  func printedChecks(_ card: Raster, face: CardFace, barcode: BarcodeReading) -> [Check: CheckResult]
}
