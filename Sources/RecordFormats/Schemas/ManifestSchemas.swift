import CardModel

extension Schema {
  private static func frames(_ side: String) -> String {
    """
    {
      "description": "Files of the \(side) in the order they are to be tried, or one text with the paths divided by semicolons.",
      "anyOf": [
        {"type": "array", "maxItems": \(ManifestRow.maximumFrames), "items": {"type": "string", "minLength": 1}},
        {"type": "string"},
        {"type": "null"}
      ]
    }
    """
  }

  private static let rowProperties = """
    "back": \(frames("back")),
    "front": \(frames("front")),
    "id": {"type": "string", "minLength": 1, "maxLength": 1024, "description": "Unique in the manifest; at most 1024 bytes."},
    "identityNumber": {
      "type": ["string", "null"],
      "description": "The expected number, 13 digits with or without dashes. Missing or no number: LAUNCH_FAILURE."
    },
    "imageWidth": {
      "type": ["integer", "null"],
      "minimum": \(PairRequest.imageWidthRange.lowerBound),
      "maximum": \(PairRequest.imageWidthRange.upperBound),
      "description": "Width in pixels of the saved images."
    },
    "scanMode": {"enum": \(words(ScanMode.self).dropLast()),null], "description": "Which sides are scanned."}
    """

  static let manifestRowSource = """
    {\(head(.manifestRow, "A line of an NDJSON manifest: one pair. Paths are relative to the manifest.")),
    "type": "object",
    "additionalProperties": false,
    "required": ["id"],
    "properties": {\(rowProperties)}}
    """

  static let workerRequestSource = """
    {\(head(.workerRequest, "A line that a worker reads: one pair to scan. A line of a manifest with absolute paths is one.")),
    "type": "object",
    "additionalProperties": false,
    "required": ["id"],
    "properties": {
      \(rowProperties),
      "delivery": {"enum": ["android", "ios", null], "description": "The form of the response's events."},
      "imagesDirectory": {"type": ["string", "null"], "pattern": "^/", "description": "Absolute folder that the images are saved in."},
      "reusedFront": {"anyOf": [{"type": "null"}, \(frontCapture)]}
    }}
    """

  static let workerResponseSource = """
    {\(head(.workerResponse, "A line that a worker writes: what became of one pair.")),
    "type": "object",
    "additionalProperties": false,
    "required": ["events", "id", "result", "timings"],
    "properties": {
      "error": {"type": "string", "description": "Why the request was refused; only with the reason invalidRequest."},
      "events": {
        "description": "The pair's event lines in the delivery's form.",
        "anyOf": [{"type": "array", "items": {\(androidEvents)}}, {"type": "array", "items": {\(iosCalls)}}]
      },
      "frontCapture": \(frontCapture),
      "id": {"type": "string", "description": "The request's id; empty where it had none."},
      "result": {\(resultBody)},
      "timings": {
        "type": "object",
        "description": "Milliseconds a stage.",
        "additionalProperties": {"type": "number", "minimum": 0}
      }
    }}
    """
}
