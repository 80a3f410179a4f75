/// Every event identifier of the contract. `frontFailure` and `backFailure` are reserved: they stand in the vocabulary,
/// and `ScanEvent` cannot express them, so they are never posted.
public enum EventType: String, Sendable, CaseIterable {
  case launchFailure = "LAUNCH_FAILURE"
  case frontSuccess = "FRONT_SUCCESS"
  case backSuccess = "BACK_SUCCESS"
  case ocrSuccess = "OCR_SUCCESS"
  case ocrFailure = "OCR_FAILURE"
  case frontFailure = "FRONT_FAILURE"
  case backFailure = "BACK_FAILURE"
}

/// An event as it is posted. Images are absolute paths of the saved PNG files.
public enum ScanEvent: Sendable, Equatable {
  case launchFailure
  case frontSuccess(image: String)
  case backSuccess(image: String)
  case ocrSuccess(OcrResult)
  case ocrFailure

  public var type: EventType {
    switch self {
    case .launchFailure: .launchFailure
    case .frontSuccess: .frontSuccess
    case .backSuccess: .backSuccess
    case .ocrSuccess: .ocrSuccess
    case .ocrFailure: .ocrFailure
    }
  }
}

/// The payload of `OCR_SUCCESS`. A `nil` property is an absent key; which keys a scan mode has is the contract's table.
public struct OcrResult: Sendable, Equatable {
  /// From the back's barcode alone; `nil` for front-only scans.
  public var identityNumber: IdentityNumber?
  /// Absolute path; `nil` for back-only scans.
  public var frontImage: String?
  /// Absolute path; `nil` for front-only scans.
  public var backImage: String?
  public var documentType: DocumentType
  /// 0 where barcode and expected number are equal, 1 where they differ; `nil` for front-only scans.
  public var distance: Int?
  public var extractedData: ExtractedData

  public init(
    identityNumber: IdentityNumber? = nil, frontImage: String? = nil, backImage: String? = nil,
    documentType: DocumentType, distance: Int? = nil, extractedData: ExtractedData = ExtractedData()
  ) {
    self.identityNumber = identityNumber
    self.frontImage = frontImage
    self.backImage = backImage
    self.documentType = documentType
    self.distance = distance
    self.extractedData = extractedData
  }
}

/// What was read from the front of a new card. Every property is optional: only what was confidently read is there.
public struct ExtractedData: Sendable, Equatable {
  public var name: String?
  public var fatherName: String?
  public var identityNumber: IdentityNumber?
  public var dateOfBirth: CardDate?
  public var dateOfIssue: CardDate?
  public var dateOfExpiry: CardDate?
  public var gender: Gender?
  public var country: String?
  /// The whole recognised text, lines divided by `\n`; `nil` when nothing was recognised.
  public var raw: String?

  public init() {}

  /// The field's value in the contract's form, `nil` where it is absent.
  public subscript(field: FieldName) -> String? {
    switch field {
    case .name: name
    case .fatherName: fatherName
    case .identityNumber: identityNumber?.formatted
    case .dateOfBirth: dateOfBirth?.formatted
    case .dateOfIssue: dateOfIssue?.formatted
    case .dateOfExpiry: dateOfExpiry?.formatted
    case .gender: gender?.rawValue
    case .country: country
    }
  }
}
