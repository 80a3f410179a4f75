import CardModel

// What several schemas share: the contract's payloads and the values in them.
extension Schema {
  static let number =
    #"{"type": "string", "pattern": "^[0-9]{5}-[0-9]{7}-[0-9]$", "description": "A CNIC number, #####-#######-#."}"#
  static let date =
    #"{"type": "string", "pattern": "^[0-9]{2}\\.[0-9]{2}\\.[0-9]{4}$", "description": "A date, DD.MM.YYYY, that the calendar has."}"#
  static let path = #"{"type": "string", "pattern": "^/", "description": "Absolute path of a saved PNG."}"#
  static let fraction = #"{"type": "number", "minimum": 0, "maximum": 1}"#
  static let identifier = #"{"type": "string", "minLength": 1, "description": "The pair's id."}"#

  static let extractedData = """
    {
      "type": "object",
      "description": "What was read from the front of a new card; only what was confidently read. Empty for old cards, back-only scans, or when nothing was recognised.",
      "additionalProperties": false,
      "properties": {
        "name": {"type": "string", "minLength": 1, "description": "The holder's name as printed."},
        "fatherName": {"type": "string", "minLength": 1, "description": "The father's (or husband's) name as printed."},
        "identityNumber": \(number),
        "dateOfBirth": \(date),
        "dateOfIssue": \(date),
        "dateOfExpiry": \(date),
        "gender": {"enum": \(words(Gender.self)), "description": "M male, F female, X transgender."},
        "country": {"type": "string", "minLength": 1, "description": "Country of stay."},
        "raw": {"type": "string", "minLength": 1, "description": "The whole recognised text; it may hold line breaks."}
      }
    }
    """

  static let successPayload = """
    {
      "type": "object",
      "description": "The payload of OCR_SUCCESS. Front only: no identityNumber, backImage, distance. Back only: no frontImage, extractedData is empty.",
      "additionalProperties": false,
      "required": ["documentType", "extractedData"],
      "properties": {
        "identityNumber": \(number),
        "frontImage": \(path),
        "backImage": \(path),
        "documentType": {"enum": \(words(DocumentType.self)), "description": "new: chip-based card; old: legacy card."},
        "distance": {"enum": [0, 1], "description": "0: the barcode's number is the expected one; 1: they differ."},
        "extractedData": \(extractedData)
      },
      "oneOf": [
        {"required": ["identityNumber", "backImage", "distance"]},
        {
          "required": ["frontImage"],
          "not": {"anyOf": [{"required": ["identityNumber"]}, {"required": ["backImage"]}, {"required": ["distance"]}]}
        }
      ]
    }
    """

  static let boxes = object(
    of: FieldName.self,
    each: """
      {
        "type": "object",
        "additionalProperties": false,
        "required": ["x", "y", "width", "height"],
        "properties": {"x": {"type": "number"}, "y": {"type": "number"}, "width": {"type": "number"}, "height": {"type": "number"}}
      }
      """)

  static let quality = """
    {
      "type": "object",
      "additionalProperties": false,
      "required": ["brightness", "cardWidthPixels", "cutOff", "focus", "glare", "outlineConfidence"],
      "properties": {
        "brightness": {"type": "number", "description": "Median luma, 0 black, 1 white."},
        "cardWidthPixels": {"type": "integer", "minimum": 0, "description": "The card's width in pixels of the source image."},
        "cutOff": {"type": "number", "description": "Fraction of the card that lies outside the image."},
        "focus": {"type": "number", "description": "1 is sharp."},
        "glare": {"type": "number", "description": "Fraction of the card that is blown out."},
        "outlineConfidence": {"type": "number", "description": "How sure the card's outline is."}
      }
    }
    """

  static let reasons =
    #"{"type": "array", "description": "Stable codes, in the order they arose.", "items": {"enum": \#(words(Reason.self))}}"#

  static let frontCapture = """
    {
      "type": "object",
      "description": "A captured front, kept so that only the back need be scanned again.",
      "additionalProperties": false,
      "required": ["documentType", "extractedData", "image"],
      "properties": {
        "boxes": \(boxes),
        "confidence": \(object(of: FieldName.self, each: fraction)),
        "documentType": {"enum": \(words(DocumentType.self))},
        "extractedData": \(extractedData),
        "image": \(path),
        "lifetime": {"type": "boolean"},
        "quality": \(quality),
        "reasons": \(reasons)
      }
    }
    """
}
