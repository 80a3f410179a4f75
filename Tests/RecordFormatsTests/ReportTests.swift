import CardModel
import Foundation
import RecordFormats
import Testing

/// A run's folder as the engine would leave it.
enum ExampleRun {
  /// Hostile and plain ids, one of every ending.
  static let ids = [
    "4210100000017", "<script>document.title='hacked'</script>", "\"><img src=x onerror=\"document.title='hacked'\">",
    "\u{202E}gnp.exe",
    "=cmd", "plain", "</script><script>document.title='hacked'</script>", "a\nb", "&amp;", "\u{0}", "'quoted'", "last",
  ]

  static var records: [PairRecord] {
    var all = Examples.all + [Examples.rescan, Examples.crashed]
    // The browser test corrects the third: the mismatched one, which has both images.
    all.swapAt(2, 4)
    return zip(ids, all).map { id, record in
      var record = record
      record.id = id
      return record
    }
  }

  static func write(_ records: [PairRecord], to scratch: Scratch) throws -> String {
    let folder = scratch.url.appendingPathComponent("runs/20261130T080000Z")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    func lines(_ lines: [[UInt8]]) -> Data { Data(lines.flatMap { $0 + [0x0A] }) }
    try lines(records.map { ResultLine($0).line }).write(to: folder.appendingPathComponent("results.ndjson"))
    try lines(records.flatMap { record in record.events.map { EventLine.line(id: record.id, $0) } })
      .write(to: folder.appendingPathComponent("events.ndjson"))
    let timings = records.enumerated().map { index, record in
      TimingLine(
        id: record.id, milliseconds: 20, stages: ["decode": 5, "recognise": 12.5], secondsSinceStart: Double(index) / 4)
    }
    try lines(timings.map(\.line)).write(to: folder.appendingPathComponent("timings.ndjson"))
    return folder.path
  }
}

@Suite struct ReportTests {
  private func page(unmasked: Bool = false) throws -> (summary: Summary, html: String, folder: Scratch) {
    let scratch = try Scratch()
    let folder = try ExampleRun.write(ExampleRun.records, to: scratch)
    let account = RunAccount(found: ExampleRun.records.count + 2, skipped: 2, seconds: 3)
    let summary = try RunPages.write(folder: folder, account: account, unmasked: unmasked)
    return (summary, try String(contentsOfFile: folder + "/report.html", encoding: .utf8), scratch)
  }

  @Test func theReportsNumbersAreTheSummarys() throws {
    let (summary, html, scratch) = try page()
    let file = try Data(contentsOf: scratch.url.appendingPathComponent("runs/20261130T080000Z/summary.json"))
    #expect(try Summary(text: Array(file)).text == summary.text)
    func cell(_ label: String, _ count: Int) -> String {
      "<th scope=\"row\">\(label)</th><td class=\"number\">\(count)</td>"
    }
    for outcome in Outcome.allCases { #expect(html.contains(cell(outcome.rawValue, summary.outcomes[outcome] ?? 0))) }
    for type in DocumentType.allCases { #expect(html.contains(cell(type.rawValue, summary.documentTypes[type] ?? 0))) }
    for field in FieldName.allCases {
      #expect(html.contains(cell(field.plainText.replacing("'", with: "&#39;"), summary.fields[field] ?? 0)))
    }
    for (reason, count) in summary.reasons { #expect(html.contains(cell(reason.rawValue, count))) }
    for (index, count) in summary.confidence.enumerated() {
      #expect(html.contains(cell("\(index * 5) to \(index * 5 + 5) %", count)))
    }
    #expect(html.contains("14 pairs found = 12 with an outcome + 2 skipped"))
    #expect(html.contains("<strong>\(summary.needsPerson) of 12 pairs need a person</strong>"))
    #expect(html.contains("<th scope=\"row\">recognise</th><td class=\"number\">12</td><td class=\"number\">12.5</td>"))
  }

  @Test func identityDataIsMaskedUnlessAskedFor() throws {
    let masked = try page().html
    for secret in ["12345-1234567-1", "4210100000017", "John Doe"] { #expect(!masked.contains(secret)) }
    #expect(
      masked.contains("12345-*******-1") && masked.contains("42101*******7") && masked.contains("<bdi>J. D.</bdi>"))
    let unmasked = try page(unmasked: true).html
    for shown in ["12345-1234567-1", "4210100000017", "John Doe"] { #expect(unmasked.contains(shown)) }
  }

  @Test func hostileNamesDoNoHarmAndNothingComesFromOutside() throws {
    let html = try page(unmasked: true).html
    #expect(!html.contains("<script") && !html.contains("<img") && !html.contains("http:") && !html.contains("https:"))
    #expect(html.contains("content=\"default-src 'none'; style-src 'unsafe-inline'\""))
    #expect(html.contains("&lt;script&gt;"))
    #expect(html.contains("<bdi>[U+202E]gnp.exe</bdi>"))
  }

  @Test func tablesHaveCaptionsAndScopes() throws {
    let html = try page().html
    let tables = html.components(separatedBy: "<table").count - 1
    #expect(tables > 8)
    #expect(html.components(separatedBy: "<caption").count - 1 == tables)
    #expect(
      html.components(separatedBy: "<svg").count == html.components(separatedBy: "role=\"img\" aria-label=").count)
    #expect(!html.replacing("<th scope=\"", with: "").contains("<th "))
  }

  @Test func hundredThousandPairsStayUnderTwoMegabytes() {
    var builder = SummaryBuilder()
    var report = Report(runName: "big")
    let kinds = [Examples.completed(.frontAndBack, distance: 1)] + Examples.all
    for index in 0..<100_000 {
      var line = ResultLine(kinds[index % kinds.count])
      line.id = "a rather long name of a file that a scanner gave \(index)"
      line.reasons = Array(Reason.allCases.prefix(3))
      builder.add(line, secondsSinceStart: Double(index) / 100)
      report.add(line)
    }
    let html = report.html(builder.summary(found: 100_000, skipped: 0, seconds: 1000))
    #expect(html.utf8.count < 2_000_000)
    #expect(html.contains("The first 150 of"))
  }

  @Test func theReportCanBeWrittenAnew() throws {
    let (summary, html, scratch) = try page()
    let folder = scratch.url.appendingPathComponent("runs/20261130T080000Z").path
    #expect(try RunPages.rewriteReport(folder: folder, unmasked: false).text == summary.text)
    #expect(try String(contentsOfFile: folder + "/report.html", encoding: .utf8) == html)
    for file in ["summary.json", "report.html"] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder + "/" + file)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
    }
  }

  @Test func aTornResultIsSaidWithItsPlace() throws {
    let scratch = try Scratch()
    let folder = try ExampleRun.write(ExampleRun.records, to: scratch)
    let results = folder + "/results.ndjson"
    let bytes = try Data(contentsOf: URL(fileURLWithPath: results))
    try bytes.dropLast(20).write(to: URL(fileURLWithPath: results))
    do {
      try RunPages.write(folder: folder, account: RunAccount(found: 1, skipped: 0, seconds: 1))
      Issue.record("it was taken")
    } catch {
      #expect(error.description.hasPrefix("results.ndjson, line 12: not JSON"))
    }
  }
}
