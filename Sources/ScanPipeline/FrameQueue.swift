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
      let fronts = frontsByPrint(source, &story.timings)
      let known = valid.compactMap(\.front?.proof).max() ?? 0
      if fronts.contains(where: { $0.front?.proof ?? 0 > known }) {
        valid = valid.filter { $0.face.side == .back && $0.isRead } + fronts
      }
    }
    if needsNumber(valid, of: source), let card = oldFrontByNumber(source, cards, &story.timings) { valid = [card] }
    if needsSymbol(valid, of: source), let card = backOfWholePage(source, cards, &story.timings) {
      valid = valid.filter { $0.face.side == .front } + [card]
    }
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
      swapped[source.side]?.insert(source.file)
      story.setAside(source, .wrongSide)
    }
  }

  /// Whether a front's frame showed no front that was read, nor an old front or the other side in plain view. An old front's number is
  /// read in a hundredth of the time that the page's print takes.
  private func needsPrint(
    _ valid: [ClassifiedCard], of source: FrameSource, _ timings: inout StageTimings
  ) -> Bool {
    guard source.side == .front, request.scanMode.includesFront else { return false }
    return !valid.contains { card in
      card.isRead
        || card.face == .oldFront
          && (card.quality.outlineConfidence >= Self.plainOutline
            || timings.measure(.classify) { classifier.front.oldFrontsNumber(card.image) != nil })
    }
  }

  /// From this confidence on, an outline is one that a person sees too.
  private static let plainOutline = 0.8

  /// Where no outline shows, or a wrong one, the print of a new front still tells where it lies.
  private func frontsByPrint(_ source: FrameSource, _ timings: inout StageTimings) -> [ClassifiedCard] {
    do throws(ImageFailure) {
      let page = try timings.measure(.load) { () throws(ImageFailure) in
        try imaging.loadPage(source.page, of: source.path, limits: limits, longSidePixels: Self.printedPagePixels)
      }
      let fronts = timings.measure(.classify) { classifier.front.findFronts(on: page) }
      let registered = fronts.enumerated().compactMap { index, corners in
        self.registered(corners, on: page, source, index, &timings)
      }
      return registered.isEmpty ? frontByRows(of: page, source, &timings) : registered
    } catch {
      // The page was loaded a moment ago; that it no longer can be is said when its outline's card is filed.
      return []
    }
  }

  /// The one front on a page whose labels are gone as well, by where its rows lie; in each quarter turn.
  private func frontByRows(
    of page: Raster, _ source: FrameSource, _ timings: inout StageTimings
  ) -> [ClassifiedCard] {
    var turned = page
    for quarters in 0..<4 {
      if quarters > 0 { turned = turned.turnedByQuarter() }
      for corners in timings.measure(.classify, { classifier.front.guessFronts(on: turned) }) {
        if let front = registered(corners, on: turned, source, 0, &timings) { return [front] }
      }
    }
    return []
  }

  private func registered(
    _ corners: [FractionPoint], on page: Raster, _ source: FrameSource, _ index: Int, _ timings: inout StageTimings
  ) -> ClassifiedCard? {
    guard let found = timings.measure(.load, { imaging.card(on: page, corners: corners) }) else { return nil }
    var place = source
    place.card = index
    return classifier.registered(found, source: place, timings: &timings)
  }

  /// Whether a front's frame showed no front, nor anything that was read.
  private func needsNumber(_ valid: [ClassifiedCard], of source: FrameSource) -> Bool {
    source.side == .front && request.scanMode.includesFront
      && !valid.contains { $0.isRead || $0.face.side == .front }
  }

  /// An old front told by its number: within the plainest outline, else on the page as it is.
  private func oldFrontByNumber(
    _ source: FrameSource, _ cards: [FoundCard], _ timings: inout StageTimings
  ) -> ClassifiedCard? {
    let plainest = cards.max { $0.quality.outlineConfidence < $1.quality.outlineConfidence }
    if let card = plainest, card.quality.outlineConfidence >= Self.likelyOutline,
      let image = upright(card.image, &timings)
    {
      return oldFront(image, card.quality, source)
    }
    do throws(ImageFailure) {
      let page = try timings.measure(.load) { () throws(ImageFailure) in
        try imaging.loadPage(source.page, of: source.path, limits: limits, longSidePixels: Self.printedPagePixels)
      }
      let whole = FrameQuality(
        focus: 0, glare: 0, brightness: 0, cutOff: 0, cardWidthPixels: page.width, outlineConfidence: 0)
      return upright(page, &timings).map { oldFront($0, whole, source) }
    } catch {
      // The page was loaded a moment ago; that it no longer can be is said when its outline's card is filed.
      return nil
    }
  }

  /// From this confidence on an outline is likelier a card's than not.
  private static let likelyOutline = 0.5

  private func upright(_ image: Raster, _ timings: inout StageTimings) -> Raster? {
    timings.measure(.classify) { classifier.front.oldFrontsTurn(on: image) }.map { quarters in
      (0..<quarters).reduce(image) { image, _ in image.turnedByQuarter() }
    }
  }

  /// The number tells a front, and the absence of labels an old one: for its type the back's barcode is the better witness.
  private func oldFront(_ image: Raster, _ quality: FrameQuality, _ source: FrameSource) -> ClassifiedCard {
    ClassifiedCard(image: image, face: .oldFront, confidence: 0.9, quality: quality, source: source)
  }

  /// Labels are read at this size: of a card that a small photograph shows, and of one on an A4 page at 300 dpi.
  private static let printedPagePixels = 2000...3000

  /// Whether a back's frame showed no back with a number.
  private func needsSymbol(_ valid: [ClassifiedCard], of source: FrameSource) -> Bool {
    source.side == .back && request.scanMode.includesBack
      && valid.allSatisfy { $0.face.side == .front || $0.back?.barcode?.identityNumber == nil }
  }

  /// Whether no front on a page is known to be another person's than a back beside it.
  private func isOfOnePerson(_ cards: [ClassifiedCard]) -> Bool {
    let printed = Set(cards.compactMap(\.front?.printedNumber))
    let decoded = Set(cards.compactMap { $0.back?.barcode?.identityNumber })
    return printed.isEmpty || decoded.isEmpty || printed == decoded
  }

  /// Where no outline shows, or a wrong one, the barcode may still be read on the page as it is. It is believed only where the page
  /// shows one card at most besides: the symbol might be another person's. No card carries its symbol in the middle, so that
  /// what seems a card around the symbol's own modules is none.
  private func backOfWholePage(
    _ source: FrameSource, _ cards: [FoundCard], _ timings: inout StageTimings
  ) -> ClassifiedCard? {
    let page: Raster
    do throws(ImageFailure) {
      page = try timings.measure(.load) { () throws(ImageFailure) in
        try imaging.loadPage(source.page, of: source.path, limits: limits)
      }
    } catch {
      // The page was loaded a moment ago; that it no longer can be is said when its outline's card is filed.
      return nil
    }
    let reading = timings.measure(.decode) { classifier.back.read(page, likely: [.qr, .pdf417, .code128]) }
    guard let barcode = reading.barcode, barcode.identityNumber != nil else { return nil }
    let apart = cards.filter { FractionPoint(centreOf: $0.corners)?.lies(within: reading.symbolCorners) != true }
    guard apart.count <= 1 else { return nil }
    let whole =
      apart.first?.quality
      ?? FrameQuality(focus: 0, glare: 0, brightness: 0, cutOff: 0, cardWidthPixels: page.width, outlineConfidence: 0)
    return ClassifiedCard(
      image: page, face: barcode.symbology == .pdf417 ? .oldBack : .newBack, confidence: 0.9, quality: whole,
      source: source, back: reading, isRead: true, isWholePage: true)
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
