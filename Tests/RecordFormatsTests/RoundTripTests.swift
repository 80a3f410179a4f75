import CardModel
import Testing

import RecordFormats

@Suite struct RoundTripTests {
  @Test(arguments: Examples.all.indices)
  func aResultLineComesBack(_ index: Int) throws {
    let line = ResultLine(Examples.all[index]).line
    let again = try ResultLine(line: line)
    #expect(again.line == line)
    #expect(again.outcome == Examples.all[index].outcome)
    #expect(again.details.checks == Examples.all[index].details.checks)
  }

  @Test func whatALaterVersionAddsIsPassedOver() throws {
    let known = Examples.completed(.frontAndBack)
    var later = text(ResultLine(known).line)
    for (here, there) in [
      (#""checks":{"#, #""checks":{"laterCheck":{"any":1},"#),
      (#""confidence":{"#, #""confidence":{"laterField":"high","#),
      (#""boxes":{"#, #""boxes":{"laterField":[0,0,1,1],"#), (#""quality":{"#, #""quality":{"laterSide":{},"#),
      (#""reasons":["#, #""reasons":["laterReason""#), (#""batch":{"#, #""batch":{"laterMember":1,"#),
      (#""frames":["#, #""frames":[{"file":0,"page":0,"reason":"laterReason","side":"front"},"#),
    ] {
      #expect(later.contains(here))
      later = later.replacing(here, with: there)
    }
    #expect(try ResultLine(line: Array(later.utf8)) == ResultLine(line: ResultLine(known).line))
  }

  @Test(arguments: [
    (#""genderMatchesNumber":"fail""#, #""genderMatchesNumber":3"#), (#""reasons":[]"#, #""reasons":[1]"#),
    (#""checks":{"#, #""checks":[{"#),
  ])
  func whatIsDamagedIsStillRefused(_ here: String, _ there: String) {
    let good = text(ResultLine(Examples.completed(.frontAndBack)).line)
    #expect(good.contains(here))
    #expect(throws: FormatError.self) { try ResultLine(line: Array(good.replacing(here, with: there).utf8)) }
  }

  @Test(arguments: Delivery.allCases)
  func aResponseComesBack(_ delivery: Delivery) throws {
    for record in Examples.all {
      let response = WorkerResponse(record, delivery: delivery, timings: ["decode": 1.5])
      let again = try WorkerResponse(line: response.line)
      #expect(again.line == response.line)
      #expect(again.eventLines == response.eventLines)
      #expect(again.frontCapture == record.frontCapture)
    }
  }

  @Test func aRequestComesBack() throws {
    var pair = PairRequest(
      id: "x y", frontFiles: ["/a;b.png", "/c.png"], backFiles: [], expectedNumber: "12345-1234567-1",
      scanMode: .frontOnly,
      imageWidthPixels: 640)
    pair.reusedFront = Examples.frontCapture()
    let request = WorkerRequest(pair: pair, delivery: .ios, imagesDirectory: "/out/images")
    #expect(try WorkerRequest(line: request.line) == request)
  }

  @Test func aManifestRowIsARequest() throws {
    let line = #"{"id":"a","front":["f.png"],"back":"b.png; c.png","identityNumber":null}"#
    let defaults = ManifestDefaults(scanMode: .backOnly, imageWidthPixels: 500)
    let request = try WorkerRequest(line: Array(line.utf8), defaults: defaults)
    #expect(
      request.pair
        == PairRequest(
          id: "a", frontFiles: ["f.png"], backFiles: ["b.png", "c.png"], expectedNumber: nil, scanMode: .backOnly,
          imageWidthPixels: 500))
  }

  @Test(arguments: [
    "", "{", "[]", "null", "\u{0}", #"{"id":1}"#, #"{"id":""}"#, #"{"front":[]}"#, #"{"id":"a","scanMode":"both"}"#,
    #"{"id":"a","x":1}"#,
    #"{"id":"a","id":"b"}"#, #"{"id":"a","imageWidth":1e9}"#, #"{"id":"a","imageWidth":63}"#,
    #"{"id":"a","front":[1]}"#,
    #"{"id":"a","front":{"a":1}}"#, #"{"id":"a","imagesDirectory":"out"}"#, #"{"id":"a","reusedFront":{}}"#,
    #"{"id":"\ud800"}"#,
    #"{"id":"a","front":["\u0000"]}"#, String(repeating: "[", count: 100_000), #"{"id":"a"} x"#,
    #"{"id":"a","imageWidth":01}"#,
  ])
  func aHostileRequestIsRefused(_ line: String) {
    #expect(throws: WorkerRequest.Refusal.self) { try WorkerRequest(line: Array(line.utf8)) }
  }

  @Test func aRefusalKeepsTheIdAndSaysWhy() throws {
    do {
      _ = try WorkerRequest(line: Array(#"{"id":"a","scanMode":"both"}"#.utf8))
      Issue.record("the line was taken")
    } catch let refusal {
      let response = WorkerResponse(refusal)
      #expect(response.id == "a")
      #expect(response.error == "`scanMode` is none of frontAndBack, frontOnly, backOnly")
      #expect(response.result.reasons == [.invalidRequest])
    }
  }

  @Test func invalidUTF8IsRefused() {
    #expect(throws: WorkerRequest.Refusal.self) {
      try WorkerRequest(line: Array(#"{"id":""#.utf8) + [0xFF] + Array(#""}"#.utf8))
    }
  }

  @Test func truncatedLinesAreRefusedAtEveryByte() {
    let line = WorkerResponse(Examples.rescan, delivery: .android, timings: ["decode": 1.5]).line
    for count in 0..<line.count {
      #expect(throws: FormatError.self) { try WorkerResponse(line: line.prefix(count)) }
    }
  }
}
