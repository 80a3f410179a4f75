import CardModel

/// `report.html`: a run for people. One page that needs nothing beside it: no script, no address outside, charts as SVG.
///
/// It says first what needs a person, then everything that `summary.json` says, then the pairs to look at. Their tables are cut at
/// `maximumRows` each, so that the page stays small whatever the run's size; what was cut is said. Identity data is masked unless
/// it is asked for: numbers keep their first five digits and the last, names their initials.
package struct Report {
  /// Rows of each table of exceptions.
  package static let maximumRows = 150

  private let runName: String
  private let isUnmasked: Bool
  private let imagesFolder: String
  private let rule: ReviewRule
  private var groups: [Group: [Row]] = [:]
  private var counts: [Group: Int] = [:]

  /// The first thing that is wrong with a pair decides its table.
  enum Group: Hashable, CaseIterable {
    case mismatched, rescanBack, noValidFrame, failed, launchFailure, failedCheck, lowConfidence
  }

  /// A pair in a table of exceptions.
  struct Row {
    var id: String
    var why: [String]
    var barcodeNumber: String
    var printedNumber: String
    var name: String
    var front: String?
    var back: String?
  }

  /// - Parameter runName: the run's folder, as its title.
  /// - Parameter imagesFolder: where the card images lie, seen from the page.
  package init(
    runName: String, unmasked: Bool = false, imagesFolder: String = "../../images", rule: ReviewRule = ReviewRule()
  ) {
    self.runName = runName
    isUnmasked = unmasked
    self.imagesFolder = imagesFolder
    self.rule = rule
  }

  /// Takes a pair in the run's order; only those that need a person are kept, and of them only so many.
  package mutating func add(_ line: ResultLine) {
    let findings = rule.findings(in: line)
    guard let group = findings.first.flatMap(Self.group) else { return }
    counts[group, default: 0] += 1
    guard groups[group, default: []].count < Self.maximumRows else { return }
    groups[group, default: []].append(row(line, findings))
  }

  private static func group(_ finding: ReviewRule.Finding) -> Group? {
    switch finding {
    case .outcome(.mismatched): .mismatched
    case .outcome(.rescanBack): .rescanBack
    case .outcome(.noValidFrame): .noValidFrame
    case .outcome(.failed): .failed
    case .outcome(.launchFailure): .launchFailure
    case .outcome(.matched), .outcome(.unverified), .sample: nil
    case .failedCheck: .failedCheck
    case .lowConfidence: .lowConfidence
    }
  }

  private func row(_ line: ResultLine, _ findings: [ReviewRule.Finding]) -> Row {
    let data = line.payload?.extractedData
    func shown(_ number: IdentityNumber?) -> String {
      number.map { isUnmasked ? $0.formatted : $0.masked } ?? ""
    }
    return Row(
      id: isUnmasked ? line.id : Masking.numbers(in: line.id),
      why: findings.filter { $0 != .outcome(line.outcome) }.map(\.plainText) + line.reasons.map(\.plainText),
      barcodeNumber: shown(line.payload?.identityNumber ?? line.details.barcode?.identityNumber),
      printedNumber: shown(data?.identityNumber), name: isUnmasked ? data?.name ?? "" : Masking.initials(data?.name),
      front: HTML.address(ofFile: line.payload?.frontImage ?? line.details.image(of: .front), in: imagesFolder),
      back: HTML.address(ofFile: line.payload?.backImage ?? line.details.image(of: .back), in: imagesFolder))
  }

  /// The page.
  /// - Parameter summary: the run's; every number on the page but the tables' own counts comes from it.
  package func html(_ summary: Summary) -> String {
    let sections = ReportSections(summary: summary, isUnmasked: isUnmasked)
    var page = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">
      <title>Card scan run \(HTML.escape(runName))</title>
      <style>
      \(PageStyle.css)
      </style>
      </head>
      <body>
      <header>
      <h1>Card scan run \(HTML.escape(runName))</h1>
      <p class="faint">\(sections.subtitle)</p>
      </header>
      <main>
      \(sections.headline(tables: Group.allCases.map { ($0.anchor, $0.title, counts[$0] ?? 0) }))
      \(sections.numbers)

      """
    page += "<h2 id=\"exceptions\">Pairs to look at</h2>\n"
    if counts.isEmpty { page += "<p>None.</p>\n" }
    for group in Group.allCases { if let rows = groups[group] { page += table(group, rows) } }
    return page + "</main>\n</body>\n</html>\n"
  }

  private func table(_ group: Group, _ rows: [Row]) -> String {
    let count = counts[group] ?? rows.count
    let caption =
      count > rows.count
      ? "The first \(Summary.grouped(rows.count)) of \(Summary.grouped(count)); all of them stand in results.ndjson"
      : "\(Summary.grouped(count)) \(count == 1 ? "pair" : "pairs")"
    var table = """
      <section aria-labelledby="\(group.anchor)">
      <h3 id="\(group.anchor)">\(HTML.escape(group.title))</h3>
      <div class="scroll" tabindex="0" role="region" aria-labelledby="\(group.anchor)">
      <table>
      <caption>\(caption)</caption>
      <thead><tr><th scope="col">Pair</th><th scope="col">Why, and what to do</th><th scope="col">Number in the barcode</th>\
      <th scope="col">Printed number</th><th scope="col">Name</th><th scope="col">Images</th></tr></thead>
      <tbody>

      """
    for row in rows {
      let links = [("front", row.front), ("back", row.back)].compactMap { label, address in
        address.map { "<a href=\"\(HTML.escape($0))\">\(label)</a>" }
      }
      let why = row.why.isEmpty ? HTML.escape(group.title) : row.why.map { HTML.escape($0) }.joined(separator: "<br>")
      table += """
        <tr><th scope="row">\(HTML.isolated(row.id))</th><td>\(why)</td><td>\(row.barcodeNumber)</td><td>\(row.printedNumber)</td>\
        <td>\(HTML.isolated(row.name))</td><td>\(links.isEmpty ? "none" : links.joined(separator: " "))</td></tr>

        """
    }
    return table + "</tbody>\n</table>\n</div>\n</section>\n"
  }
}

extension Report.Group {
  var anchor: String { "list-\(self)" }

  var title: String {
    switch self {
    case .mismatched: Outcome.mismatched.plainText
    case .rescanBack: Outcome.rescanBack.plainText
    case .noValidFrame: Outcome.noValidFrame.plainText
    case .failed: Outcome.failed.plainText
    case .launchFailure: Outcome.launchFailure.plainText
    case .failedCheck: "A check failed"
    case .lowConfidence: "A field was read with little confidence"
    }
  }
}

extension ReviewRule.Finding {
  /// The finding in words.
  package var plainText: String {
    switch self {
    case .outcome(let outcome): outcome.plainText
    case .failedCheck(let check): "Check failed: \(check.plainText)"
    case .lowConfidence(let field): "Little confidence in: \(field.plainText)"
    case .sample: "Part of the random sample"
    }
  }
}
