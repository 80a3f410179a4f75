import CardModel

extension Schema {
  private static let count = #"{"type": "integer", "minimum": 0}"#
  private static let milliseconds = #"{"type": "number", "minimum": 0}"#

  static let summarySource = """
    {\(head(.summary, "What a run came to, in counts. found = the sum of outcomes + skipped.")),
    "type": "object",
    "additionalProperties": false,
    "required": [
      "addsUp", "checks", "confidence", "documentTypes", "duplicateGroups", "fields", "found", "framesSetAside", "needsPerson",
      "newFronts", "outcomes", "pairsPerSecond", "reasons", "refusedRows", "schemaVersion", "seconds", "skipped", "stages",
      "symbologies", "throughput", "unpairedFiles", "workersReplaced"
    ],
    "properties": {
      "addsUp": {"type": "boolean", "description": "Whether found is the sum of outcomes and skipped; if not, the run exits 70."},
      "checks": \(object(of: Check.self, each: object(of: CheckResult.self, each: count))),
      "confidence": {
        "type": "array",
        "description": "Emitted fields by confidence, in bins of equal width over 0...1.",
        "minItems": \(Summary.confidenceBins),
        "maxItems": \(Summary.confidenceBins),
        "items": \(count)
      },
      "documentTypes": \(object(of: DocumentType.self, each: count)),
      "duplicateGroups": {"type": "integer", "minimum": 0, "description": "Groups with one number or image under several ids."},
      "fields": \(object(of: FieldName.self, each: count)),
      "found": {"type": "integer", "minimum": 0, "description": "Pairs of the input."},
      "framesSetAside": \(object(of: Reason.self, each: count)),
      "needsPerson": {"type": "integer", "minimum": 0, "description": "Pairs that a person should look at."},
      "newFronts": {"type": "integer", "minimum": 0, "description": "Completed scans with a new card's front; fields are parts of it."},
      "outcomes": \(object(of: Outcome.self, each: count)),
      "pairsPerSecond": {"type": "number", "minimum": 0},
      "reasons": \(object(of: Reason.self, each: count)),
      "refusedRows": {"type": "integer", "minimum": 0, "description": "Rows of the manifest that name no pair."},
      "schemaVersion": {"const": \(Summary.schemaVersion)},
      "seconds": {"type": "number", "minimum": 0, "description": "Wall time of the run that ended it."},
      "skipped": {"type": "integer", "minimum": 0, "description": "Pairs done by an earlier run and unchanged."},
      "stages": {
        "type": "object",
        "additionalProperties": {
          "type": "object",
          "additionalProperties": false,
          "required": ["count", "maximumMilliseconds", "meanMilliseconds", "medianMilliseconds", "p95Milliseconds"],
          "properties": {
            "count": \(count),
            "maximumMilliseconds": \(milliseconds),
            "meanMilliseconds": \(milliseconds),
            "medianMilliseconds": \(milliseconds),
            "p95Milliseconds": \(milliseconds)
          }
        }
      },
      "symbologies": \(object(of: Symbology.self, each: count)),
      "throughput": {
        "type": "object",
        "additionalProperties": false,
        "required": ["bucketSeconds", "pairs"],
        "properties": {
          "bucketSeconds": {"type": "number", "exclusiveMinimum": 0},
          "pairs": {"type": "array", "maxItems": \(Summary.Throughput.maximumBuckets), "items": \(count)}
        }
      },
      "unpairedFiles": {"type": "integer", "minimum": 0, "description": "Files of a directory that belong to no pair."},
      "workersReplaced": \(count)
    }}
    """
}
