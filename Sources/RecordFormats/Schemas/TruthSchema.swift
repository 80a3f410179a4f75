import CardModel

extension Schema {
  private static let point = #"{"type": "array", "minItems": 2, "maxItems": 2, "items": {"type": "number"}}"#
  private static let box = #"{"type": "array", "minItems": 4, "maxItems": 4, "items": {"type": "number"}}"#

  private static let side = """
    {
      "type": "object",
      "additionalProperties": false,
      "required": ["corners", "damage", "file", "heightPixels", "page", "turnDegrees", "valueBoxes", "widthPixels"],
      "properties": {
        "barcode": {
          "type": "object",
          "additionalProperties": false,
          "required": ["payload", "shape", "symbology"],
          "properties": {
            "payload": {"type": "string", "pattern": "^([0-9a-f]{2})*$", "description": "The exact bytes in hexadecimal."},
            "shape": {"type": "string"},
            "symbology": {"type": "string"}
          }
        },
        "barcodeBox": \(box),
        "corners": {"type": "array", "minItems": 4, "maxItems": 4, "items": \(point), "description": "Pixels, from the card's own top left."},
        "damage": {"type": "object", "description": "What was done to the image; see the specimens' own documentation."},
        "file": {"type": "string", "minLength": 1},
        "heightPixels": {"type": "integer", "minimum": 1},
        "page": {"type": "integer", "minimum": 0, "description": "The page in the file, from 0."},
        "turnDegrees": {"enum": [0, 90, 180, 270]},
        "valueBoxes": \(object(of: FieldName.self, each: box)),
        "widthPixels": {"type": "integer", "minimum": 1}
      }
    }
    """

  static let truthSource = """
    {\(head(.truth, "What is true of a specimen pair. No person exists behind it.")),
    "type": "object",
    "additionalProperties": false,
    "required": [
      "back", "documentType", "expectedNumber", "extractedData", "front", "id", "identityNumber", "level", "lifetime", "overseas",
      "printing"
    ],
    "properties": {
      "back": \(side),
      "barcodeNumber": \(number),
      "documentType": {"enum": \(words(DocumentType.self))},
      "expectedNumber": {"type": "string"},
      "extractedData": \(extractedData),
      "front": \(side),
      "id": \(identifier),
      "identityNumber": \(number),
      "level": {"enum": ["clean", "scan", "photo", "hard"]},
      "lifetime": {"type": "boolean"},
      "overseas": {"type": "boolean"},
      "personsOnPage": {"type": "integer", "minimum": 1, "description": "How many persons' cards the file shows; only where both sides share it."},
      "printing": {"type": "object", "description": "The printing that was drawn: fonts, rules, place of the chip."}
    }}
    """
}
