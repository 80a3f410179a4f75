import CardModel
import Foundation
import RecordFormats
import Testing

@Suite struct ReviewTests {
  private func output() throws -> (scratch: Scratch, run: String) {
    let scratch = try Scratch()
    let run = try ExampleRun.write(ExampleRun.records, to: scratch)
    try RunPages.write(folder: run, account: RunAccount(found: ExampleRun.records.count, skipped: 0, seconds: 3))
    try FileManager.default.createDirectory(
      at: scratch.url.appendingPathComponent("images"), withIntermediateDirectories: true)
    return (scratch, run)
  }

  @Test func onlyExceptionsAndTheSampleAreThere() throws {
    let (scratch, run) = try output()
    let folder = scratch.url.appendingPathComponent("review").path
    #expect(try ReviewQueue.write(runFolder: run, to: folder, sample: 0) == 12)
    // Without a gender check that fails, five completed pairs but the mismatch are in order.
    var records = ExampleRun.records
    for index in records.indices { records[index].details.checks = [:] }
    let quiet = try ExampleRun.write(records, to: scratch)
    #expect(try ReviewQueue.write(runFolder: quiet, to: folder, sample: 0) == 8)
    #expect(try ReviewQueue.write(runFolder: quiet, to: folder, sample: 1) == 12)
  }

  @Test func pagesAreDividedAndEarlierOnesGo() throws {
    let scratch = try Scratch()
    var record = Examples.rescan
    func write(_ count: Int) throws -> [String] {
      let records = (0..<count).map { index in
        record.id = "pair \(index)"
        return record
      }
      let run = try ExampleRun.write(records, to: scratch)
      let folder = scratch.url.appendingPathComponent("review").path
      try ReviewQueue.write(runFolder: run, to: folder)
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    }
    #expect(try write(201) == ["index.html", "page-00001.html", "page-00002.html", "page-00003.html"])
    let second = try String(contentsOf: scratch.url.appendingPathComponent("review/page-00002.html"), encoding: .utf8)
    #expect(second.contains(#""next":"page-00003.html""#) && second.contains(#""previous":"page-00001.html""#))
    #expect(try write(3) == ["index.html", "page-00001.html"])
    #expect(try write(0) == ["index.html"])
  }

  @Test func imagesOfPairsWithoutAResultComeFromTheirEvents() throws {
    let (scratch, run) = try output()
    try ReviewQueue.write(runFolder: run, to: scratch.url.appendingPathComponent("review").path, sample: 0)
    let page = try String(contentsOf: scratch.url.appendingPathComponent("review/page-00001.html"), encoding: .utf8)
    #expect(page.contains(#""front":"../images/front_a.png""#))
    #expect(!page.contains("/out/images"))
    #expect(!page.contains("<script>document"))
  }

  @Test func imagesOfIOSPairsWithoutAResultAreShown() throws {
    let scratch = try Scratch()
    var record = Examples.rescan
    record.details.images = ["front_a.png", "back_a.png", "back_b.png"]
    let run = try ExampleRun.write([record], to: scratch)
    // iOS's events name no image.
    let events: [[UInt8]] = WorkerResponse(record, delivery: .ios).eventLines.map { $0 + [0x0A] }
    try Data(events.joined()).write(to: URL(fileURLWithPath: run + "/events.ndjson"))
    try ReviewQueue.write(runFolder: run, to: scratch.url.appendingPathComponent("review").path, sample: 0)
    let page = try String(contentsOf: scratch.url.appendingPathComponent("review/page-00001.html"), encoding: .utf8)
    #expect(page.contains(#""front":"../images/front_a.png""#))
    #expect(page.contains(#""back":"../images/back_b.png""#), "the last one tried")
    try RunPages.write(folder: run, account: RunAccount(found: 1, skipped: 0, seconds: 1))
    let report = try String(contentsOfFile: run + "/report.html", encoding: .utf8)
    #expect(report.contains("images/front_a.png\"") && report.contains("images/back_b.png\""))
  }

  /// The whole of a reviewer's work in a real browser: keyboard, a correction, the download, and what hostile names do.
  @Test func aReviewerWorksInChromium() throws {
    let (scratch, run) = try output()
    try ReviewQueue.write(runFolder: run, to: scratch.url.appendingPathComponent("review").path, sample: 0)
    let seen = try browse(scratch)
    #expect(seen["links"]?.int == 1)
    #expect(seen["titles"]?.array?.count == 12)
    #expect(seen["first"]?.string == "Pair 4210100000017")
    #expect(seen["backAtFirst"] == seen["first"])
    #expect(seen["imageWidths"] == .array([.int(506), .int(506)]))
    #expect(seen["boxes"] == .array([.array([.double(0.28), .double(0.24)])]))
    #expect(seen["atEnd"]?.string == "This was the last pair.")
    #expect(seen["afterAccept"]?.array?.last?.string == "Pair 1 accepted.")
    #expect(
      seen["numbers"]
        == .array([
          .string("12345-1234567-1"), .string("(differs)"), .string("12345-1234567-1 (differs)"),
          .string("61101-0000001-8"),
        ]))
    #expect(seen["focused"]?.string == "field-name" && seen["marked"]?.int == 1)
    #expect(seen["refused"]?.string?.hasPrefix("Date of birth does not have its form") == true)
    #expect(seen["afterCorrect"]?.array?.last?.string == "Pair 3 corrected.")
    #expect(seen["afterUndo"]?.string?.hasSuffix("is undecided.") == true)
    #expect(
      seen["unkept"]?.string
        == "Pair 5 of 12 on this page, 4 decided here, 4 in all pages. This browser does not keep them: download before leaving"
    )
    #expect(seen["keptAgain"]?.string == "Pair 6 of 12 on this page, 5 decided here, 5 in all pages")
    #expect(seen["stored"]?.int == 5)
    #expect(seen["written"] == .bool(true) && seen["storedAgain"]?.int == 3)
    #expect(seen["kept"]?.string?.contains("3 decided here, 3 in all pages") == true)
    #expect(seen["afterDownload"]?.string == "3 decisions written to decisions.ndjson.")
    #expect(seen["title"]?.string == "Review of run 20261130T080000Z, page 1")
    #expect(seen["reportTitle"]?.string == "Card scan run 20261130T080000Z")
    #expect(seen["console"] == .array([]))

    let file = try Data(contentsOf: scratch.url.appendingPathComponent("download/decisions.ndjson"))
    let lines = file.split(separator: 0x0A).map { Array($0) }
    #expect(try SchemaValidator.verdicts(.reviewDecision, lines.map(text)) == [true, true, true])
    let decisions = try lines.map { line in try ReviewDecision(line: line) }
    #expect(
      Dictionary(uniqueKeysWithValues: decisions.map { ($0.id, $0.verdict) }) == [
        ExampleRun.ids[0]: .accepted, ExampleRun.ids[1]: .rejected, ExampleRun.ids[2]: .corrected,
      ])
    let corrected = try #require(decisions.first { $0.verdict == .corrected })
    #expect(corrected.note == "looked at twice")
    #expect(corrected.corrections == [.name: "a n r <b>Jane</b>", .dateOfBirth: "28.02.1990", .country: nil])
  }

  /// What the script in Tests/Browser saw.
  private func browse(_ scratch: Scratch) throws -> JSONValue {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Browser/review_in_chromium.py").standardized.path
    let shots =
      ProcessInfo.processInfo.environment["CNICSCAN_SCREENSHOTS"] ?? scratch.url.appendingPathComponent("shots").path
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/python3")
    process.arguments = [script, scratch.url.path, shots]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return try JSONParser.parse(Array(output))
  }
}
