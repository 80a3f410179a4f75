import CardModel

/// One static page of the review queue: up to `pairs` pairs, as data, and the script that shows them.
struct ReviewPage {
  /// How many pairs one page holds.
  static let pairs = 100

  var run: String
  /// 1-based.
  var number: Int
  var pairs: [JSONValue]
  var hasNext: Bool

  static func name(_ number: Int) -> String {
    let digits = String(number)
    return "page-" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits + ".html"
  }

  /// - Parameter nonce: drawn anew for each queue; only the page's own script has it.
  func html(nonce: String) -> String {
    let data = JSONValue.object([
      .init("next", hasNext ? .string(Self.name(number + 1)) : .null), .init("pairs", .array(pairs)),
      .init("previous", number > 1 ? .string(Self.name(number - 1)) : .null), .init("run", .string(run)),
    ])
    return """
      \(Self.head(title: "Review of run \(run), page \(number)", script: "'nonce-\(nonce)'"))
      <header>
      <h1>Review of run \(HTML.escape(run))</h1>
      <nav aria-label="Queue"><a href="index.html">Page \(number)</a>
      <button type="button" id="previous">Previous <kbd>p</kbd></button><button type="button" id="next">Next <kbd>n</kbd></button>
      <button type="button" id="download">Download decisions <kbd>d</kbd></button></nav>
      <p class="faint" id="progress"></p>
      <p class="faint no-print">Keys: n next, p previous, a accept, c correct, Ctrl+Enter save the correction, r reject, u undo, d download, Esc leave a field.</p>
      <p role="status" id="status"></p>
      </header>
      <noscript><p>This page needs its script to show the pairs; it loads nothing from outside.</p></noscript>
      <main id="pair"></main>
      <script type="application/json" id="data">\(HTML.embedded(data))</script>
      <script nonce="\(nonce)">
      \(ReviewScript.source)
      </script>
      </body>
      </html>

      """
  }

  /// The first page that people open: how many there are, and where.
  static func index(run: String, pages: Int, pairs: Int) -> String {
    var list = ""
    for number in 0..<pages {
      let first = number * Self.pairs + 1, last = min(pairs, (number + 1) * Self.pairs)
      list +=
        "<li><a href=\"\(name(number + 1))\">Pairs \(Summary.grouped(first)) to \(Summary.grouped(last))</a></li>\n"
    }
    return """
      \(head(title: "Review of run \(run)", script: "'none'"))
      <header><h1>Review of run \(HTML.escape(run))</h1></header>
      <main>
      <p><strong>\(pairs == 0 ? "Nothing needs to be looked at." : "\(Summary.grouped(pairs)) pairs to look at.")</strong>
      Decisions stay in this browser until you download them (key d); then
      <code>cnicscan review OUT --import decisions.ndjson --reviewer NAME</code> records them.</p>
      <ol>
      \(list)</ol>
      </main>
      </body>
      </html>

      """
  }

  private static func head(title: String, script: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src 'self' file:; style-src 'unsafe-inline'; script-src \(script); form-action 'none'; base-uri 'none'">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="referrer" content="no-referrer">
    <title>\(HTML.escape(title))</title>
    <style>
    \(PageStyle.css)
    \(ReviewScript.style)
    </style>
    </head>
    <body>
    """
  }

  /// What the pair's sender says of a field: its number.
  private static func expected(_ field: FieldName, _ line: ResultLine) -> String? {
    field == .identityNumber ? line.details.expectedNumber?.formatted : nil
  }

  /// A pair as the script takes it.
  static func pair(
    _ line: ResultLine, findings: [ReviewRule.Finding], front: String?, back: String?
  ) -> JSONValue {
    let doubtful = Set(
      findings.compactMap { finding -> FieldName? in if case .lowConfidence(let field) = finding { field } else { nil }
      })
    let data = line.payload?.extractedData ?? ExtractedData()
    let barcode = line.details.barcode
    let fields = FieldName.allCases.map { field -> JSONValue in
      let said: String? =
        field == .identityNumber ? barcode?.identityNumber?.formatted : barcode?.fields[field.rawValue]
      return .object([
        .init("barcode", said.map { .string($0) } ?? .null), .init("box", line.details.boxes[field]?.wire ?? .null),
        .init("confidence", line.details.confidence[field].map { .double($0) } ?? .null),
        .init("expected", expected(field, line).map { .string($0) } ?? .null),
        .init("isDoubtful", .bool(doubtful.contains(field))), .init("key", .string(field.rawValue)),
        .init("label", .string(field.plainText)), .init("value", .string(data[field] ?? "")),
      ])
    }
    let why = findings.filter { $0 != .outcome(line.outcome) }.map(\.plainText) + line.reasons.map(\.plainText)
    let frames = line.details.setAside.map { frame in
      "Image \(frame.file + 1) of the \(frame.side.rawValue), page \(frame.page + 1), was set aside: \(frame.reason.plainText)"
    }
    let extra = (barcode?.fields ?? [:]).filter { FieldName(rawValue: $0.key) == nil }
    return .object([
      .init("back", back.map { .string($0) } ?? .null),
      .init("barcodeFields", .object(extra.map { .init($0.key, .string($0.value)) })),
      .init("documentType", line.payload.map { .string($0.documentType.rawValue) } ?? .null),
      .init("fields", .array(fields)),
      .init("front", front.map { .string($0) } ?? .null), .init("id", .string(line.id)),
      .init("outcome", .string(line.outcome.plainText)), .init("why", .array((why + frames).map { .string($0) })),
    ])
  }
}
