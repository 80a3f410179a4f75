import CardModel

/// What is true of a specimen pair. Its JSON form is a line of `truth.ndjson`.
package struct SpecimenTruth: Sendable, Encodable, Equatable {
  package var id: String
  package var level: String
  /// `new` or `old`.
  package var documentType: String
  package var overseas: Bool
  package var lifetime: Bool
  /// The number on the card, `#####-#######-#`.
  package var identityNumber: String
  /// The number that the back's barcode gives to a reader; `nil` where the payload holds none that may be trusted.
  package var barcodeNumber: String?
  /// The number in the manifest.
  package var expectedNumber: String
  /// What the front says, in the contract's forms and without `raw`; empty for old cards.
  package var extractedData: [String: String]
  package var printing: PrintingTruth
  /// How many persons' cards the file shows that both sides share; `nil` where each side has its own file.
  package var personsOnPage: Int?
  package var front: SideTruth
  package var back: SideTruth

  package struct PrintingTruth: Sendable, Encodable, Equatable {
    package var font: String
    package var weight: Int
    package var labelFont: String
    package var boldLabels: Bool
    package var rowRules: Bool
    package var columnRules: Bool
    package var chipPlace: String
    package var urduFont: String
  }

  /// One side in its image.
  package struct SideTruth: Sendable, Encodable, Equatable {
    package var file: String
    /// The page in the file, from 0.
    package var page: Int
    package var widthPixels: Int
    package var heightPixels: Int
    /// Pixels of the image: the card's own top left, top right, bottom right, bottom left, each `[x, y]`.
    package var corners: [[Double]]
    /// Clockwise turn of the image, 0, 90, 180 or 270 degrees; the corners have it in them.
    package var turnDegrees: Int
    /// The ink of each value on the upright card, `[x, y, width, height]` in fractions of it; empty on backs and old cards.
    package var valueBoxes: [String: [Double]]
    /// The symbol without quiet zone, as `valueBoxes`; `nil` on fronts.
    package var barcodeBox: [Double]?
    package var barcode: BarcodeTruth?
    package var damage: DamageTruth
  }

  package struct BarcodeTruth: Sendable, Encodable, Equatable {
    package var symbology: String
    /// Lower-case hexadecimal.
    package var payload: String
    package var shape: String
  }

  package struct DamageTruth: Sendable, Encodable, Equatable {
    package var cardWidthPixels: Double
    package var blur: Double
    package var motion: Double
    package var noise: Double
    package var glare: Double
    package var light: Double
    package var shade: Double
    package var wear: Double
    package var lamination: Double
    package var moire: Double
    package var grey: Bool
    package var finger: Bool
    /// 0 where the file is not a JPEG.
    package var jpegQuality: Int
    package var earlierJPEGQuality: Int?
    package var desk: String
  }
}

extension SpecimenTruth.DamageTruth {
  init(_ damage: Damage, _ placement: Placement) {
    func short(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
    cardWidthPixels = short(placement.cardWidth)
    blur = short(damage.blur)
    motion = short(damage.motion)
    noise = short(damage.noise)
    glare = short(damage.glares.map(\.strength).max() ?? 0)
    light = short(damage.light)
    shade = short(damage.shade)
    wear = short(damage.wear)
    lamination = short(damage.lamination)
    moire = short(damage.moire)
    grey = damage.saturation == 0
    finger = damage.finger
    if case .jpeg(let quality) = damage.format { jpegQuality = quality } else { jpegQuality = 0 }
    earlierJPEGQuality = damage.earlierJPEG
    desk = "\(damage.desk)"
  }
}

extension SpecimenTruth.PrintingTruth {
  init(_ printing: Printing, isNew: Bool) {
    font = printing.family
    weight = printing.weight
    labelFont = printing.labelFamily
    boldLabels = printing.labelWeight >= 600
    rowRules = isNew && printing.rowRules
    columnRules = isNew && printing.columnRules
    chipPlace = isNew ? printing.chipPlace.rawValue : "none"
    urduFont = printing.urduFamily
  }
}
