import CardModel
import Foundation
import ScanPipeline
import Testing

import RecordFormats

@Suite struct SchemaTests {
  @Test(arguments: Schema.allCases)
  func everySchemaIsASchema(_ schema: Schema) throws {
    // check_schema runs before any line is looked at.
    #expect(try SchemaValidator.verdicts(schema, ["[]"]) == [false])
  }

  @Test func everyEndingMakesAValidResultLine() throws {
    let lines = Examples.all.map { text(ResultLine($0).line) }
    #expect(try SchemaValidator.verdicts(.result, lines) == lines.map { _ in true })
  }

  @Test func everyEndingMakesValidEventLines() throws {
    let android = Examples.all.flatMap { WorkerResponse($0, delivery: .android).eventLines.map(text) }
    #expect(try SchemaValidator.verdicts(.eventAndroid, android) == android.map { _ in true })
    let images = DelegateCall.JPEGImages(front: [1, 2], back: [3])
    let ios = Examples.all.flatMap { WorkerResponse($0, delivery: .ios, images: images).eventLines.map(text) }
    #expect(try SchemaValidator.verdicts(.eventIOS, ios) == ios.map { _ in true })
  }

  @Test func workerLinesAreValid() throws {
    var responses = Delivery.allCases.flatMap { delivery in
      Examples.all.map { text(WorkerResponse($0, delivery: delivery, timings: ["recognise": 12.5]).line) }
    }
    responses.append(text(WorkerResponse(WorkerRequest.Refusal(id: nil, error: FormatError("not JSON"))).line))
    #expect(try SchemaValidator.verdicts(.workerResponse, responses) == responses.map { _ in true })
    let pair = PairRequest(
      id: "a", frontFiles: ["/a.png"], backFiles: [], expectedNumber: nil, reusedFront: Examples.frontCapture())
    let requests = [
      text(WorkerRequest(pair: pair, delivery: .ios, imagesDirectory: "/out").line),
      #"{"id":"a","front":"x.png;y.png"}"#,
    ]
    #expect(try SchemaValidator.verdicts(.workerRequest, requests) == [true, true])
    #expect(
      try SchemaValidator.verdicts(.manifestRow, [text(JSONWriter.line(ManifestRow(id: "a", front: ["b"]).json))]) == [
        true
      ])
  }

  @Test func decodeTimingAndLogLinesAreValid() throws {
    let barcode = DecodedBarcode(
      symbology: .qr, bytes: [0, 255], corners: [FractionPoint(x: 0, y: 0.5)], rung: "raw", reader: "zbar")
    let decode = DecodeLine(
      file: "a.png", barcodes: [.init(page: 0, symbol: barcode, identityNumber: nil, reasons: [.barcodeWithoutNumber])])
    #expect(text(decode.line).contains(#""bytes":"00ff""#))
    let unreadable = DecodeLine(file: "b.png", barcodes: [], reason: .imageDamaged)
    #expect(try SchemaValidator.verdicts(.decode, [text(decode.line), text(unreadable.line)]) == [true, true])
    let timing = TimingLine(id: "a", milliseconds: 12.34567, stages: ["decode": 3])
    #expect(try SchemaValidator.verdicts(.timings, [text(timing.line)]) == [true])
    let log = LogLine(
      time: .init(timeIntervalSince1970: 0), level: .warning, message: "skipped", pair: 3, reason: .fileEmpty)
    #expect(
      text(log.line)
        == #"{"level":"warning","message":"skipped","pair":3,"reason":"fileEmpty","time":"1970-01-01T00:00:00Z"}"#)
    #expect(try SchemaValidator.verdicts(.log, [text(log.line)]) == [true])
  }

  @Test func schemasAreStrict() throws {
    let good = text(ResultLine(Examples.completed(.frontAndBack)).line)
    let bad = [
      good.replacing(#""outcome":"matched""#, with: #""outcome":"mismatched""#),
      good.replacing(#""id":"#, with: #""extra":1,"id":"#),
      good.replacing("01.01.1990", with: "1990-01-01"), good.replacing("12345-1234567-1", with: "1234512345671"),
      good.replacing(#""distance":0,"#, with: ""), good.replacing(#""schemaVersion":1"#, with: #""schemaVersion":2"#),
      good.replacing(#""type":"OCR_SUCCESS""#, with: #""type":"FRONT_FAILURE""#),
    ]
    #expect(try SchemaValidator.verdicts(.result, [good] + bad) == [true] + bad.map { _ in false })
    let events = [
      #"{"id":"a","type":"OCR_FAILURE"}"#, #"{"id":"a","payload":{},"type":"OCR_FAILURE"}"#,
      #"{"id":"a","type":"FRONT_FAILURE"}"#,
      #"{"id":"a","type":"FRONT_SUCCESS"}"#,
    ]
    #expect(try SchemaValidator.verdicts(.eventAndroid, events) == [true, false, false, false])
  }
}
