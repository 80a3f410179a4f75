/// A JSON Schema (2020-12) of one format, as `cnicscan schema NAME` prints it. The texts are compiled in, so that an installed
/// binary needs no file beside it; the tests hold real output against them with an independent validator.
package enum Schema: String, Sendable, CaseIterable {
  case result
  case eventAndroid = "event-android"
  case eventIOS = "event-ios"
  case manifestRow = "manifest-row"
  case workerRequest = "worker-request"
  case workerResponse = "worker-response"
  case summary
  case decode
  case timings
  case log
  case reviewDecision = "review-decision"
  case truth

  /// What the schema is for, in a line of help.
  package var purpose: String {
    switch self {
    case .result: "a line of results.ndjson"
    case .eventAndroid: "a line of events.ndjson with --delivery android"
    case .eventIOS: "a line of events.ndjson with --delivery ios"
    case .manifestRow: "a line of an NDJSON manifest"
    case .workerRequest: "a line that `cnicscan worker` reads"
    case .workerResponse: "a line that `cnicscan worker` writes"
    case .summary: "summary.json"
    case .decode: "a line that `cnicscan decode` writes"
    case .timings: "a line of timings.ndjson"
    case .log: "a line of log.ndjson"
    case .reviewDecision: "a line of the decisions that the review pages save"
    case .truth: "a line of truth.ndjson, which `cnicscan specimens` writes"
    }
  }

  /// The schema, indented, with a line end.
  package var text: String {
    do {
      return JSONWriter.indented(try JSONValue.parse(line: Array(source.utf8)))
    } catch {
      // The sources are constants and a test reads each.
      preconditionFailure("the schema \(rawValue) is not JSON: \(error)")
    }
  }

  private var source: String {
    switch self {
    case .result: Self.resultSource
    case .eventAndroid: Self.eventAndroidSource
    case .eventIOS: Self.eventIOSSource
    case .manifestRow: Self.manifestRowSource
    case .workerRequest: Self.workerRequestSource
    case .workerResponse: Self.workerResponseSource
    case .summary: Self.summarySource
    case .decode: Self.decodeSource
    case .timings: Self.timingsSource
    case .log: Self.logSource
    case .reviewDecision: Self.reviewDecisionSource
    case .truth: Self.truthSource
    }
  }

  /// The head of a schema.
  static func head(_ schema: Schema, _ description: String) -> String {
    """
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "$id": "urn:cnicscan:schema:\(schema.rawValue):1",
    "title": "\(schema.rawValue)",
    "description": "\(description)"
    """
  }

  /// The words of a vocabulary as a JSON list.
  static func words<T: RawRepresentable & CaseIterable>(_: T.Type) -> String where T.RawValue == String {
    JSONWriter.text(.array(T.allCases.map { .string($0.rawValue) }))
  }

  /// An object with at most one member for each word of a vocabulary, each of the same form.
  static func object<T: RawRepresentable & CaseIterable>(of _: T.Type, each form: String) -> String
  where T.RawValue == String {
    let members = T.allCases.map { "\"\($0.rawValue)\": \(form)" }.joined(separator: ",\n")
    return "{\"type\": \"object\", \"additionalProperties\": false, \"properties\": {\(members)}}"
  }
}
