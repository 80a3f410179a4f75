import CardModel

extension Schema {
  static let batch = """
    {
      "type": "object",
      "description": "What batch work adds to the SDK's payload.",
      "additionalProperties": false,
      "properties": {
        "barcode": {
          "type": "object",
          "description": "What the back's barcode said.",
          "additionalProperties": false,
          "required": ["reader", "rung", "symbology"],
          "properties": {
            "fields": {"type": "object", "description": "Further fields of the payload.", "additionalProperties": {"type": "string"}},
            "identityNumber": \(number),
            "reader": {"enum": ["zxing", "zbar"], "description": "The library that read it."},
            "rung": {"type": "string", "minLength": 1, "description": "The step of the ladder that read it."},
            "symbology": {"enum": \(words(Symbology.self))}
          }
        },
        "boxes": \(boxes),
        "checks": \(object(of: Check.self, each: "{\"enum\": \(words(CheckResult.self))}")),
        "confidence": \(object(of: FieldName.self, each: fraction)),
        "expectedNumber": \(number),
        "frames": {
          "type": "array",
          "description": "Frames that were set aside, in the order they were tried.",
          "items": {
            "type": "object",
            "additionalProperties": false,
            "required": ["file", "page", "reason", "side"],
            "properties": {
              "file": {"type": "integer", "minimum": 0, "description": "0-based place among the side's files."},
              "page": {"type": "integer", "minimum": 0, "description": "0-based page in the file."},
              "reason": {"enum": \(words(Reason.self))},
              "side": {"enum": \(words(CardSide.self))}
            }
          }
        },
        "images": {
          "type": "array",
          "description": "The names, in OUT/images, of all card images that were saved, in the order of their events.",
          "items": {"type": "string", "minLength": 1}
        },
        "lifetime": {"type": "boolean", "description": "true where the card has no expiry date; dateOfExpiry is then absent."},
        "quality": \(object(of: CardSide.self, each: quality))
      }
    }
    """

  static let resultBody = """
    "type": "object",
    "additionalProperties": false,
    "required": ["batch", "id", "outcome", "reasons", "schemaVersion", "type"],
    "properties": {
      "batch": \(batch),
      "id": {"type": "string", "description": "The pair's id; empty where a worker was sent a line without one."},
      "outcome": {"enum": \(words(Outcome.self)), "description": "How the pair ended."},
      "payload": \(successPayload),
      "reasons": \(reasons),
      "schemaVersion": {"const": \(ResultLine.schemaVersion)},
      "type": {"enum": ["LAUNCH_FAILURE", "OCR_SUCCESS", "OCR_FAILURE", null], "description": "The final event, null where there was none."}
    },
    "allOf": [
      {
        "if": {"properties": {"type": {"const": "OCR_SUCCESS"}}},
        "then": {"required": ["payload"], "properties": {"outcome": {"enum": ["matched", "mismatched", "unverified"]}}},
        "else": {"not": {"required": ["payload"]}}
      },
      {
        "if": {"properties": {"outcome": {"const": "matched"}}},
        "then": {"properties": {"payload": {"required": ["distance"], "properties": {"distance": {"const": 0}}}}}
      },
      {
        "if": {"properties": {"outcome": {"const": "mismatched"}}},
        "then": {"properties": {"payload": {"required": ["distance"], "properties": {"distance": {"const": 1}}}}}
      },
      {
        "if": {"properties": {"type": {"const": "LAUNCH_FAILURE"}}},
        "then": {"properties": {"outcome": {"const": "launchFailure"}}}
      },
      {
        "if": {"properties": {"outcome": {"enum": ["matched", "mismatched", "unverified"]}}},
        "then": {"properties": {"type": {"const": "OCR_SUCCESS"}}}
      }
    ]
    """

  static let resultSource = """
    {\(head(.result, "A line of results.ndjson: what became of one pair. No clock, host, input path or random id stands in it.")),
    \(resultBody)}
    """
}
