internal import CardModel
private import CardReading

// Where no outline shows, or a wrong one, what is printed on a page still tells which cards lie on it.

extension FrameQueue {
  /// The fronts that a page shows by its print.
  struct PagePrint {
    var page: Raster
    var newFronts: [ClassifiedCard]
    /// By how many quarters, clockwise, the page must be turned for its old front to stand upright.
    var oldsTurn: Int?
    /// An old front within the plainest outline.
    var outlinedOld: ClassifiedCard?
  }

  // MARK: Fronts

  /// Whether a front's frame showed no front that was read, nor an old front or the other side in plain view; or one that lies so crooked
  /// in what was taken for its outline that values are missing. An old front's number is read in a hundredth of the time that the page's
  /// print takes.
  func needsPrint(_ valid: [ClassifiedCard], of source: FrameSource, _ timings: inout StageTimings) -> Bool {
    guard source.side == .front, request.scanMode.includesFront else { return false }
    return !valid.contains { card in
      card.isRead && !mayLieCrooked(card)
        || card.face == .oldFront
          && (card.quality.outlineConfidence >= Self.plainOutline
            || timings.measure(.classify) { classifier.front.oldFrontsNumber(card.image) != nil })
    }
  }

  /// Whether a new front was read without a likely outline, and two or more of its eight values are missing.
  private func mayLieCrooked(_ card: ClassifiedCard) -> Bool {
    card.face == .newFront && card.quality.outlineConfidence <= Self.likelyOutline
      && surelyRead(card) <= Self.mostUnsure
  }

  /// With so many values or fewer, a front may lie otherwise than it was taken to.
  private static let mostUnsure = FieldName.allCases.count - 2

  private func surelyRead(_ card: ClassifiedCard) -> Int {
    card.front.map { classifier.front.decide($0, barcodeNumber: nil).confidence.count } ?? 0
  }

  /// How much was read of the best read of some cards.
  func read(_ cards: [ClassifiedCard]) -> FrontsRead {
    cards.map { FrontsRead(values: surelyRead($0), proof: $0.front?.proof ?? 0) }.max()
      ?? FrontsRead(values: 0, proof: 0)
  }

  /// Of two readings of a front the one with more values is better, and with as many, the one with more proof.
  struct FrontsRead: Comparable {
    var values: Int
    var proof: Int
    static func < (a: FrontsRead, b: FrontsRead) -> Bool { (a.values, a.proof) < (b.values, b.proof) }
  }

  /// From this confidence on, an outline is one that a person sees too.
  private static let plainOutline = 0.8
  /// From this confidence on, an outline is likelier a card's than not.
  static let likelyOutline = 0.5

  /// The front that fills a page, laid by where its rows lie, if all but one of its values are surely read. That costs what reading the
  /// front costs; to read a page's print costs twice as much again. A page with room for another card is left to its print: there may
  /// be another person's.
  func frontFillingPage(_ source: FrameSource, _ timings: inout StageTimings) -> ClassifiedCard? {
    guard let page = page(of: source, longSidePixels: nil, &timings) else { return nil }
    for corners in timings.measure(
      .classify, { classifier.front.guessFronts(on: page, leastWidth: Self.leastFillingWidth) })
    where FractionPoint.area(of: corners) > Self.leastFilling {
      guard let found = timings.measure(.load, { imaging.card(on: page, corners: corners) }),
        let front = classifier.registered(
          found, source: source, leastFit: CardClassifier.convincingLayoutFit, timings: &timings)
      else { continue }
      if surelyRead(front) > Self.mostUnsure { return front }
    }
    return nil
  }

  /// Of a page's area. Two cards do not both take more than that.
  private static let leastFilling = 0.5
  /// Of a page's width: what is narrower fills no page of a scanner's or camera's proportions.
  private static let leastFillingWidth = 0.7

  /// The valid cards of a frame, with what its print tells of them.
  func byPrint(
    _ print: PagePrint, _ valid: [ClassifiedCard], _ source: FrameSource
  ) -> [ClassifiedCard] {
    if read(print.newFronts) > read(valid) {
      return valid.filter { $0.face.side == .back && $0.isRead } + print.newFronts
    }
    guard !valid.contains(where: { $0.isRead || $0.face.side == .front }), let card = oldFront(print, source)
    else { return valid }
    return [card]
  }

  /// Print is read at this size: of a card that a small photograph shows, and of one on an A4 page at 300 dpi.
  private static let printedPagePixels = 2000...3000

  /// New fronts by their labels, else by where their rows lie; or an old one by its number.
  /// - Parameter cards: what outlines the page shows.
  func pagePrint(_ source: FrameSource, _ cards: [FoundCard], _ timings: inout StageTimings) -> PagePrint? {
    guard let page = page(of: source, longSidePixels: Self.printedPagePixels, &timings) else { return nil }
    let printed = timings.measure(.classify) { classifier.front.findFronts(on: page) }
    var print = PagePrint(page: page, newFronts: [], oldsTurn: printed.oldsTurn)
    print.newFronts = registered(printed.new, on: page, source, &timings)
    if print.newFronts.isEmpty { readOutlined(cards, source, &print, &timings) }
    if print.newFronts.isEmpty {
      // A number that was read says which way up the page is.
      let turns = printed.oldsTurn.map { $0...$0 } ?? 0...3
      print.newFronts = frontByRows(of: page, turns, source, &timings)
    }
    return print
  }

  /// What the print within the plainest outline tells. An outline that lost a side makes a front that lies askew level all the same.
  private func readOutlined(
    _ cards: [FoundCard], _ source: FrameSource, _ print: inout PagePrint, _ timings: inout StageTimings
  ) {
    guard let card = cards.max(by: { $0.quality.outlineConfidence < $1.quality.outlineConfidence }),
      card.quality.outlineConfidence >= Self.worthReading
    else { return }
    let printed = timings.measure(.classify) { classifier.front.findFronts(on: card.image) }
    let places = printed.new.map { front in front.map { $0.placed(within: card.corners) } }
    print.newFronts = registered(places, on: print.page, source, &timings)
    guard let turn = printed.oldsTurn, card.quality.outlineConfidence >= Self.likelyOutline else { return }
    print.outlinedOld = upright(card.image, card.picture, turn, card.quality, source)
  }

  /// From this confidence on, what lies in an outline may be most of a card.
  private static let worthReading = 0.3

  /// The one front on a page whose labels are gone as well, by where its rows lie; in each of some quarter turns.
  private func frontByRows(
    of page: Raster, _ turns: ClosedRange<Int>, _ source: FrameSource, _ timings: inout StageTimings
  ) -> [ClassifiedCard] {
    var turned = page
    for quarters in 0...turns.upperBound {
      if quarters > 0 { turned = turned.turnedByQuarter() }
      guard turns.contains(quarters) else { continue }
      for corners in timings.measure(.classify, { classifier.front.guessFronts(on: turned, leastWidth: 0) }) {
        if let front = laid(corners, on: turned, source, 0, &timings)?.front { return [front] }
      }
    }
    return []
  }

  /// The fronts that lie within corners, of those that are read there. What print tells of its place is rough where little of it is read on the
  /// page: on the card laid by that, more is.
  private func registered(
    _ places: [[FractionPoint]], on page: Raster, _ source: FrameSource, _ timings: inout StageTimings
  ) -> [ClassifiedCard] {
    places.enumerated().compactMap { index, corners in registered(corners, on: page, source, index, &timings) }
  }

  private func registered(
    _ corners: [FractionPoint], on page: Raster, _ source: FrameSource, _ index: Int, _ timings: inout StageTimings
  ) -> ClassifiedCard? {
    guard let (image, rough) = laid(corners, on: page, source, index, &timings) else { return nil }
    if let rough, surelyRead(rough) > Self.mostUnsure { return rough }
    guard let closer = timings.measure(.classify, { classifier.front.findFronts(on: image).new.first }),
      let settled = laid(closer.map { $0.placed(within: corners) }, on: page, source, index, &timings)?.front
    else { return rough }
    return read([settled]) > read([rough].compactMap(\.self)) ? settled : rough
  }

  /// What lies within corners, and the front if one is read there.
  private func laid(
    _ corners: [FractionPoint], on page: Raster, _ source: FrameSource, _ index: Int, _ timings: inout StageTimings
  ) -> (image: Raster, front: ClassifiedCard?)? {
    var place = source
    place.card = index
    guard let found = timings.measure(.load, { imaging.card(on: page, corners: corners) }) else { return nil }
    return (found.image, classifier.registered(found, source: place, timings: &timings))
  }

  /// An old front told by its number: within the plainest outline, else on the page as it is. The number tells a front, and the
  /// absence of labels an old one: for its type the back's barcode is the better witness.
  private func oldFront(_ print: PagePrint, _ source: FrameSource) -> ClassifiedCard? {
    print.outlinedOld
      ?? print.oldsTurn.map {
        upright(print.page, CardPicture(whole: print.page), $0, Self.quality(ofWhole: print.page), source)
      }
  }

  private func upright(
    _ image: Raster, _ picture: CardPicture, _ quarters: Int, _ quality: FrameQuality, _ source: FrameSource
  ) -> ClassifiedCard {
    let image = (0..<quarters).reduce(image) { image, _ in image.turnedByQuarter() }
    return ClassifiedCard(
      image: image, picture: picture.turned(quarters: quarters), face: .oldFront, confidence: 0.9, quality: quality,
      source: source)
  }

  /// The one new front that a frame shows by its print, where looks alone made it an old one and its back says otherwise.
  func newFront(insteadOf card: ClassifiedCard, _ timings: inout StageTimings) -> ClassifiedCard? {
    // Of several nobody can say which is this pair's.
    guard card.face == .oldFront, !card.isRead, let fronts = pagePrint(card.source, [], &timings)?.newFronts,
      fronts.count == 1, var front = fronts.first
    else { return nil }
    front.source = card.source
    return front
  }

  // MARK: Backs

  /// Whether a back's frame showed no back with a number.
  func needsSymbol(_ valid: [ClassifiedCard], of source: FrameSource) -> Bool {
    source.side == .back && request.scanMode.includesBack
      && valid.allSatisfy { $0.face.side == .front || $0.back?.barcode?.identityNumber == nil }
  }

  /// Where no outline shows, or a wrong one, the barcode may still be read on the page as it is. It is believed only where the page
  /// shows one card at most besides: the symbol might be another person's. No card carries its symbol in the middle, and none is
  /// smaller than its symbol says, so that what seems a card on the symbol's own modules, on print or on a corner of paper is none.
  ///
  /// Symbols that give several numbers become the first of `refusals`.
  func backOfWholePage(
    _ source: FrameSource, _ cards: [FoundCard], _ refusals: inout [Reason], _ timings: inout StageTimings
  ) -> ClassifiedCard? {
    guard var page = page(of: source, longSidePixels: nil, &timings) else { return nil }
    var reading = timings.measure(.decode) { classifier.back.read(page, likely: [.qr, .pdf417, .code128]) }
    // A symbol that lies askew, or is small on its page, wants other attempts than one on an unwarped card.
    if reading.barcode?.identityNumber == nil {
      if max(page.width, page.height) > Self.searchedPagePixels.upperBound,
        let reduced = self.page(of: source, longSidePixels: Self.searchedPagePixels, &timings)
      {
        page = reduced
      }
      reading = timings.measure(.decode) { classifier.back.readPage(page) }
      if reading.reasons.contains(.severalPersonsOnPage) { refusals.insert(.severalPersonsOnPage, at: 0) }
    }
    guard let barcode = reading.barcode, barcode.identityNumber != nil else { return nil }
    let leastPixels =
      Self.leastCard(per: barcode.symbology) * page.longestSidePixels(of: reading.symbolCorners)
    let apart = cards.filter { card in
      card.quality.cutOff < Self.mostCutOff
        && FractionPoint(centreOf: card.corners)?.lies(within: reading.symbolCorners) != true
        && (card.corners.isEmpty || page.longestSidePixels(of: card.corners) >= leastPixels)
    }
    guard apart.count <= 1 else { return nil }
    return ClassifiedCard(
      image: page, picture: CardPicture(whole: page), face: barcode.symbology == .pdf417 ? .oldBack : .newBack,
      confidence: 0.9,
      quality: apart.first?.quality ?? Self.quality(ofWhole: page), source: source, back: reading, isRead: true,
      isWholePage: true)
  }

  /// A symbol is looked for at this size: hundreds of milliseconds a page.
  private static let searchedPagePixels = 1...2400
  /// What lies so far outside the image was laid on print, where no outline shows.
  private static let mostCutOff = 0.3

  /// By how much a card is longer than its symbol, at the least: all cards are of one size. The linear symbols span most of an old
  /// back, a QR a fifth of a new one.
  private static func leastCard(per symbology: Symbology) -> Double {
    switch symbology {
    case .pdf417, .code128: 1
    case .qr: 3
    }
  }

  // MARK: Pages

  private func page(
    of source: FrameSource, longSidePixels: ClosedRange<Int>?, _ timings: inout StageTimings
  ) -> Raster? {
    do throws(ImageFailure) {
      return try timings.measure(.load) { () throws(ImageFailure) in
        try imaging.loadPage(source.page, of: source.path, limits: limits, longSidePixels: longSidePixels)
      }
    } catch {
      // The page was loaded a moment ago; that it no longer can be is said when its outline's card is filed.
      return nil
    }
  }

  private static func quality(ofWhole page: Raster) -> FrameQuality {
    FrameQuality(focus: 0, glare: 0, brightness: 0, cutOff: 0, cardWidthPixels: page.width, outlineConfidence: 0)
  }
}

extension Raster {
  /// The longest side of a quadrilateral of fractions of this image, in pixels.
  fileprivate func longestSidePixels(of corners: [FractionPoint]) -> Double {
    corners.indices.map { index in
      let from = corners[index], to = corners[(index + 1) % corners.count]
      let x = (to.x - from.x) * Double(width), y = (to.y - from.y) * Double(height)
      return (x * x + y * y).squareRoot()
    }.max() ?? 0
  }
}
