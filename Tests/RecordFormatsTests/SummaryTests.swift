import CardModel
import RecordFormats
import Testing

@Suite struct SummaryTests {
  static func example() -> Summary {
    var builder = SummaryBuilder()
    for (index, record) in Examples.all.enumerated() {
      builder.add(ResultLine(record), stages: ["decode": Double(index) + 1], secondsSinceStart: Double(index))
    }
    var summary = builder.summary(found: Examples.all.count + 3, skipped: 3, seconds: 5)
    summary.refusedRows = 2
    return summary
  }

  @Test func countsAreTheResults() throws {
    let summary = Self.example()
    #expect(
      summary.outcomes == [
        .matched: 3, .unverified: 1, .mismatched: 1, .launchFailure: 1, .rescanBack: 1, .noValidFrame: 1, .failed: 2,
      ])
    #expect(summary.documentTypes == [.new: 4, .old: 1])
    #expect(summary.newFronts == 3)
    #expect(summary.fields == Dictionary(uniqueKeysWithValues: FieldName.allCases.map { ($0, 3) }))
    #expect(
      summary.reasons == [
        .expectedNumberMissing: 1, .barcodeNotFound: 1, .noBackFrame: 1, .workerCrashed: 1, .fileMissing: 1,
      ])
    #expect(summary.framesSetAside == [.blurred: 5])
    #expect(summary.checks[.genderMatchesNumber] == [.fail: 5])
    #expect(summary.confidence == [Int](repeating: 0, count: 19) + [10])
    // The example's gender check fails, so its five completed pairs need a person as well as the five others.
    #expect(summary.needsPerson == 10)
    #expect(summary.pairsPerSecond == 2)
    let decode = try #require(summary.stages["decode"])
    #expect(decode.count == 10 && decode.mean == 5.5 && decode.maximum == 10)
    #expect((4.75...5.25).contains(decode.median) && (9.5...10).contains(decode.p95))
  }

  @Test func foundIsTheSumOfOutcomesAndSkipped() {
    var summary = Self.example()
    #expect(summary.addsUp)
    #expect(summary.table.contains("every pair is accounted for: 13 = 10 + 3 skipped"))
    summary.found += 1
    #expect(!summary.addsUp)
    #expect(summary.table.contains("THE COUNTS DO NOT ADD UP: 14 found, 10 done, 3 skipped"))
  }

  @Test func theFileIsValidAndComesBack() throws {
    let summary = Self.example()
    let text = summary.text
    let line = JSONWriter.text(try JSONParser.parse(Array(text.utf8)))
    #expect(try SchemaValidator.verdicts(.summary, [line, JSONWriter.text(Summary().json)]) == [true, true])
    let again = try Summary(text: Array(text.utf8))
    #expect(again.text == text)
    #expect(again.outcomes == summary.outcomes && again.checks == summary.checks && again.reasons == summary.reasons)
    #expect(throws: FormatError.self) { try Summary(text: Array(text.utf8.dropLast(10))) }
  }

  @Test func throughputStaysBounded() {
    var throughput = Summary.Throughput()
    for second in 0..<100_000 { throughput.add(atSeconds: Double(second)) }
    #expect(throughput.pairs.count <= Summary.Throughput.maximumBuckets)
    #expect(throughput.pairs.reduce(0, +) == 100_000)
    #expect(throughput.bucketSeconds == 1024)
  }

  @Test func confidenceFallsInItsBin() {
    for (confidence, bin) in [(0.0, 0), (0.0499, 0), (0.05, 1), (0.95, 19), (0.9499, 18), (1, 19)] {
      var builder = SummaryBuilder()
      var line = ResultLine.failed(id: "a", .timeLimit)
      line.details.confidence = [.name: confidence]
      builder.add(line)
      #expect(builder.summary(found: 1, skipped: 0, seconds: 0).confidence.firstIndex(of: 1) == bin)
    }
  }

  @Test func theTableIsPlainTextOfBoundedWidth() {
    let table = Self.example().table
    #expect(table.utf8.allSatisfy { $0 == 0x0A || (0x20..<0x7F).contains($0) })
    #expect(table.split(separator: "\n").allSatisfy { $0.count <= 120 })
    #expect(table.contains("matched"))
  }

  @Test func theSampleIsStableAndOfItsSize() {
    let ids = (0..<20_000).map { "4210100\($0)" }
    let sample = ids.filter { ReviewRule.isInSample(id: $0, fraction: 0.01) }
    #expect((150...250).contains(sample.count))
    #expect(sample == ids.filter { ReviewRule.isInSample(id: $0, fraction: 0.01) })
    #expect(!ids.contains { ReviewRule.isInSample(id: $0, fraction: 0) })
    #expect(ids.allSatisfy { ReviewRule.isInSample(id: $0, fraction: 1) })
  }

  @Test func findingsSayWhyAPersonIsNeeded() {
    var line = ResultLine(Examples.completed(.frontAndBack, distance: 1))
    line.details.confidence[.country] = 0.3
    #expect(
      ReviewRule().findings(in: line) == [
        .outcome(.mismatched), .failedCheck(.genderMatchesNumber), .lowConfidence(.country),
      ])
    #expect(ReviewRule().findings(in: ResultLine(id: "a", type: .ocrSuccess, outcome: .matched)).isEmpty)
  }

  @Test func aFieldThatIsOnlyJustEmittedIsLookedAt() {
    var line = ResultLine(id: "a", type: .ocrSuccess, outcome: .matched)
    line.details.confidence = [.name: 0.985, .country: 0.996]
    #expect(ReviewRule().findings(in: line) == [.lowConfidence(.name)])
  }

  @Test func everyReasonHasItsOwnWords() {
    let texts = Reason.allCases.map(\.plainText)
    #expect(texts.allSatisfy { !$0.isEmpty && !$0.hasSuffix(": ") })
    #expect(Set(Reason.allCases.map(\.explanation)).count == Reason.allCases.count)
  }
}

@Suite struct ReviewDecisionTests {
  static let decision = ReviewDecision(
    id: "a", run: "20261130T080000Z", verdict: .corrected, corrections: [.name: "Jane Doe", .country: nil],
    note: "seen", decidedAt: "2026-11-30T08:00:00Z")

  @Test func aDecisionComesBack() throws {
    let line = Self.decision.line
    #expect(try ReviewDecision(line: line) == Self.decision)
    #expect(text(line).contains(#""corrections":{"country":null,"name":"Jane Doe"}"#))
    #expect(try SchemaValidator.verdicts(.reviewDecision, [text(line)]) == [true])
  }

  @Test(arguments: [
    #"{"decision":"accepted"}"#,
    #"{"decidedAt":"t","decision":"accepted","id":"a","run":"r","schemaVersion":1,"corrections":{"name":"x"}}"#,
    #"{"decidedAt":"t","decision":"corrected","id":"a","run":"r","schemaVersion":1}"#,
    #"{"decidedAt":"t","decision":"corrected","id":"a","run":"r","schemaVersion":1,"corrections":{"gender":"m"}}"#,
    #"{"decidedAt":"t","decision":"corrected","id":"a","run":"r","schemaVersion":1,"corrections":{"dateOfBirth":"31.02.2000"}}"#,
    #"{"decidedAt":"t","decision":"corrected","id":"a","run":"r","schemaVersion":1,"corrections":{"raw":"x"}}"#,
    #"{"decidedAt":"t","decision":"maybe","id":"a","run":"r","schemaVersion":1}"#,
    #"{"decidedAt":"t","decision":"accepted","id":"a","run":"r","schemaVersion":1,"x":1}"#,
  ])
  func whatIsNoDecisionIsRefused(_ line: String) {
    #expect(throws: FormatError.self) { try ReviewDecision(line: Array(line.utf8)) }
  }
}
