/// One pair to scan: what a launch of the SDK and its camera would have given.
public struct PairRequest: Sendable, Equatable {
  /// Unique within a run; any text.
  public var id: String
  /// Files of each side in the order they are to be tried; each may hold several pages.
  public var frontFiles: [String]
  public var backFiles: [String]
  /// The expected number as the manifest gives it; validated by the pipeline, so that a bad one becomes LAUNCH_FAILURE.
  public var expectedNumber: String?
  public var scanMode: ScanMode
  /// The width in pixels of the saved images.
  public var imageWidthPixels: Int
  /// The front as an earlier scan captured and read it; set when only the back is scanned again.
  public var reusedFront: FrontCapture?

  public init(
    id: String, frontFiles: [String], backFiles: [String], expectedNumber: String?, scanMode: ScanMode = .frontAndBack,
    imageWidthPixels: Int = PairRequest.defaultImageWidthPixels, reusedFront: FrontCapture? = nil
  ) {
    self.id = id
    self.frontFiles = frontFiles
    self.backFiles = backFiles
    self.expectedNumber = expectedNumber
    self.scanMode = scanMode
    self.imageWidthPixels = imageWidthPixels
    self.reusedFront = reusedFront
  }

  /// An ID-1 card at 300 dpi (85.60 mm).
  public static let defaultImageWidthPixels = 1012
  public static let imageWidthRange = 64...8000
}

/// Everything that became of one pair.
public struct PairRecord: Sendable, Equatable {
  public var id: String
  /// In the order they were posted; the last one is final unless the pair ended without a final event.
  public var events: [ScanEvent]
  public var outcome: Outcome
  /// Without doubles, in the order they arose.
  public var reasons: [Reason]
  public var details: PairDetails
  /// The captured front where the back must be scanned again (`rescanBack`): what a later run hands back as
  /// `PairRequest.reusedFront`. It belongs in the ledger, not in the results.
  public var frontCapture: FrontCapture?

  public init(
    id: String, events: [ScanEvent], outcome: Outcome, reasons: [Reason], details: PairDetails = PairDetails(),
    frontCapture: FrontCapture? = nil
  ) {
    self.id = id
    self.events = events
    self.outcome = outcome
    self.reasons = reasons
    self.details = details
    self.frontCapture = frontCapture
  }
}

/// A front that was captured and read: everything of it that a final event needs.
public struct FrontCapture: Sendable, Equatable {
  /// Absolute path of the saved PNG.
  public var image: String
  public var documentType: DocumentType
  public var extractedData: ExtractedData
  public var confidence: [FieldName: Double]
  public var boxes: [FieldName: FractionBox]
  public var lifetime: Bool?
  public var quality: FrameQuality?
  /// What was said of the front when it was read.
  public var reasons: [Reason]

  public init(
    image: String, documentType: DocumentType, extractedData: ExtractedData = ExtractedData(),
    confidence: [FieldName: Double] = [:], boxes: [FieldName: FractionBox] = [:], lifetime: Bool? = nil,
    quality: FrameQuality? = nil, reasons: [Reason] = []
  ) {
    self.image = image
    self.documentType = documentType
    self.extractedData = extractedData
    self.confidence = confidence
    self.boxes = boxes
    self.lifetime = lifetime
    self.quality = quality
    self.reasons = reasons
  }
}

/// What batch work adds to the SDK's payload.
public struct PairDetails: Sendable, Equatable {
  /// Calibrated probability 0...1 that the emitted field is right.
  public var confidence: [FieldName: Double] = [:]
  /// Where each field was read, in fractions of the saved front image.
  public var boxes: [FieldName: FractionBox] = [:]
  public var barcode: BarcodeReading?
  public var checks: [Check: CheckResult] = [:]
  public var quality: [CardSide: FrameQuality] = [:]
  /// Frames that were not used, in the order they were tried.
  public var setAside: [SetAsideFrame] = []
  /// `true` where the card says that it has no expiry date.
  public var lifetime: Bool?
  /// The number that the barcode was compared with, for whoever looks at the pair; no reader ever sees it.
  public var expectedNumber: IdentityNumber?
  /// The names, without a folder, of all card images that were saved, in the order of their events.
  public var images: [String] = []
  public init() {}
}

/// A check beyond the SDK's; each result is `pass`, `fail` or `notPerformed`.
public enum Check: String, Sendable, CaseIterable {
  /// The number printed on the front equals the barcode's.
  case printedNumberMatchesBarcode
  /// The number printed on the back, above the QR, equals the barcode's.
  case backNumberMatchesBarcode
  case genderMatchesNumber
  case dateOrder
  case notExpired
  case numberFormat
  case barcodeBirthDateMatches
  case machineReadableZone
}

public enum CheckResult: String, Sendable, CaseIterable { case pass, fail, notPerformed }

/// What the back's barcode said.
public struct BarcodeReading: Sendable, Equatable {
  public var symbology: Symbology
  /// The step of the ladder that read it, e.g. `unwarped/localAverage`.
  public var rung: String
  /// The library that read it: `zxing` or `zbar`.
  public var reader: String
  public var identityNumber: IdentityNumber?
  /// Further fields of the payload, e.g. `familyNumber`, `dateOfBirth`, `name` (Urdu), in the payload's own words.
  public var fields: [String: String]
  public init(
    symbology: Symbology, rung: String, reader: String, identityNumber: IdentityNumber?, fields: [String: String] = [:]
  ) {
    self.symbology = symbology
    self.rung = rung
    self.reader = reader
    self.identityNumber = identityNumber
    self.fields = fields
  }
}

/// Measures of one card image. All but `cardWidthPixels` are 0...1.
public struct FrameQuality: Sendable, Equatable {
  /// 1 is sharp.
  public var focus: Double
  /// Fraction of the card's area that is blown out.
  public var glare: Double
  /// Median luma, 0 black, 1 white.
  public var brightness: Double
  /// Fraction of the card's area that lies outside the image.
  public var cutOff: Double
  /// The card's width in pixels of the source image.
  public var cardWidthPixels: Int
  /// How sure the outline is.
  public var outlineConfidence: Double
  public init(
    focus: Double, glare: Double, brightness: Double, cutOff: Double, cardWidthPixels: Int, outlineConfidence: Double
  ) {
    self.focus = focus
    self.glare = glare
    self.brightness = brightness
    self.cutOff = cutOff
    self.cardWidthPixels = cardWidthPixels
    self.outlineConfidence = outlineConfidence
  }
}

/// A frame that was tried and not used. It is named by its place, never by a path.
public struct SetAsideFrame: Sendable, Equatable {
  /// The side that it was offered for.
  public var side: CardSide
  /// 0-based place among that side's files, and 0-based page in the file.
  public var file: Int
  public var page: Int
  public var reason: Reason
  public init(side: CardSide, file: Int, page: Int, reason: Reason) {
    self.side = side
    self.file = file
    self.page = page
    self.reason = reason
  }
}
