package import CardModel

/// A line of `results.ndjson`: what became of one pair. No clock, host, input path or random id stands in it.
package struct ResultLine: Sendable, Equatable {
  /// Raised when a key changes its meaning or goes; new keys may come without.
  package static let schemaVersion = 1

  package var id: String
  /// The final event, `nil` where the pair ended without one.
  package var type: EventType?
  /// The final event's payload where it has one: only `OCR_SUCCESS` does.
  package var payload: OcrResult?
  package var outcome: Outcome
  package var reasons: [Reason]
  package var details: PairDetails

  package init(
    id: String, type: EventType?, payload: OcrResult? = nil, outcome: Outcome, reasons: [Reason] = [],
    details: PairDetails = PairDetails()
  ) {
    self.id = id
    self.type = type
    self.payload = payload
    self.outcome = outcome
    self.reasons = reasons
    self.details = details
  }

  /// The line of a scanned pair.
  package init(_ record: PairRecord) {
    let final = record.events.last.flatMap { $0.isFinal ? $0 : nil }
    var payload: OcrResult?
    if case .ocrSuccess(let result) = final { payload = result }
    self.init(
      id: record.id, type: final?.type, payload: payload, outcome: record.outcome, reasons: record.reasons,
      details: record.details)
  }

  /// The line of a pair that no worker could answer for, e.g. after a crash or a time limit.
  package static func failed(id: String, _ reason: Reason) -> ResultLine {
    ResultLine(id: id, type: nil, outcome: .failed, reasons: [reason])
  }

  /// The line's bytes, without the line end; the same for the same values, always.
  package var line: [UInt8] { JSONWriter.line(json) }

  /// The line as a JSON value.
  package var json: JSONValue {
    var builder = ObjectBuilder()
    builder.add("batch", details.wire)
    builder.add("id", .string(id))
    builder.add("outcome", .string(outcome.rawValue))
    if let payload { builder.add("payload", payload.wire) }
    builder.add("reasons", .array(reasons.map { .string($0.rawValue) }))
    builder.add("schemaVersion", .int(Self.schemaVersion))
    builder.add("type", type.map { .string($0.rawValue) } ?? .null)
    return builder.value
  }

  /// Reads a line that this type wrote, e.g. to resume, export or merge. Keys of a later version are passed over.
  /// - Throws: `FormatError` for anything that is no result line, e.g. a torn one.
  package init(line: some Collection<UInt8>) throws(FormatError) { try self.init(json: JSONValue.parse(line: line)) }

  /// Reads a result line's JSON value.
  package init(json: JSONValue) throws(FormatError) {
    let fields = try WireFields(json)
    guard try fields.int("schemaVersion") == Self.schemaVersion else {
      throw FormatError("`schemaVersion` is not \(Self.schemaVersion)")
    }
    self.init(
      id: try fields.text("id"), type: try fields.optionalWord("type"), outcome: try fields.word("outcome"),
      reasons: try fields.words("reasons"))
    if let payload = fields.value("payload") { self.payload = try OcrResult(wire: payload, path: "payload") }
    if let batch = try fields.fields("batch") { details = try PairDetails(wire: batch) }
    guard (type == .ocrSuccess) == (payload != nil) else { throw FormatError("`payload` and `type` do not agree") }
  }
}
