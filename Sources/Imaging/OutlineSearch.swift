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
}

/// Finds the outlines of cards on a page.
///
/// Cheap proposals (edges, colours that differ from the border's, saturation, long lines) are made on a reduced image; each is
/// moved onto the straight edges nearest to its sides and judged by how much of every side the pixels bear out and by ID-1's
/// proportions. Lines, the dearest proposals, are asked only where the others gave nothing sure.
struct OutlineSearch {
  let page: Raster
  /// The reduced image, and page pixels per pixel of it.
  let small: Raster
  let scale: Double

  /// The long side of the reduced image: a card among eight on A4 is then 250 pixels wide.
  static let smallSide = 880
  /// Below this no outline is reported.
  static let leastConfidence = 0.42
  /// What a card-shaped image is worth as the card: less than an outline within it of which three sides show.
  static let wholeFrameConfidence = 0.7
  /// From this on, no dearer proposals are made.
  static let sureConfidence = 0.8

  init?(page: Raster) {
    self.page = page
    let long = max(page.width, page.height)
    if long > Self.smallSide {
      let factor = Double(Self.smallSide) / Double(long)
      let width = max(8, Int((Double(page.width) * factor).rounded()))
      let height = max(8, Int((Double(page.height) * factor).rounded()))
      guard let reduced = page.resized(width: width, height: height, .area) else { return nil }
      small = reduced
      scale = Double(page.width) / Double(width)
    } else {
      small = page
      scale = 1
    }
  }

  /// The outlines, largest first.
  func outlines() -> [Outline] {
    guard small.width >= 48, small.height >= 48 else { return [] }
    let proposals = OutlineProposals(image: small)
    var judged = judge(proposals.quick())
    if (judged.map(\.confidence).max() ?? 0) < Self.sureConfidence {
      judged += judge(proposals.fromLines())
    }
    judged += wholeFrame()
    let chosen = withoutOverlaps(judged)
    return chosen.map(refined).sorted { $0.quad.area > $1.quad.area }
  }

  /// An image of a card's proportions may be the card itself, cropped to its outline, so that no side shows.
  private func wholeFrame() -> [Outline] {
    let frame = Quad(width: small.width, height: small.height)
    guard abs(log(frame.aspect / Quad.cardAspect)) < 0.03 else { return [] }
    return [Outline(quad: frame.landscape, confidence: Self.wholeFrameConfidence)]
  }

  // MARK: Judging

  private func judge(_ quads: [Quad]) -> [Outline] {
    var judged: [Outline] = []
    for quad in quads where isPlausible(quad) {
      if judged.contains(where: { $0.quad.distance(to: quad) < 2 }) { continue }
      let reach = max(4, min(9, Int(quad.longSide * 0.02)))
      guard let (moved, _) = fitted(quad, in: small, reach: reach), isPlausible(moved) else { continue }
      guard let (settled, sides) = fitted(moved, in: small, reach: 3), isPlausible(settled) else { continue }
      judged.append(Outline(quad: settled.landscape, confidence: confidence(of: settled, sides: sides)))
    }
    return judged
  }

  private func isPlausible(_ quad: Quad) -> Bool {
    let frame = Double(small.width * small.height)
    guard quad.area > 0.02 * frame, quad.aspect > 1.18, quad.aspect < 2.1 else { return false }
    let slack = 0.12 * Double(max(small.width, small.height))
    return quad.corners.allSatisfy {
      $0.x > -slack && $0.y > -slack && $0.x < Double(small.width) + slack && $0.y < Double(small.height) + slack
    }
  }

  /// The quad with each side moved onto the edge nearest to it; a side outside the image stays.
  private func fitted(_ quad: Quad, in image: Raster, reach: Int) -> (Quad, [SideFit])? {
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

  private func confidence(of quad: Quad, sides: [SideFit]) -> Double {
    // What cannot be seen speaks neither for nor against an outline.
    let support = sides.map { $0.visible < 0.3 ? 0.55 : $0.support }.sorted(by: >)
    // One side may be hidden (a finger, shine, the image's end), two may not.
    let borne = 0.28 * support[0] + 0.28 * support[1] + 0.27 * support[2] + 0.17 * support[3]
    let deviation = log(quad.aspect / Quad.cardAspect)
    // Flatbed scans keep ID-1's proportions to a per cent, tilted photographs only roughly.
    let excess = max(0, abs(deviation) - 0.03)
    let proportions = exp(-excess * excess / (2 * 0.11 * 0.11))
    return borne * proportions
  }

  /// The best first, each time without those that share area with one chosen. Size decides between the all but equal: a card's
  /// inner frames are borne out as well as its outline.
  private func withoutOverlaps(_ judged: [Outline]) -> [Outline] {
    func rank(_ outline: Outline) -> Double {
      outline.confidence * pow(outline.quad.area / Double(small.width * small.height), 0.12)
    }
    // On a card that fills the frame the portrait and the chip have outlines too.
    let frameArea = Double(small.width * small.height)
    let leastArea = wholeFrame().isEmpty ? 0 : 0.2 * frameArea
    var left = judged.filter { $0.confidence >= Self.leastConfidence && $0.quad.area >= leastArea }.sorted { rank($0) > rank($1) }
    var chosen: [Outline] = []
    while let best = left.first {
      if let first = chosen.first {
        // Cards on one page are of one size.
        let ratio = best.quad.area / first.quad.area
        if ratio > 0.5, ratio < 2, best.confidence > 0.75 * first.confidence { chosen.append(best) }
      } else {
        chosen.append(best)
      }
      left.removeAll { other in
        best.quad.overlap(with: other.quad.corners) > 0.15 * min(best.quad.area, other.quad.area)
      }
    }
    return chosen
  }

  // MARK: Refining

  /// The outline in the page's own pixels, its sides fitted once more there.
  private func refined(_ outline: Outline) -> Outline {
    let large = outline.quad.scaled(by: scale)
    guard scale > 1.2, let (quad, sides) = fitted(large, in: page, reach: Int((1.5 * scale).rounded(.up)) + 1),
      sides.map(\.support).reduce(0, +) > 1.5, quad.distance(to: large) < 6 * scale
    else { return Outline(quad: large.landscape, confidence: outline.confidence) }
    return Outline(quad: quad.landscape, confidence: outline.confidence)
  }
}
