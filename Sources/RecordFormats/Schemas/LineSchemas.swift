import CardModel

extension Schema {
  static let decodeSource = """
    {\(head(.decode, "A line that cnicscan decode writes: an image file and the barcodes found in it.")),
    "type": "object",
    "additionalProperties": false,
    "required": ["barcodes", "file"],
    "properties": {
      "barcodes": {
        "type": "array",
        "items": {
          "type": "object",
          "additionalProperties": false,
          "required": ["bytes", "fields", "identityNumber", "page", "reader", "reasons", "rung", "symbology", "text"],
          "properties": {
            "bytes": {"type": "string", "pattern": "^([0-9a-f]{2})*$", "description": "The payload's exact bytes in hexadecimal."},
            "fields": {"type": "object", "description": "Further fields of the payload.", "additionalProperties": {"type": "string"}},
            "identityNumber": {"anyOf": [{"type": "null"}, \(number)]},
            "page": {"type": "integer", "minimum": 0, "description": "0-based."},
            "reader": {"enum": ["zxing", "zbar"]},
            "reasons": \(reasons),
            "rung": {"type": "string", "minLength": 1},
            "symbology": {"enum": \(words(Symbology.self))},
            "text": {"type": "string", "description": "The payload as UTF-8, or one character a byte where it is not that."}
          }
        }
      },
      "file": {"type": "string", "description": "The file as given."},
      "reason": {"enum": \(words(Reason.self)), "description": "Why the file could not be looked at."}
    }}
    """

  static let timingsSource = """
    {\(head(.timings, "A line of timings.ndjson: how long a pair took.")),
    "type": "object",
    "additionalProperties": false,
    "required": ["id", "milliseconds", "stages"],
    "properties": {
      "id": \(identifier),
      "milliseconds": {"type": "number", "minimum": 0, "description": "From handing out the pair to having its answer."},
      "secondsSinceStart": {"type": "number", "description": "When it was done, since the run began or was resumed."},
      "stages": {"type": "object", "description": "Milliseconds a stage.", "additionalProperties": {"type": "number", "minimum": 0}}
    }}
    """

  static let logSource = """
    {\(head(.log, "A line of log.ndjson. Nothing read from a card, and no id, stands in it.")),
    "type": "object",
    "additionalProperties": false,
    "required": ["level", "message", "time"],
    "properties": {
      "level": {"enum": \(words(LogLine.Level.self))},
      "message": {"type": "string", "minLength": 1},
      "pair": {"type": "integer", "minimum": 1, "description": "Place of the pair in the input."},
      "reason": {"enum": \(words(Reason.self))},
      "time": {"type": "string", "format": "date-time", "description": "UTC."}
    }}
    """
}
