import CardModel

#if canImport(Glibc)
  import Glibc
#endif

/// A card's outline on a page.
struct Outline {
  /// In pixels of the image searched; landscape.
  var quad: Quad
  /// 0...1, how sure it is that this is a card's outline.
  var confidence: Double
  /// The probability that what it holds looks like a card; `nil` where nobody asked.
  var looks: Double?
}

/// Finds the outlines of cards on a page.
///
/// Cheap proposals (edges, colours that differ from the border's, saturation, long lines) are made on a reduced image; each is
/// moved onto the straight edges nearest to its sides and judged by how much of every side the pixels bear out and by ID-1's
/// proportions. Lines, the dearest proposals, are asked only where the others gave nothing sure.
struct OutlineSearch {
  let page: Raster
  /// The reduced image, the same in grey, and page pixels per pixel of it.
  let small: Raster
  let grey: Raster
  let scale: Double

  /// The long side of the reduced image: a card among eight on A4 is then 250 pixels wide.
  static let smallSide = 880
  /// The least share of the image that a card takes: among eight on an A4 page each takes 0.07.
  static let leastArea = 0.035
  /// Below this no outline is reported.
  static let leastConfidence = 0.42
  /// What a card-shaped image is worth as the card: less than an outline within it of which three sides show.
  static let wholeFrameConfidence = 0.7
  /// What a rectangle around print is worth.
  static let printConfidence = 0.45
  /// Where the best outline's confidence times its looks is below this, it is doubted, and print and parts are asked.
  static let doubtfulWorth = 0.6
  /// What neither looks like a card nor has a sure outline is no card.
  static let leastLooks = 0.02
  /// From this on, an outline is likelier a card's than not.
  static let likelyConfidence = 0.5
  /// From this on, no dearer proposals are made.
  static let sureConfidence = 0.8

  init?(page: Raster) {
    self.page = page
    let long = max(page.width, page.height)
    if long > Self.smallSide {
      let factor = Double(Self.smallSide) / Double(long)
      let width = max(8, Int((Double(page.width) * factor).rounded()))
      let height = max(8, Int((Double(page.height) * factor).rounded()))
      let sampling = Raster.Sampling.reducing(by: long, to: Self.smallSide)
      guard let reduced = page.resized(width: width, height: height, sampling) else { return nil }
      small = reduced
      scale = Double(page.width) / Double(width)
    } else {
      small = page
      scale = 1
    }
    grey = small.grey()
  }

  /// The outlines, largest first.
  func outlines() -> [Outline] {
    guard small.width >= 48, small.height >= 48 else { return [] }
    var judged: [Outline] = []
    var tried: [Quad] = []
    for propose in proposals() {
      judge(propose(), tried: &tried, into: &judged)
      if isSure(&judged) || isWholeFrame(&judged) { break }
    }
    judged += wholeFrame()
    var chosen = withoutOverlaps(judged)
    if isDoubtful(chosen) {
      chosen = withoutOverlaps(
        judged + outlinesOfPrint() + (isOfficePage ? [] : outlinesOfParts() + wholeFrameByLooks()))
    }
    chosen += siblings(of: chosen)
    chosen.removeAll { ($0.looks ?? 1) < Self.leastLooks && $0.confidence < Self.sureConfidence }
    return chosen.map(refined).sorted { $0.quad.area > $1.quad.area }
  }

  /// An image of a card's proportions may be the card itself, cropped to its outline, so that no side shows.
  func wholeFrame() -> [Outline] {
    let frame = Quad(width: small.width, height: small.height)
    guard abs(log(frame.aspect / Quad.cardAspect)) < 0.03 else { return [] }
    return [Outline(quad: frame.landscape, confidence: Self.wholeFrameConfidence)]
  }

  /// A white card's copy on white has no side to see, and is seldom cropped to the card's proportions exactly.
  private func wholeFrameByLooks() -> [Outline] {
    let frame = Quad(width: small.width, height: small.height).landscape
    guard abs(log(frame.aspect / Quad.cardAspect)) < 0.1 else { return [] }
    let looks = looks(of: frame)
    return looks > 0.5 ? [Outline(quad: frame, confidence: Self.printConfidence, looks: looks)] : []
  }

  // MARK: Judging

  /// The kinds of proposals, the cheapest first. The full size's lines cost 20 ms on white copies, where they find nothing, and put two
  /// of sixty outlines of hard photographs right.
  private func proposals() -> [() -> [Quad]] {
    let full = OutlineProposals(image: small)
    let width = max(8, small.width / 2), height = max(8, small.height / 2)
    guard max(small.width, small.height) > 500, let half = small.resized(width: width, height: height, .linear) else {
      return [full.fromRegions, full.fromLines]
    }
    let coarse = OutlineProposals(image: half)
    let factor = Double(small.width) / Double(width)
    return [
      { coarse.fromRegions().map { $0.scaled(by: factor) } },
      { coarse.fromLines().map { $0.scaled(by: factor) } },
      { full.fromRegions() + full.fromLines() },
    ]
  }

  private func judge(_ quads: [Quad], tried: inout [Quad], into judged: inout [Outline]) {
    for quad in quads where isPlausible(quad) {
      if tried.contains(where: { $0.distance(to: quad) < 3 }) { continue }
      tried.append(quad)
      let reach = max(4, min(9, Int(quad.longSide * 0.02)))
      guard let (moved, first) = fitted(quad, in: small, reach: reach), isPlausible(moved),
        confidence(of: moved, sides: first) > 0.3
      else { continue }
      if judged.contains(where: { $0.quad.distance(to: moved) < 1.5 }) { continue }
      guard let (settled, sides) = fitted(moved, in: small, reach: 3), isPlausible(settled) else { continue }
      judged.append(Outline(quad: settled.landscape, confidence: confidence(of: settled, sides: sides)))
    }
  }

  func isPlausible(_ quad: Quad) -> Bool {
    let frame = Double(small.width * small.height)
    guard quad.area > Self.leastArea * frame, quad.aspect > 1.18, quad.aspect < 2.1 else { return false }
    let slack = 0.12 * Double(max(small.width, small.height))
    return quad.corners.allSatisfy {
      $0.x > -slack && $0.y > -slack && $0.x < Double(small.width) + slack && $0.y < Double(small.height) + slack
    }
  }

  /// The quad with each side moved onto the edge nearest to it; a side outside the image stays.
  func fitted(_ quad: Quad, in image: Raster, reach: Int) -> (Quad, [SideFit])? {
    let finder = SideFinder(image: image)
    let sides = (0..<4).map { i -> SideFit in
      let a = quad.corners[i], b = quad.corners[(i + 1) % 4]
      var fit = finder.fit(from: a, to: b, reach: reach)
      if fit.visible < 0.3 || fit.support < 0.3 { (fit.start, fit.end) = (a, b) }
      return fit
    }
    let corners = (0..<4).compactMap { i -> Point? in
      let before = sides[(i + 3) % 4], after = sides[i]
      return Point.crossing(before.start, before.end, after.start, after.end)
    }
    return Quad(corners).map { ($0, sides) }
  }

  /// Whether a side runs along one of the image's ends, within a hundredth of the image.
  private func isAtEnd(_ a: Point, _ b: Point) -> Bool {
    let slack = 0.01 * Double(max(small.width, small.height))
    let width = Double(small.width) - slack, height = Double(small.height) - slack
    return (a.x < slack && b.x < slack) || (a.y < slack && b.y < slack) || (a.x > width && b.x > width)
      || (a.y > height && b.y > height)
  }

  func confidence(of quad: Quad, sides: [SideFit]) -> Double {
    // One side that cannot be seen speaks neither for nor against an outline; further ones speak against it.
    let hidden = sides.filter { $0.visible < 0.3 }.count
    let unseen = hidden > 1 ? 0.35 : 0.6
    let support = (0..<4).map { i -> Double in
      guard sides[i].visible >= 0.3 else { return unseen }
      // The image's own end, or a scanner's rim along it, is no evidence of a card's side.
      let runsAlongEnd = isAtEnd(quad.corners[i], quad.corners[(i + 1) % 4])
      return runsAlongEnd ? min(unseen, sides[i].support) : sides[i].support
    }.sorted(by: >)
    // One side may be hidden (a finger, shine, the image's end), two may not.
    let borne = 0.27 * support[0] + 0.27 * support[1] + 0.27 * support[2] + 0.19 * support[3]
    // Flatbed scans keep ID-1's proportions to a per cent, tilted photographs only roughly.
    let excess = max(0, abs(log(quad.aspect / Quad.cardAspect)) - 0.03)
    let proportions = exp(-excess * excess / (2 * 0.11 * 0.11))
    return borne * proportions * quad.squareness
  }

  // MARK: Refining

  /// The outline in the page's own pixels, its sides fitted once more there.
  private func refined(_ outline: Outline) -> Outline {
    let large = outline.quad.scaled(by: scale)
    guard scale > 1.2, let (quad, sides) = fitted(large, in: page, reach: Int((1.5 * scale).rounded(.up)) + 1),
      sides.map(\.support).reduce(0, +) > 1.5, quad.distance(to: large) < 6 * scale
    else { return Outline(quad: large.landscape, confidence: outline.confidence, looks: outline.looks) }
    return Outline(quad: quad.landscape, confidence: outline.confidence, looks: outline.looks)
  }
}
