import CardModel

extension Schema {
  private static func correction(_ form: String) -> String { "{\"anyOf\": [{\"type\": \"null\"}, \(form)]}" }
  private static let text = #"{"type": "string", "minLength": 1, "maxLength": 1000}"#

  static let reviewDecisionSource = """
    {\(head(.reviewDecision, "What a person made of a pair, as the review pages save it.")),
    "type": "object",
    "additionalProperties": false,
    "required": ["decidedAt", "decision", "id", "run", "schemaVersion"],
    "properties": {
      "corrections": {
        "type": "object",
        "description": "The right values; null takes a field away.",
        "minProperties": 1,
        "additionalProperties": false,
        "properties": {
          "name": \(correction(text)),
          "fatherName": \(correction(text)),
          "identityNumber": \(correction(number)),
          "dateOfBirth": \(correction(date)),
          "dateOfIssue": \(correction(date)),
          "dateOfExpiry": \(correction(date)),
          "gender": \(correction("{\"enum\": \(words(Gender.self))}")),
          "country": \(correction(text))
        }
      },
      "decidedAt": {"type": "string", "format": "date-time"},
      "decision": {"enum": \(words(ReviewDecision.Verdict.self))},
      "id": \(identifier),
      "note": {"type": "string"},
      "run": {"type": "string", "description": "The folder of the run whose result was looked at."},
      "schemaVersion": {"const": \(ReviewDecision.schemaVersion)}
    },
    "if": {"properties": {"decision": {"const": "corrected"}}},
    "then": {"required": ["corrections"]},
    "else": {"not": {"required": ["corrections"]}}}
    """
}
