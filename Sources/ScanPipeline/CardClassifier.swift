package import CardModel
internal import CardReading

/// A card whose face is known, turned upright.
package struct ClassifiedCard: Sendable {
  /// What is read, and what is shown: see `FoundCard`.
  package var image: Raster
  package var picture: CardPicture
  package var face: CardFace
  /// How sure the face is, 0...1.
  package var confidence: Double
  package var quality: FrameQuality
  package var source: FrameSource
  /// What the barcode gave when it was needed to tell the side; kept, so that nothing is decoded twice.
  package var back: BackReading?
  /// What was read on a new front when that was needed to tell the side; kept, so that nothing is read twice.
  package var front: FrontObservation?
  /// Whether a barcode or print told the face; else its looks or its layout did alone.
  package var isRead = false
  /// Whether it is a page as it was loaded, on which a barcode was read and no outline found.
  package var isWholePage = false
}

/// Tells which face of a card an image shows and which way up it is, asking the cheapest evidence first: looks, then
/// the barcode of what may be a back, then the layout of what may be a new front. No single evidence decides alone.
package struct CardClassifier {
  let front: any FrontReadingCard
  let back: any BackReadingCard

  package init(front: any FrontReadingCard, back: any BackReadingCard) {
    self.front = front
    self.back = back
  }

  /// A front whose layout fits at least this well is a new front whatever it looks like.
  static let convincingLayoutFit = 0.6
  /// Looks alone decide from this probability on.
  static let convincingAppearance = 0.85
  /// For the side that a frame was offered as, all its faces together.
  static let offeredAppearance = 0.6

  /// - Parameter isAlone: whether nothing else on the page may be a card.
  /// - Returns: `nil` where the evidence does not tell the face.
  func classify(
    _ found: FoundCard, source: FrameSource, isAlone: Bool, timings: inout StageTimings
  ) -> ClassifiedCard? {
    var card = found
    // Looks that say nothing leave every face, either way up, as likely as the other.
    if card.appearance.isEmpty { card.appearance = Self.anyFace }
    let backOdds = card.appearance.reduce(0) { $0 + ($1.face.side == .back ? $1.probability : 0) }
    // What a frame was offered as is always looked for; the other side where looks leave it possible.
    let mayBeBack = source.side == .back || backOdds >= 0.25
    let mayBeFront = source.side == .front || backOdds <= 0.75

    var reading: BackReading?
    func byBarcode() -> FaceAppearance? {
      let decoded = timings.measure(.decode) { back.read(card.image, likely: likelySymbologies(card)) }
      reading = decoded
      return barcodeVerdict(decoded, card, offered: source.side)
    }
    // What was read decides, the likelier side first; looks and layout alone only where nothing was read.
    var laidOut: ClassifiedCard?
    if backOdds >= 0.5 {
      if mayBeBack, let verdict = byBarcode() { return classified(card, verdict, source, back: reading, isRead: true) }
      if mayBeFront { laidOut = byPrint(card, source, &timings) }
    } else {
      if mayBeFront { laidOut = byPrint(card, source, &timings) }
      if laidOut?.isRead != true, mayBeBack, let verdict = byBarcode() {
        return classified(card, verdict, source, back: reading, isRead: true)
      }
    }
    if let laidOut { return laidOut }
    guard let best = byLooks(card, source, isAlone: isAlone) else { return nil }
    return classified(card, best, source, back: reading, isRead: false)
  }

  /// The best of several cards of one side, where the number on each says that all are one person's.
  func onePersons(_ cards: [ClassifiedCard], timings: inout StageTimings) -> ClassifiedCard? {
    let numbers = cards.map { card -> IdentityNumber? in
      switch card.face {
      case .newFront:
        timings.measure(.recognise) { card.front ?? front.observe(card.image) }.printedNumber
      case .oldFront: timings.measure(.recognise) { front.oldFrontsNumber(card.image) }
      case .newBack, .oldBack: card.back?.barcode?.identityNumber
      }
    }
    guard let first = numbers.first, let number = first, numbers.allSatisfy({ $0 == number }),
      Set(cards.map(\.face)).count == 1
    else { return nil }
    return cards.max { ($0.front?.proof ?? 0) < ($1.front?.proof ?? 0) }
  }

  /// The face that a card looks like. For the only card on a page the side that it was offered as needs less to be believed: a back
  /// whose barcode is gone must be scanned again, not taken for no card. Beside another card it may be a part of that one.
  private func byLooks(_ card: FoundCard, _ source: FrameSource, isAlone: Bool) -> FaceAppearance? {
    if let best = card.appearance.first, best.probability >= Self.convincingAppearance { return best }
    guard isAlone else { return nil }
    let offered = card.appearance.filter { $0.face.side == source.side }
    guard offered.reduce(0, { $0 + $1.probability }) >= Self.offeredAppearance else { return nil }
    return offered.first
  }

  /// A front found by its own print, as sure as what is read on it.
  /// - Parameter leastFit: where its layout fits worse, it is not read.
  func registered(
    _ found: FoundCard, source: FrameSource, leastFit: Double = 0, timings: inout StageTimings
  ) -> ClassifiedCard? {
    let observation = timings.measure(.recognise) { front.observe(found.image, leastFit: leastFit) }
    guard observation.proof >= FrontObservation.convincingProof else { return nil }
    return ClassifiedCard(
      image: found.image, picture: found.picture, face: .newFront, confidence: 0.99, quality: found.quality,
      source: source, front: observation,
      isRead: true)
  }

  private static let anyFace = CardFace.allCases.flatMap { face in
    [false, true].map { FaceAppearance(face: face, upsideDown: $0, probability: 0.125) }
  }

  /// The symbologies in the order of the faces' likelihood.
  func likelySymbologies(_ card: FoundCard) -> [Symbology] {
    let new = card.appearance.filter { $0.face == .newBack }.reduce(0) { $0 + $1.probability }
    let old = card.appearance.filter { $0.face == .oldBack }.reduce(0) { $0 + $1.probability }
    return new >= old ? [.qr, .pdf417, .code128] : [.pdf417, .qr, .code128]
  }

  /// What a decoded symbol says of the face; `nil` where nothing was decoded or it may be a front's own.
  private func barcodeVerdict(_ reading: BackReading, _ card: FoundCard, offered: CardSide) -> FaceAppearance? {
    guard let barcode = reading.barcode, let centre = reading.symbolCentre else { return nil }
    let looks = card.appearance.first { $0.face.side == .back }
    switch barcode.symbology {
    case .pdf417:
      return FaceAppearance(face: .oldBack, upsideDown: centre.y < 0.5, probability: 0.99)
    case .qr:
      // A chipless new front may carry a QR where the chip was; a back's stands in the upper right. Where in a frame that was offered
      // as a front a symbol stands says little: the outline may have been found wrong.
      if barcode.identityNumber == nil,
        offered == .front || distance(centre, to: FractionPoint(x: 0.18, y: 0.43)) < 0.15
          || distance(centre, to: FractionPoint(x: 0.82, y: 0.57)) < 0.15
      {
        return nil
      }
      let upright = distance(centre, to: FractionPoint(x: 0.84, y: 0.27))
      let turned = distance(centre, to: FractionPoint(x: 0.16, y: 0.73))
      return FaceAppearance(face: .newBack, upsideDown: turned < upright, probability: 0.99)
    case .code128:
      guard let looks else { return FaceAppearance(face: .oldBack, upsideDown: false, probability: 0.7) }
      return FaceAppearance(face: looks.face, upsideDown: looks.upsideDown, probability: max(0.9, looks.probability))
    }
  }

  /// A new front whose layout fits, asked the likelier way up first, and what is read on it. Print that a layout happens to lie on
  /// reads as nothing: a page upside down, or an outline around a part of a card.
  private func byPrint(_ card: FoundCard, _ source: FrameSource, _ timings: inout StageTimings) -> ClassifiedCard? {
    let upsideDownFirst = card.appearance.first { $0.face.side == .front }?.upsideDown ?? false
    var best: ClassifiedCard?
    for upsideDown in [upsideDownFirst, !upsideDownFirst] {
      let image = upsideDown ? card.image.turnedByHalf() : card.image
      let observation = timings.measure(.recognise) { front.observe(image, leastFit: Self.convincingLayoutFit) }
      let fit = observation.layoutFit
      guard fit >= Self.convincingLayoutFit else { continue }
      let isRead = observation.proof >= FrontObservation.convincingProof
      if best == nil || observation.proof > best?.front?.proof ?? 0 {
        best = ClassifiedCard(
          image: image, picture: card.picture.turned(quarters: upsideDown ? 2 : 0), face: .newFront, confidence: fit,
          quality: card.quality, source: source, front: observation,
          isRead: isRead)
      }
      if isRead { break }
    }
    return best
  }

  private func classified(
    _ card: FoundCard, _ verdict: FaceAppearance, _ source: FrameSource, back: BackReading?, isRead: Bool
  ) -> ClassifiedCard {
    ClassifiedCard(
      image: verdict.upsideDown ? card.image.turnedByHalf() : card.image,
      picture: card.picture.turned(quarters: verdict.upsideDown ? 2 : 0), face: verdict.face,
      confidence: verdict.probability, quality: card.quality, source: source,
      back: verdict.face.side == .back ? back : nil, isRead: isRead)
  }

  private func distance(_ a: FractionPoint, to b: FractionPoint) -> Double {
    let dx = a.x - b.x
    let dy = (a.y - b.y) * 53.98 / 85.60
    return (dx * dx + dy * dy).squareRoot()
  }
}
