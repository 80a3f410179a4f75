// The closed vocabularies of the contract (shared/spec) and of batch work. Raw values are what stands in every format.

/// The gender code printed on a card.
public enum Gender: String, Sendable, CaseIterable { case male = "M", female = "F", other = "X" }

/// `new` is the chip-based card, `old` the legacy one.
public enum DocumentType: String, Sendable, CaseIterable { case new, old }

/// A side of a card.
public enum CardSide: String, Sendable, CaseIterable { case front, back }

/// Which sides a pair is scanned for.
public enum ScanMode: String, Sendable, CaseIterable {
  case frontAndBack, frontOnly, backOnly

  public var includesFront: Bool { self != .backOnly }
  public var includesBack: Bool { self != .frontOnly }
}

/// The form in which events leave: Android's event envelopes or iOS's delegate calls.
public enum Delivery: String, Sendable, CaseIterable { case android, ios }

/// A field of `extractedData`, in the order of the contract's table.
public enum FieldName: String, Sendable, CaseIterable {
  case name, fatherName, identityNumber, dateOfBirth, dateOfIssue, dateOfExpiry, gender, country
}

/// How a pair ended. Every pair has exactly one.
public enum Outcome: String, Sendable, CaseIterable {
  /// The barcode's number equals the expected one (`distance` 0).
  case matched
  /// The barcode's number differs from the expected one (`distance` 1).
  case mismatched
  /// Front only: nothing was compared.
  case unverified
  /// No back frame gave a number; the pair stands in `rescan.csv`.
  case rescanBack
  /// The expected number was missing or is not a number.
  case launchFailure
  /// No frame of a needed side was a valid image of that side.
  case noValidFrame
  /// A file could not be read, or the reader crashed or ran out of time.
  case failed
}

/// A barcode symbology that a card's back can carry.
public enum Symbology: String, Sendable, CaseIterable { case qr = "QRCode", pdf417 = "PDF417", code128 = "Code128" }

/// One of the four printed faces a card image can show.
public enum CardFace: String, Sendable, CaseIterable {
  case newFront, newBack, oldFront, oldBack

  public var side: CardSide { self == .newFront || self == .oldFront ? .front : .back }
  public var documentType: DocumentType { self == .newFront || self == .newBack ? .new : .old }
}

/// A stable code that says why a frame was set aside, a field withheld or a pair ended as it did. Codes are a format:
/// they may be added, never renamed. `plainText` (RecordFormats) says each in words with its remedy.
public enum Reason: String, Sendable, CaseIterable {
  // The launch.
  case expectedNumberMissing, expectedNumberInvalid
  // A frame that was set aside.
  case noCardFound, wrongSide, sideUnknown, blurred, tooDark, glare, tooSmall, cutOff, severalPersonsOnPage
  case duplicateFrame
  // A file that could not be used.
  case fileMissing, fileUnreadable, fileEmpty, fileTooLarge, tooManyPixels, tooManyPages, formatNotAllowed
  case imageDamaged, fileChanged, pathOutsideInput, notARegularFile, permissionDenied
  // The back.
  case barcodeNotFound, barcodeWithoutNumber, barcodeAmbiguous
  // The pair.
  case noFrontFrame, noBackFrame, sidesSwapped, documentTypeUnknown, documentTypesDiffer
  case recognitionEmpty, printedNumberDiffers
  // The engine.
  case timeLimit, workerCrashed, memoryLimit, outputNotWritten, invalidRequest, internalError
}
