package import CardModel

/// The lines of `events.ndjson` in Android's form: `{"id":…,"type":…,"payload":{…}}`, one an event, in the order they were posted.
/// `payload` is left out where the event has none.
package enum EventLine {
  /// The event as a JSON value.
  package static func json(id: String, _ event: ScanEvent) -> JSONValue {
    var builder = ObjectBuilder()
    builder.add("id", .string(id))
    if let payload = event.wirePayload { builder.add("payload", payload) }
    builder.add("type", .string(event.type.rawValue))
    return builder.value
  }

  /// The event's line, without the line end.
  package static func line(id: String, _ event: ScanEvent) -> [UInt8] { JSONWriter.line(json(id: id, event)) }

  /// Reads an event line's JSON value: the pair's id and the event.
  package static func read(_ json: JSONValue) throws(FormatError) -> (id: String, event: ScanEvent) {
    let fields = try WireFields(json, known: ["id", "type", "payload"])
    let type: EventType = try fields.word("type")
    let payload = fields.value("payload")
    return (try fields.text("id"), try event(type, payload))
  }

  private static func event(_ type: EventType, _ payload: JSONValue?) throws(FormatError) -> ScanEvent {
    switch (type, payload) {
    case (.launchFailure, nil): return .launchFailure
    case (.ocrFailure, nil): return .ocrFailure
    case (.frontSuccess, .some(let payload)):
      return .frontSuccess(image: try WireFields(payload, path: "payload").text("image"))
    case (.backSuccess, .some(let payload)):
      return .backSuccess(image: try WireFields(payload, path: "payload").text("image"))
    case (.ocrSuccess, .some(let payload)): return .ocrSuccess(try OcrResult(wire: payload, path: "payload"))
    case (.frontFailure, _), (.backFailure, _): throw FormatError("`type` is reserved and never posted")
    default: throw FormatError("`payload` and `type` do not agree")
    }
  }
}
