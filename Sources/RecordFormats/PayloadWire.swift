package import CardModel

// The contract's payloads as JSON: `extractedData`, and what each event carries. Android's event lines, the result lines
// and iOS's arguments are made of these, so that a key is spelt in one place.

extension ExtractedData {
  /// Exactly the fields that are there, and `raw` where anything was recognised.
  package var wire: JSONValue {
    var builder = ObjectBuilder()
    for field in FieldName.allCases { builder.add(field.rawValue, text: self[field]) }
    builder.add("raw", text: raw)
    return builder.value
  }

  init(wire value: JSONValue, path: String) throws(FormatError) {
    let fields = try WireFields(value, path: path)
    self.init()
    name = try fields.optionalText("name")
    fatherName = try fields.optionalText("fatherName")
    identityNumber = try fields.identityNumber("identityNumber")
    dateOfBirth = try fields.date("dateOfBirth")
    dateOfIssue = try fields.date("dateOfIssue")
    dateOfExpiry = try fields.date("dateOfExpiry")
    gender = try fields.optionalWord("gender")
    country = try fields.optionalText("country")
    raw = try fields.optionalText("raw")
  }
}

extension OcrResult {
  /// The payload of `OCR_SUCCESS` on Android; absent keys are left out.
  package var wire: JSONValue {
    var builder = ObjectBuilder()
    builder.add("backImage", text: backImage)
    builder.add("distance", number: distance)
    builder.add("documentType", .string(documentType.rawValue))
    builder.add("extractedData", extractedData.wire)
    builder.add("frontImage", text: frontImage)
    builder.add("identityNumber", text: identityNumber?.formatted)
    return builder.value
  }

  init(wire value: JSONValue, path: String) throws(FormatError) {
    let fields = try WireFields(value, path: path)
    guard let data = fields.value("extractedData") else {
      throw FormatError("`\(fields.pathOf("extractedData"))` is missing")
    }
    self.init(
      identityNumber: try fields.identityNumber("identityNumber"), frontImage: try fields.optionalText("frontImage"),
      backImage: try fields.optionalText("backImage"), documentType: try fields.word("documentType"),
      distance: try fields.optionalInt("distance"),
      extractedData: try ExtractedData(wire: data, path: fields.pathOf("extractedData")))
  }
}

extension ScanEvent {
  /// What stands under `payload`; `nil` where the event has none.
  var wirePayload: JSONValue? {
    switch self {
    case .launchFailure, .ocrFailure: nil
    case .frontSuccess(let image), .backSuccess(let image): .object([.init("image", .string(image))])
    case .ocrSuccess(let result): result.wire
    }
  }

  /// Whether a pair can end with this event.
  var isFinal: Bool {
    switch self {
    case .launchFailure, .ocrSuccess, .ocrFailure: true
    case .frontSuccess, .backSuccess: false
    }
  }
}

extension WireFields {
  func identityNumber(_ key: String) throws(FormatError) -> IdentityNumber? {
    try optional(key, "is not an identity number") { $0.string.flatMap { IdentityNumber($0) } }
  }

  func date(_ key: String) throws(FormatError) -> CardDate? {
    try optional(key, "is not a date DD.MM.YYYY") { $0.string.flatMap { CardDate($0) } }
  }
}
