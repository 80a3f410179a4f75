import CardModel
import Testing

import RecordFormats

/// The contract's tables (shared/spec/response-events.txt), row by row, on the encoders. Keys are written out here, not computed.
@Suite struct ContractTests {
  private func keys(_ json: JSONValue?) -> Set<String> { Set(json?.object?.map(\.key) ?? []) }

  struct Row: Sendable {
    var mode: ScanMode
    var events: [String]
    var payloadKeys: Set<String>
  }

  static let rows = [
    Row(
      mode: .frontAndBack, events: ["FRONT_SUCCESS", "BACK_SUCCESS", "OCR_SUCCESS"],
      payloadKeys: ["identityNumber", "frontImage", "backImage", "documentType", "distance", "extractedData"]),
    Row(
      mode: .frontOnly, events: ["FRONT_SUCCESS", "OCR_SUCCESS"],
      payloadKeys: ["frontImage", "documentType", "extractedData"]),
    Row(
      mode: .backOnly, events: ["BACK_SUCCESS", "OCR_SUCCESS"],
      payloadKeys: ["identityNumber", "backImage", "documentType", "distance", "extractedData"]),
  ]

  @Test(arguments: rows)
  func androidEventsOfAMode(_ row: Row) throws {
    let lines = WorkerResponse(Examples.completed(row.mode), delivery: .android).events
    #expect(lines.map { $0["type"]?.string } == row.events)
    #expect(lines.allSatisfy { keys($0) == ["id", "type", "payload"] })
    #expect(keys(lines.last?["payload"]) == row.payloadKeys)
    for line in lines.dropLast() { #expect(keys(line["payload"]) == ["image"]) }
    if row.mode.includesFront { #expect(lines.first?["payload"]?["image"] == lines.last?["payload"]?["frontImage"]) }
    if row.mode.includesBack {
      #expect(lines.dropLast().last?["payload"]?["image"] == lines.last?["payload"]?["backImage"])
    }
    #expect(row.mode != .backOnly || lines.last?["payload"]?["extractedData"] == .object([]))
  }

  @Test(arguments: rows)
  func resultPayloadOfAMode(_ row: Row) {
    let line = ResultLine(Examples.completed(row.mode)).json
    #expect(keys(line) == ["schemaVersion", "id", "type", "payload", "outcome", "reasons", "batch"])
    #expect(keys(line["payload"]) == row.payloadKeys)
    #expect(line["type"]?.string == "OCR_SUCCESS")
  }

  @Test(arguments: ScanMode.allCases)
  func iosArgumentsOfAMode(_ mode: ScanMode) {
    let images = DelegateCall.JPEGImages(front: Array("front".utf8), back: Array("back".utf8))
    let calls = WorkerResponse(Examples.completed(mode), delivery: .ios, images: images).events
    #expect(calls.map { $0["method"]?.string } == ["handleInfo", "handleResponse"])
    #expect(calls.first?["arguments"] == .object([.init("message", .string("Ocr initialized"))]))
    let arguments = calls.last?["arguments"]
    #expect(
      keys(arguments) == ["identityNumber", "frontImage", "backImage", "documentType", "distance", "extractedData"])
    #expect(arguments?["identityNumber"] == (mode == .frontOnly ? .null : .string("12345-1234567-1")))
    #expect(arguments?["frontImage"] == .string(mode == .backOnly ? "" : "ZnJvbnQ="))
    #expect(arguments?["backImage"] == .string(mode == .frontOnly ? "" : "YmFjaw=="))
    #expect(arguments?["distance"] == .double(mode == .frontOnly ? 1 : 0))
  }

  @Test func iosDistanceIsWrittenAsAFraction() {
    let line = DelegateCall.handleResponse(.init(Examples.success(.frontOnly), images: .init())).line(id: "a")
    #expect(text(line).contains(#""distance":1.0,"#))
    #expect(
      text(EventLine.line(id: "a", .ocrSuccess(Examples.success(.backOnly, distance: 1)))).contains(#""distance":1,"#))
  }

  @Test func eventsWithoutPayloadCarryNone() {
    #expect(text(EventLine.line(id: "a", .ocrFailure)) == #"{"id":"a","type":"OCR_FAILURE"}"#)
    #expect(text(EventLine.line(id: "a", .launchFailure)) == #"{"id":"a","type":"LAUNCH_FAILURE"}"#)
    #expect(ResultLine(Examples.rescan).json["payload"] == nil)
    #expect(ResultLine(Examples.launchFailure).json["payload"] == nil)
  }

  @Test func aPairWithoutAFinalEventHasANullType() {
    for record in [Examples.noValidFrame, Examples.crashed] {
      #expect(ResultLine(record).json["type"] == .null)
      #expect(ResultLine(record).json["payload"] == nil)
    }
  }

  @Test func everyFieldStandsInTheContractsForm() {
    let expected = #"""
      {"country":"Pakistan","dateOfBirth":"01.01.1990","dateOfExpiry":"01.01.2030","dateOfIssue":"01.01.2020",\#
      "fatherName":"Richard Doe","gender":"M","identityNumber":"12345-1234567-1","name":"John Doe","raw":"Name\nJohn Doe"}
      """#
    #expect(JSONWriter.text(Examples.data().wire) == expected)
    #expect(JSONWriter.text(ExtractedData().wire) == "{}")
  }

  @Test func iosHasNoPerSideEventsAndNoCallForFailures() {
    func calls(_ record: PairRecord) -> [DelegateCall] { DelegateCall.calls(for: record, images: .init()) }
    #expect(calls(Examples.launchFailure) == [])
    #expect(calls(Examples.rescan) == [.initialized, .closed])
    #expect(calls(Examples.noValidFrame) == [.initialized, .closed])
    #expect(calls(Examples.crashed) == [.initialized, .closed])
    #expect(calls(Examples.withoutSource) == [.initialized, .noCamera])
    #expect(
      text(DelegateCall.noCamera.line(id: "a"))
        == #"{"arguments":{"code":"no_camera"},"id":"a","method":"handleError"}"#)
    #expect(
      text(DelegateCall.closed.line(id: "a"))
        == #"{"arguments":{"message":"Ocr closed"},"id":"a","method":"handleInfo"}"#)
  }

  @Test func reservedEventsAreRefused() {
    #expect(throws: FormatError.self) {
      try EventLine.read(.object([.init("id", .string("a")), .init("type", .string("FRONT_FAILURE"))]))
    }
  }
}
