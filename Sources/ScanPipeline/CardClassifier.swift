package import CardModel
internal import CardReading

/// A card whose face is known, turned upright.
package struct ClassifiedCard: Sendable {
  package var image: Raster
  package var face: CardFace
  /// How sure the face is, 0...1.
  package var confidence: Double
  package var quality: FrameQuality
  package var source: FrameSource
  /// What the barcode gave when it was needed to tell the side; kept, so that nothing is decoded twice.
  package var back: BackReading?
}

/// Tells which face of a card an image shows and which way up it is, asking the cheapest evidence first: looks, then
/// the barcode of what may be a back, then the layout of what may be a new front. No single evidence decides alone.
package struct CardClassifier {
  let front: any FrontReadingCard
  let back: any BackReadingCard

  /// A front whose layout fits at least this well is a new front whatever it looks like.
  static let convincingLayoutFit = 0.6
  /// Looks alone decide from this probability on.
  static let convincingAppearance = 0.85

  /// - Returns: `nil` where the evidence does not tell the face.
  package func classify(_ found: FoundCard, source: FrameSource) -> ClassifiedCard? {
    var card = found
    // Looks that say nothing leave every face, either way up, as likely as the other.
    if card.appearance.isEmpty { card.appearance = Self.anyFace }
    let sideOdds = card.appearance.reduce(into: [CardSide: Double]()) { $0[$1.face.side, default: 0] += $1.probability }
    let backOdds = sideOdds[.back] ?? 0
    let mayBeBack = backOdds >= (source.side == .back ? 0.05 : 0.25)
    let mayBeFront = (1 - backOdds) >= (source.side == .front ? 0.05 : 0.25)

    func asBack() -> ClassifiedCard? {
      let reading = back.read(card.image, likely: likelySymbologies(card))
      guard let verdict = backVerdict(reading, card) else { return nil }
      return classified(card, verdict, source, back: reading)
    }
    func asFront() -> ClassifiedCard? {
      frontVerdict(card).map { classified(card, $0, source, back: nil) }
    }
    // The likelier side first; the other only where the first does not convince.
    let attempts: [() -> ClassifiedCard?] =
      backOdds >= 0.5
      ? [mayBeBack ? asBack : { nil }, mayBeFront ? asFront : { nil }]
      : [mayBeFront ? asFront : { nil }, mayBeBack ? asBack : { nil }]
    for attempt in attempts {
      if let card = attempt() { return card }
    }
    return nil
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

  private func backVerdict(_ reading: BackReading, _ card: FoundCard) -> FaceAppearance? {
    let looks = card.appearance.first { $0.face.side == .back }
    guard let barcode = reading.barcode, let centre = reading.symbolCentre else {
      // Nothing decoded: only looks that convince make it a back (whose barcode cannot be read).
      guard let best = card.appearance.first, best.face.side == .back, best.probability >= Self.convincingAppearance
      else {
        return nil
      }
      return best
    }
    switch barcode.symbology {
    case .pdf417:
      return FaceAppearance(face: .oldBack, upsideDown: centre.y < 0.5, probability: 0.99)
    case .qr:
      // A chipless new front may carry a QR where the chip was; a back's stands in the upper right.
      if barcode.identityNumber == nil,
        distance(centre, to: FractionPoint(x: 0.18, y: 0.43)) < 0.15
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

  private func frontVerdict(_ card: FoundCard) -> FaceAppearance? {
    let fronts = card.appearance.filter { $0.face.side == .front }
    guard let best = fronts.first else { return nil }
    let newFronts = fronts.filter { $0.face == .newFront }
    // The layout is asked the likelier way up first, and both ways only where the first does not fit.
    for candidate in newFronts where candidate.probability > 0.02 {
      let image = candidate.upsideDown ? card.image.turnedByHalf() : card.image
      let fit = front.layoutFit(image)
      if fit >= Self.convincingLayoutFit {
        return FaceAppearance(
          face: .newFront, upsideDown: candidate.upsideDown, probability: max(fit, candidate.probability))
      }
    }
    guard best.probability >= Self.convincingAppearance else { return nil }
    return best
  }

  private func classified(
    _ card: FoundCard, _ verdict: FaceAppearance, _ source: FrameSource, back: BackReading?
  ) -> ClassifiedCard {
    ClassifiedCard(
      image: verdict.upsideDown ? card.image.turnedByHalf() : card.image, face: verdict.face,
      confidence: verdict.probability, quality: card.quality, source: source, back: back)
  }

  private func distance(_ a: FractionPoint, to b: FractionPoint) -> Double {
    let dx = a.x - b.x
    let dy = (a.y - b.y) * 53.98 / 85.60
    return (dx * dx + dy * dy).squareRoot()
  }
}
