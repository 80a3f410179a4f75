import CardModel

#if canImport(Glibc)
  import Glibc
#endif

// Choosing among the outlines that the pixels bear out, and finding the further cards of a page by the size of the first.

extension OutlineSearch {
  /// Whether the best outline is borne out and looks like a card: no dearer proposals are needed.
  func isSure(_ judged: inout [Outline]) -> Bool {
    let best = judged.indices.filter { judged[$0].confidence >= Self.sureConfidence }
      .sorted { judged[$0].quad.area > judged[$1].quad.area }
    for i in best.prefix(3) {
      let looks = judged[i].looks ?? self.looks(of: judged[i].quad)
      judged[i].looks = looks
      if looks > 0.6, isOfficePage || !isSmall(judged[i].quad) { return true }
    }
    return false
  }

  /// Whether the image is the card, cropped to its outline: it has a card's proportions, looks like one, and shows no other outline
  /// of one. Most such images show no side, so that the dearer proposals would all be made in vain.
  func isWholeFrame(_ judged: inout [Outline]) -> Bool {
    guard let frame = wholeFrame().first, looks(of: frame.quad) > 0.9 else { return false }
    let inner = judged.indices.filter { judged[$0].confidence > Self.likelyConfidence && !isSmall(judged[$0].quad) }
    for i in inner where judged[i].quad.distance(to: frame.quad) > 0.02 * frame.quad.longSide {
      let looks = judged[i].looks ?? self.looks(of: judged[i].quad)
      judged[i].looks = looks
      if looks > 0.6 { return false }
    }
    return true
  }

  /// Whether what was chosen is so little borne out, or so small on what is no office page, that dearer ways are worth it.
  func isDoubtful(_ chosen: [Outline]) -> Bool {
    guard let first = chosen.first else { return true }
    if worth(first) < Self.doubtfulWorth { return true }
    return chosen.count == 1 && isSmall(first.quad) && !isOfficePage
  }

  /// A4 (or Letter), where several cards may stand and each is small.
  var isOfficePage: Bool {
    let aspect = Quad(width: small.width, height: small.height).aspect
    return (1.39...1.44).contains(aspect) || (1.28...1.31).contains(aspect)
  }

  /// Small against the image: an office page's card, or a card's portrait or symbol.
  func isSmall(_ quad: Quad) -> Bool { quad.area < 0.1 * Double(small.width * small.height) }

  /// The best first, each time without those that share area with one chosen. Looks decide between outlines that the pixels
  /// bear out alike (a card on a sheet, a tile, a portrait), and size between the all but equal: a card's inner frames are
  /// borne out as well as its outline.
  func withoutOverlaps(_ judged: [Outline]) -> [Outline] {
    let frameArea = Double(small.width * small.height)
    func rank(_ outline: Outline) -> Double {
      outline.confidence * (0.45 + 0.55 * (outline.looks ?? 1)) * pow(outline.quad.area / frameArea, 0.12)
    }
    // On a card that fills the frame the portrait and the chip have outlines too.
    let leastArea = wholeFrame().isEmpty ? 0 : 0.2 * frameArea
    let candidates = judged.filter { $0.confidence >= Self.leastConfidence && $0.quad.area >= leastArea }
    let asked = withLooks(candidates.sorted { rank($0) > rank($1) })
    // No card holds another: what lies within an outline that looks like a card is its portrait, its symbol, its plate.
    var left = asked.filter { inner in
      !asked.contains { outer in
        (outer.looks ?? 0) > 0.9 && outer.confidence >= (isOfficePage ? 0.5 : Self.printConfidence)
          && (2.5...(isOfficePage ? 9 : 25)).contains(outer.quad.area / inner.quad.area)
          && abs(log(outer.quad.aspect / Quad.cardAspect)) < 0.08
          && outer.quad.overlap(with: inner.quad.corners) > 0.9 * inner.quad.area
      }
    }.sorted { rank($0) > rank($1) }
    var chosen: [Outline] = []
    while let best = left.first {
      if let first = chosen.first {
        // Cards on one page are of one size.
        let ratio = best.quad.area / first.quad.area
        if ratio > 0.6, ratio < 1.7, rank(best) > 0.7 * rank(first), (best.looks ?? 1) > 0.3 { chosen.append(best) }
      } else {
        chosen.append(best)
      }
      left.removeAll { other in
        best.quad.overlap(with: other.quad.corners) > 0.15 * min(best.quad.area, other.quad.area)
      }
    }
    return chosen
  }

  /// Asks for looks, the best outlines first; near doubles share them. Those past the bound are left out: each costs about a
  /// millisecond.
  private func withLooks(_ sorted: [Outline]) -> [Outline] {
    let largest = sorted.map(\.quad.area).max() ?? 0
    let bound = largest > 0.12 * Double(small.width * small.height) ? 10 : 26
    var asked: [Outline] = []
    var count = 0
    for var outline in sorted {
      if outline.looks == nil {
        if let twin = asked.first(where: { $0.quad.distance(to: outline.quad) < 0.03 * outline.quad.longSide }) {
          outline.looks = twin.looks
        } else if count < bound {
          outline.looks = looks(of: outline.quad)
          count += 1
        } else {
          continue
        }
      }
      asked.append(outline)
    }
    return asked
  }

  /// The probability that a quad of the reduced image holds a card.
  func looks(of quad: Quad) -> Double {
    let card = grey.unwarped(quad, width: CardAppearance.width, height: CardAppearance.height, .linear)
    return card.flatMap { CardAppearance(of: $0)?.card } ?? 1
  }

  /// Where a photocopy or a blown-out scan shows print but no outline: rectangles around the print, of a card's proportions,
  /// in the two sizes that the margins of the known printings give; looks alone bear them out.
  func outlinesOfPrint() -> [Outline] {
    OutlineProposals(image: small).fromPrint().map(\.landscape)
      .flatMap { quad in [1.0, 1.05].map { quad.grown(by: $0) } }
      .map { Outline(quad: $0, confidence: Self.printConfidence, looks: looks(of: $0)) }
      .filter { ($0.looks ?? 0) > 0.5 }
  }

  /// Where only a part of a card stands out (its green upper half; its lower half is white on white paper): the card that has
  /// the part's width, or its height, laid on it as `siblings` are.
  func outlinesOfParts() -> [Outline] {
    let least = 0.15 * Double(min(small.width, small.height))
    return OutlineProposals(image: small).blocks(leastSide: least).prefix(6).flatMap { block -> [Outline] in
      let width = block.landscape.sideLength(0), height = block.landscape.sideLength(1)
      let long = max(width, height * Quad.cardAspect)
      return laid(on: block.landscape, long: long, short: long / Quad.cardAspect).filter(isPlausible)
        .compactMap(judgedSibling)
    }
  }

  /// Further cards on an office page. All are of one size, so where one is found a card whose outline shows in part (its
  /// lower half white on white paper) can be laid on what does show: each block of print or colour is held against the
  /// card's rectangle at its ends and in its middle; sides and looks decide where it fits.
  func siblings(of chosen: [Outline]) -> [Outline] {
    guard let first = chosen.first, (first.looks ?? 0) > 0.5,
      first.quad.area < 0.25 * Double(small.width * small.height)
    else { return [] }
    let long = first.quad.longSide, short = long / Quad.cardAspect
    var found: [Outline] = []
    for block in OutlineProposals(image: small).blocks(leastSide: short * 0.3).prefix(40) {
      let taken = chosen + found
      guard !taken.contains(where: { $0.quad.overlap(with: block.corners) > 0.3 * block.area }) else { continue }
      let laid = laid(on: block, long: long, short: short).filter { quad in
        !taken.contains { $0.quad.overlap(with: quad.corners) > 0.1 * quad.area }
      }
      if let best = laid.compactMap(judgedSibling).max(by: { worth($0) < worth($1) }) { found.append(best) }
    }
    return found
  }

  func worth(_ outline: Outline) -> Double { outline.confidence * (outline.looks ?? 0) }

  private func judgedSibling(_ quad: Quad) -> Outline? {
    guard let (moved, _) = fitted(quad, in: small, reach: 6), let (settled, sides) = fitted(moved, in: small, reach: 3),
      abs(settled.area / quad.area - 1) < 0.12
    else { return nil }
    let looks = looks(of: settled)
    guard looks > 0.5 else { return nil }
    let borne = max(Self.printConfidence, confidence(of: settled, sides: sides))
    return Outline(quad: settled.landscape, confidence: borne, looks: looks)
  }

  /// A card's rectangle at the ends and in the middle of a block, either way round, wherever the block fits into it.
  private func laid(on block: Quad, long: Double, short: Double) -> [Quad] {
    let across = block.corners[1] - block.corners[0], down = block.corners[3] - block.corners[0]
    let width = across.length, height = down.length
    let x = across * (1 / max(1e-9, width)), y = down * (1 / max(1e-9, height))
    var quads: [Quad] = []
    for (w, h) in [(long, short), (short, long)] where width < w * 1.06 && height < h * 1.06 {
      for i in w - width < 0.05 * w ? [0.5] : [0, 0.5, 1] {
        for j in h - height < 0.05 * h ? [0.5] : [0, 0.5, 1] {
          let origin = block.corners[0] + x * ((width - w) * i) + y * ((height - h) * j)
          if let quad = Quad([origin, origin + x * w, origin + x * w + y * h, origin + y * h]) { quads.append(quad) }
        }
      }
    }
    return quads
  }
}
