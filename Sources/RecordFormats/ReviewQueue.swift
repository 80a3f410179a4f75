import CardModel

/// Writes `review/`: static pages on which a person looks at the pairs that need one, and at a sample of the others. They work from
/// the file system, without a server and without anything from outside. They show identity data in full: folder 0700, files 0600.
package enum ReviewQueue {
  /// Makes the queue of one run; pages of an earlier queue are replaced.
  /// - Parameter runFolder: holds `results.ndjson` and `events.ndjson`.
  /// - Parameter folder: the folder to write, e.g. `OUT/review`.
  /// - Parameter imagesFolder: where the card images lie, seen from the pages.
  /// - Parameter sample: part of the other pairs, 0...1; always the same ones.
  /// - Returns: how many pairs there are to look at.
  @discardableResult
  package static func write(
    runFolder: String, to folder: String, imagesFolder: String = "../images", sample: Double = 0.01,
    rule: ReviewRule = ReviewRule()
  ) throws(FormatError) -> Int {
    try PrivateFile.makeFolder(folder)
    var writer = Writer(run: RunPages.name(of: runFolder), folder: folder)
    var images = try SavedImages(path: runFolder + "/events.ndjson")
    try RunPages.forEachResult(in: runFolder) { line throws(FormatError) in
      let saved = try images.of(id: line.id)
      var findings = rule.findings(in: line)
      if findings.isEmpty, ReviewRule.isInSample(id: line.id, fraction: sample) { findings = [.sample] }
      guard !findings.isEmpty else { return }
      let front = line.payload?.frontImage ?? saved.front ?? line.details.image(of: .front)
      let back = line.payload?.backImage ?? saved.back ?? line.details.image(of: .back)
      try writer.add(
        ReviewPage.pair(
          line, findings: findings, front: HTML.address(ofFile: front, in: imagesFolder),
          back: HTML.address(ofFile: back, in: imagesFolder)))
    }
    return try writer.finish()
  }

  /// Fills page after page. One waits, so that it knows whether another follows.
  private struct Writer {
    let run: String
    let folder: String
    private let nonce: String
    private var waiting: [JSONValue] = []
    private var pages = 0
    private var total = 0

    init(run: String, folder: String) {
      self.run = run
      self.folder = folder
      nonce = (0..<4).map { _ in String(UInt32.random(in: 0x1000_0000...UInt32.max), radix: 16) }.joined()
    }

    mutating func add(_ pair: JSONValue) throws(FormatError) {
      if waiting.count == ReviewPage.pairs { try writePage(hasNext: true) }
      waiting.append(pair)
      total += 1
    }

    mutating func finish() throws(FormatError) -> Int {
      if !waiting.isEmpty { try writePage(hasNext: false) }
      try RunPages.write(ReviewPage.index(run: run, pages: pages, pairs: total), to: "index.html", in: folder)
      PrivateFile.removeSeries(from: pages + 1) { folder + "/" + ReviewPage.name($0) }
      return total
    }

    private mutating func writePage(hasNext: Bool) throws(FormatError) {
      pages += 1
      let page = ReviewPage(run: run, number: pages, pairs: waiting, hasNext: hasNext)
      try RunPages.write(page.html(nonce: nonce), to: ReviewPage.name(pages), in: folder)
      waiting.removeAll(keepingCapacity: true)
    }
  }
}

extension PairDetails {
  /// The name of the side's image that was saved last; `nil` where none was.
  func image(of side: CardSide) -> String? { images.last { $0.hasPrefix(side.rawValue + "_") } }
}

/// The images that Android's events name, where there is no final payload.
private struct SavedImages {
  private var lines: NDJSONLines?
  private var waiting: (id: String, json: JSONValue)?

  init(path: String) throws(FormatError) {
    do throws(FormatError) { lines = try NDJSONLines(path: path) } catch { lines = nil }
    try advance()
  }

  /// The images of the next pair in the results' order.
  mutating func of(id: String) throws(FormatError) -> (front: String?, back: String?) {
    var images: (front: String?, back: String?) = (nil, nil)
    while let event = waiting, event.id.isExactly(id) {
      let image = event.json["payload"]?["image"]?.string
      switch event.json["type"]?.string {
      case EventType.frontSuccess.rawValue: images.front = image
      case EventType.backSuccess.rawValue: images.back = image
      default: break
      }
      try advance()
    }
    return images
  }

  private mutating func advance() throws(FormatError) {
    waiting = nil
    guard let line = try lines?.next() else { return }
    let json = try RunPages.named("events.ndjson") { () throws(FormatError) in try JSONValue.parse(line: line) }
    guard let id = json["id"]?.string else { throw FormatError("events.ndjson: a line has no `id`") }
    waiting = (id, json)
  }
}
