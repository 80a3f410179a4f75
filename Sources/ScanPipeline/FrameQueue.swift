package import CardModel
private import CardReading

/// The frames of one pair, side after side, opened only when they are needed.
///
/// A frame that shows the other side is kept for it, so that swapped files are put right and a page with both sides
/// serves both. Several fronts (or backs) on one page are copies of one card where every number on them says so; else they are several
/// persons, and such a page is set aside, never mixed.
struct FrameQueue {
  let request: PairRequest
  let imaging: any CardImaging
  let classifier: CardClassifier
  let limits: ImageLimits

  /// Frames not opened yet, and cards found while the other side was looked for.
  private var waiting: [CardSide: [FrameSource]]
  private var found: [CardSide: [ClassifiedCard]] = [.front: [], .back: []]
  /// Files with a frame that showed the other side only, by the side they were offered for and their place.
  private var swapped: [CardSide: Set<Int>] = [.front: [], .back: []]
  /// Pages of files that hold both sides, which show the other one: nothing is wrong with them where a further page shows this one.
  private var otherPages: [FrameSource] = []

  init(request: PairRequest, imaging: any CardImaging, classifier: CardClassifier, limits: ImageLimits) {
    self.request = request
    self.imaging = imaging
    self.classifier = classifier
    self.limits = limits
    func sources(_ side: CardSide, _ paths: [String]) -> [FrameSource] {
      paths.enumerated().map { FrameSource(side: side, file: $0.offset, page: 0, path: $0.element) }
    }
    waiting = [.front: sources(.front, request.frontFiles), .back: sources(.back, request.backFiles)]
  }

  /// The next valid card of a side: from its own frames first, then what the other side's frames hold of it.
  mutating func next(_ side: CardSide, _ story: inout PairStory) -> ClassifiedCard? {
    let card = upcoming(side, &story)
    for page in otherPages where !(card?.source.isOf(page.path) ?? false) { story.setAside(page, .wrongSide) }
    otherPages = []
    return card
  }

  private mutating func upcoming(_ side: CardSide, _ story: inout PairStory) -> ClassifiedCard? {
    let other: CardSide = side == .front ? .back : .front
    while true {
      if let card = take(side, from: side) { return card }
      if open(nextOf: side, &story) { continue }
      if let card = take(side, from: other) {
        if swapped[other]?.contains(card.source.file) == true { story.note(.sidesSwapped) }
        return card
      }
      // A reused front leaves nothing to look for among the front's files.
      if request.reusedFront != nil || !open(nextOf: other, &story) { return nil }
    }
  }

  private mutating func take(_ side: CardSide, from owner: CardSide) -> ClassifiedCard? {
    guard let index = found[side]?.firstIndex(where: { $0.source.side == owner }) else { return nil }
    return found[side]?.remove(at: index)
  }

  /// Opens one frame and files its cards. - Returns: whether there was one.
  private mutating func open(nextOf owner: CardSide, _ story: inout PairStory) -> Bool {
    guard let source = waiting[owner]?.first else { return false }
    waiting[owner]?.removeFirst()
    do throws(ImageFailure) {
      if source.page == 0 {
        let pages = try imaging.pageCount(of: source.path, limits: limits)
        let more = (1..<max(1, pages)).map { page in
          FrameSource(side: source.side, file: source.file, page: page, path: source.path)
        }
        waiting[owner]?.insert(contentsOf: more, at: 0)
      }
      let cards = try story.timings.measure(.load) { () throws(ImageFailure) in
        try imaging.findCards(in: source.path, page: source.page, limits: limits)
      }
      file(cards, source, &story)
    } catch {
      story.setAside(source, error.reason)
    }
    return true
  }

  /// Classifies the cards of a page and keeps the valid ones; what is not valid is set aside with its reason.
  private mutating func file(_ cards: [FoundCard], _ source: FrameSource, _ story: inout PairStory) {
    var valid: [ClassifiedCard] = []
    var refusals: [Reason] = cards.isEmpty ? [.noCardFound] : []
    for (index, card) in cards.enumerated() {
      var place = source
      place.card = index
      let refusal = FrameAcceptance.refusal(of: card.quality)
      let classified = classifier.classify(
        card, source: place, isAlone: cards.count == 1, timings: &story.timings)
      if let classified, classified.canServe(source.side), refusal.map({ classified.canBeRead(despite: $0) }) ?? true {
        valid.append(classified)
      } else {
        refusals.append(refusal ?? .sideUnknown)
      }
    }
    if needsPrint(valid, of: source, &story.timings) {
      if let front = frontFillingPage(source, &story.timings) {
        valid = valid.filter { $0.face.side == .back && $0.isRead } + [front]
      } else if let print = pagePrint(source, cards, &story.timings) {
        valid = byPrint(print, valid, source)
      }
    }
    if needsSymbol(valid, of: source), let card = backOfWholePage(source, cards, &refusals, &story.timings) {
      valid = valid.filter { $0.face.side == .front } + [card]
    }
    valid = withoutGuesses(valid)
    guard !valid.isEmpty else { return story.setAside(source, refusals.first ?? .sideUnknown) }
    guard isOfOnePerson(valid) else { return story.setAside(source, .severalPersonsOnPage) }
    for side in CardSide.allCases {
      let ofSide = valid.filter { $0.face.side == side }
      guard request.scanMode.needs(side) else { continue }
      if let card = ofSide.count > 1 ? classifier.onePersons(ofSide, timings: &story.timings) : ofSide.first {
        found[side]?.append(card)
      } else if ofSide.count > 1 {
        story.setAside(source, .severalPersonsOnPage)
      }
    }
    if !valid.contains(where: { $0.face.side == source.side }) {
      guard !isOfferedForBoth(source) else { return otherPages.append(source) }
      swapped[source.side]?.insert(source.file)
      story.setAside(source, .wrongSide)
    }
  }

  /// Without cards that nothing but looks speak for, not even a likely outline, beside one of their side that was read.
  private func withoutGuesses(_ cards: [ClassifiedCard]) -> [ClassifiedCard] {
    cards.filter { card in
      card.isRead || card.quality.outlineConfidence >= Self.likelyOutline
        || !cards.contains { $0.isRead && $0.face.side == card.face.side }
    }
  }

  /// A scanner's document of both sides, say.
  private func isOfferedForBoth(_ source: FrameSource) -> Bool {
    [request.frontFiles, request.backFiles].allSatisfy { files in files.contains(where: source.isOf) }
  }

  /// Whether no front on a page is known to be another person's than a back beside it.
  private func isOfOnePerson(_ cards: [ClassifiedCard]) -> Bool {
    let printed = Set(cards.compactMap(\.front?.printedNumber))
    let decoded = Set(cards.compactMap { $0.back?.barcode?.identityNumber })
    return printed.isEmpty || decoded.isEmpty || printed == decoded
  }
}

extension ClassifiedCard {
  /// A frame shows the side it was offered as, or what was read proves the other: parts of a back, say, may be laid out like a front.
  func canServe(_ offered: CardSide) -> Bool { isRead || face != .newFront || offered == .front }

  /// Whether something of it was read already, whatever its quality says: a decoded number; or a new front's layout, which
  /// glare beside the text or few pixels may leave legible and blur does not.
  func canBeRead(despite refusal: Reason) -> Bool {
    if back?.barcode?.identityNumber != nil { return true }
    if front?.proof ?? 0 >= FrontObservation.convincingProof { return true }
    return [.glare, .tooSmall].contains(refusal) && face == .newFront
      && confidence >= CardClassifier.convincingLayoutFit
  }
}

/// The first valid front among a pair's files, as a run captures it, and why frames before it were set aside.
package func captureFront(
  of request: PairRequest, imaging: any CardImaging, classifier: CardClassifier, limits: ImageLimits
) -> (card: ClassifiedCard?, reasons: [Reason]) {
  var story = PairStory(id: request.id, timings: StageTimings(clock: { 0 }))
  var frames = FrameQueue(request: request, imaging: imaging, classifier: classifier, limits: limits)
  let card = frames.next(.front, &story)
  return (card, story.details.setAside.map(\.reason))
}

extension ScanMode {
  func needs(_ side: CardSide) -> Bool { side == .front ? includesFront : includesBack }
}
