import CardModel

/// The parts of the report that come from the summary.
struct ReportSections {
  let summary: Summary
  let isUnmasked: Bool

  var subtitle: String {
    let time = "\(Summary.rounded(summary.seconds)) s, \(Summary.rounded(summary.pairsPerSecond)) pairs a second"
    let masking =
      isUnmasked ? "Identity data is shown in full: treat this page accordingly." : "Identity data is masked."
    return "\(Summary.grouped(summary.done)) pairs scanned in \(time). \(masking)"
  }

  /// What needs a person now, with links to the tables.
  func headline(tables: [(anchor: String, title: String, count: Int)]) -> String {
    let waiting = tables.filter { $0.count > 0 }
    var text =
      "<section class=\"headline\(waiting.isEmpty && summary.addsUp ? " calm" : "")\" aria-label=\"What needs a person\">\n"
    if !summary.addsUp {
      text += """
        <p><strong>The counts do not add up.</strong> \(Summary.grouped(summary.found)) pairs were found, but \
        \(Summary.grouped(summary.done)) have a result and \(Summary.grouped(summary.skipped)) were skipped. Keep the folder and report it.</p>

        """
    }
    if waiting.isEmpty {
      text += "<p><strong>Nothing needs a person.</strong></p>\n"
    } else {
      text +=
        "<p><strong>\(Summary.grouped(summary.needsPerson)) of \(Summary.grouped(summary.done)) pairs need a person</strong></p>\n<ul>\n"
      for table in waiting {
        text +=
          "<li><a href=\"#\(table.anchor)\">\(HTML.escape(table.title))</a>: \(Summary.grouped(table.count))</li>\n"
      }
      text += "</ul>\n"
    }
    if summary.refusedRows > 0 {
      text +=
        "<p>\(Summary.grouped(summary.refusedRows)) rows of the manifest name no pair; the log says which and why.</p>\n"
    }
    if summary.unpairedFiles > 0 {
      text += "<p>\(Summary.grouped(summary.unpairedFiles)) files belong to no pair.</p>\n"
    }
    if summary.duplicateGroups > 0 {
      text +=
        "<p>\(Summary.grouped(summary.duplicateGroups)) \(summary.duplicateGroups == 1 ? "group" : "groups") of pairs share a number or an image.</p>\n"
    }
    return text + "</section>\n"
  }

  /// Every table and chart of the summary.
  var numbers: String {
    """
    <h2>Outcomes</h2>
    \(accounts)
    <div class="columns">
    \(counts("Outcome", "Pairs by outcome", Outcome.allCases.map { ($0.rawValue, summary.outcomes[$0] ?? 0, $0.plainText) }, of: summary.done))
    \(counts("Type", "Completed scans by type of card", DocumentType.allCases.map { ($0.rawValue, summary.documentTypes[$0] ?? 0, "") }, of: summary.documentTypes.values.reduce(0, +)))
    \(counts("Barcode", "Barcodes by kind", Symbology.allCases.map { ($0.rawValue, summary.symbologies[$0] ?? 0, "") }, of: summary.symbologies.values.reduce(0, +)))
    </div>
    <h2>Reading</h2>
    <div class="columns">
    \(counts("Field", "Fields read, of \(Summary.grouped(summary.newFronts)) fronts of new cards", FieldName.allCases.map { ($0.plainText, summary.fields[$0] ?? 0, "") }, of: summary.newFronts))
    \(confidence)
    </div>
    <h2>Reasons and checks</h2>
    <div class="columns">
    \(counts("Reason", "Reasons given", Summary.byCount(summary.reasons).map { ($0.0.rawValue, $0.1, $0.0.plainText) }, of: summary.done))
    \(counts("Reason", "Images set aside", Summary.byCount(summary.framesSetAside).map { ($0.0.rawValue, $0.1, $0.0.plainText) }, of: nil))
    </div>
    \(checks)
    <h2>Time</h2>
    <div class="columns">
    \(throughput)
    \(stages)
    </div>
    """
  }

  private var accounts: String {
    """
    <p>\(Summary.grouped(summary.found)) pairs found = \(Summary.grouped(summary.done)) with an outcome + \
    \(Summary.grouped(summary.skipped)) skipped as done before\(summary.addsUp ? "" : ": this does not add up").</p>
    """
  }

  /// A chart and its table.
  private func counts(_ head: String, _ title: String, _ rows: [(String, Int, String)], of whole: Int?) -> String {
    let total = rows.map(\.1).reduce(0, +)
    guard !rows.isEmpty, total > 0 else { return "" }
    let bars = rows.map { label, count, _ in
      let share = whole.map { " (" + Summary.percent(count, of: $0) + ")" } ?? ""
      return BarChart.Bar(label: label, value: Double(count), text: Summary.grouped(count) + share)
    }
    let chart = BarChart(
      description: title + ": " + rows.map { "\($0.0) \(Summary.grouped($0.1))" }.joined(separator: ", "), bars: bars,
      full: whole.map(Double.init))
    let hasWords = rows.contains { !$0.2.isEmpty }
    var table = "<table><caption>\(HTML.escape(title))</caption><thead><tr><th scope=\"col\">\(head)</th>"
    table += "<th scope=\"col\" class=\"number\">Count</th>"
    if whole != nil { table += "<th scope=\"col\" class=\"number\">Share</th>" }
    if hasWords { table += "<th scope=\"col\">Meaning</th>" }
    table += "</tr></thead>\n<tbody>\n"
    for (label, count, words) in rows {
      table += "<tr><th scope=\"row\">\(HTML.escape(label))</th><td class=\"number\">\(Summary.grouped(count))</td>"
      if let whole { table += "<td class=\"number\">\(Summary.percent(count, of: whole))</td>" }
      if hasWords { table += "<td>\(HTML.escape(words))</td>" }
      table += "</tr>\n"
    }
    return
      "<figure><figcaption><h3>\(HTML.escape(title))</h3></figcaption>\n\(chart.svg)<div class=\"scroll\">\(table)</tbody></table></div></figure>\n"
  }

  private var confidence: String {
    let total = summary.confidence.reduce(0, +)
    guard total > 0 else { return "" }
    let title = "Fields by confidence"
    let step = 100 / Summary.confidenceBins
    let chart = ColumnChart(
      description: "\(title), \(Summary.grouped(total)) fields in \(Summary.confidenceBins) steps from 0 % to 100 %",
      values: summary.confidence, start: "0 %", end: "100 %", unit: "fields")
    let rows = summary.confidence.enumerated().map {
      "<tr><th scope=\"row\">\($0 * step) to \(($0 + 1) * step) %</th><td class=\"number\">\(Summary.grouped($1))</td></tr>\n"
    }
    return figure(title, chart.svg, table("Confidence", "Fields", rows))
  }

  private var throughput: String {
    let pairs = summary.throughput.pairs
    guard pairs.reduce(0, +) > 0 else { return "" }
    let title = "Pairs done over the run"
    let width = summary.throughput.bucketSeconds
    let chart = ColumnChart(
      description: "\(title), in stretches of \(Summary.rounded(width)) s", values: pairs, start: "start",
      end: Summary.rounded(width * Double(pairs.count)) + " s", unit: "pairs in \(Summary.rounded(width)) s")
    let rows = pairs.enumerated().map {
      "<tr><th scope=\"row\">from \(Summary.rounded(Double($0) * width)) s</th><td class=\"number\">\(Summary.grouped($1))</td></tr>\n"
    }
    return figure(title, chart.svg, table("Stretch", "Pairs", rows))
  }

  private func table(_ head: String, _ unit: String, _ rows: [String]) -> String {
    "<thead><tr><th scope=\"col\">\(head)</th><th scope=\"col\" class=\"number\">\(unit)</th></tr></thead>\n<tbody>\n"
      + rows.joined() + "</tbody>"
  }

  private func figure(_ title: String, _ svg: String, _ rows: String) -> String {
    """
    <figure><figcaption><h3>\(title)</h3></figcaption>
    \(svg)<details><summary>The numbers</summary><table><caption>\(title)</caption>\(rows)</table></details></figure>

    """
  }

  private var stages: String {
    let stages = summary.stages.sorted {
      $0.value.mean == $1.value.mean ? $0.key < $1.key : $0.value.mean > $1.value.mean
    }
    guard !stages.isEmpty else { return "" }
    let title = "Time a stage, milliseconds a pair"
    let chart = BarChart(
      description: title,
      bars: stages.map { .init(label: $0.key, value: $0.value.mean, text: Summary.rounded($0.value.mean) + " ms") })
    var table = "<table><caption>\(title)</caption><thead><tr><th scope=\"col\">Stage</th>"
    for head in ["Pairs", "Mean", "Median", "95 %", "Longest"] {
      table += "<th scope=\"col\" class=\"number\">\(head)</th>"
    }
    table += "</tr></thead>\n<tbody>\n"
    for (name, times) in stages {
      table +=
        "<tr><th scope=\"row\">\(HTML.escape(name))</th><td class=\"number\">\(Summary.grouped(times.count))</td>"
      for value in [times.mean, times.median, times.p95, times.maximum] {
        table += "<td class=\"number\">\(Summary.rounded(value))</td>"
      }
      table += "</tr>\n"
    }
    return
      "<figure><figcaption><h3>\(title)</h3></figcaption>\n\(chart.svg)<div class=\"scroll\">\(table)</tbody></table></div></figure>\n"
  }

  private var checks: String {
    let rows = Check.allCases.compactMap { check in summary.checks[check].map { (check, $0) } }
    guard !rows.isEmpty else { return "" }
    var table = "<table><caption>Checks</caption><thead><tr><th scope=\"col\">Check</th>"
    for head in ["Passed", "Failed", "Not performed"] { table += "<th scope=\"col\" class=\"number\">\(head)</th>" }
    table += "</tr></thead>\n<tbody>\n"
    for (check, counts) in rows {
      table += "<tr><th scope=\"row\">\(HTML.escape(check.plainText))</th>"
      for result in CheckResult.allCases {
        table += "<td class=\"number\">\(Summary.grouped(counts[result] ?? 0))</td>"
      }
      table += "</tr>\n"
    }
    return "<div class=\"scroll\">\(table)</tbody></table></div>\n"
  }
}
