package import CardModel

/// A line that a worker writes: what became of one pair, its events, and how long each stage took.
package struct WorkerResponse: Sendable, Equatable {
  package var id: String
  package var result: ResultLine
  /// Complete event lines in the delivery's form, in order.
  package var events: [JSONValue]
  /// Milliseconds a stage, e.g. `recognise`. They stand in `timings.ndjson`, never in results.
  package var timings: [String: Double]
  /// The front to reuse when the back is scanned again; only where the outcome is `rescanBack`.
  package var frontCapture: FrontCapture?
  /// Why a request was refused, for its sender; only with `Reason.invalidRequest`.
  package var error: String?

  /// The response to a pair that was scanned.
  /// - Parameter images: needed for `.ios` alone.
  package init(
    _ record: PairRecord, delivery: Delivery, images: DelegateCall.JPEGImages = DelegateCall.JPEGImages(),
    timings: [String: Double] = [:]
  ) {
    id = record.id
    result = ResultLine(record)
    switch delivery {
    case .android: events = record.events.map { EventLine.json(id: record.id, $0) }
    case .ios: events = DelegateCall.calls(for: record, images: images).map { $0.json(id: record.id) }
    }
    self.timings = timings
    frontCapture = record.frontCapture
  }

  /// The response to a line that is no request. The id is empty where the line gave none.
  package init(_ refusal: WorkerRequest.Refusal) {
    id = refusal.id ?? ""
    result = .failed(id: id, .invalidRequest)
    events = []
    timings = [:]
    error = refusal.error.description
  }

  /// The lines for `events.ndjson`, without line ends.
  package var eventLines: [[UInt8]] { events.map(JSONWriter.line) }

  /// The response's line, without the line end.
  package var line: [UInt8] { JSONWriter.line(json) }

  /// The response as a JSON value.
  package var json: JSONValue {
    var builder = ObjectBuilder()
    builder.add("error", text: error)
    builder.add("events", .array(events))
    if let frontCapture { builder.add("frontCapture", frontCapture.json) }
    builder.add("id", .string(id))
    builder.add("result", result.json)
    builder.add("timings", .object(timings.map { .init($0.key, .double($0.value)) }))
    return builder.value
  }

  /// Reads a worker's line. Events are taken as they are; the result is read and checked.
  package init(line: some Collection<UInt8>) throws(FormatError) {
    let fields = try WireFields(JSONValue.parse(line: line))
    id = try fields.text("id")
    guard let result = fields.value("result") else { throw FormatError("`result` is missing") }
    self.result = try ResultLine(json: result)
    guard self.result.id.isExactly(id) else { throw FormatError("`result.id` is not `id`") }
    events = try fields.required("events", "is not a list") { $0.array }
    timings = [:]
    for member in try fields.required("timings", "is not an object", { $0.object }) {
      guard let milliseconds = member.value.double else {
        throw FormatError("`timings` holds something other than numbers")
      }
      timings[member.key] = milliseconds
    }
    if let front = fields.value("frontCapture") { frontCapture = try FrontCapture(json: front) }
    error = try fields.optionalText("error")
  }
}
