import CardModel

#if canImport(Glibc)
  import Glibc
#endif

/// Places where a card's outline might be, on a reduced image.
struct OutlineProposals {
  let image: Raster

  private var smallestArea: Double { 0.02 * Double(image.width * image.height) }

  /// From edges, from colours unlike the border's, from saturation and lightness; and the whole image.
  func fromRegions() -> [Quad] {
    guard let smooth = image.blurred(sigma: 1.2) else { return [] }
    var quads: [Quad] = []
    for edges in smooth.edges([(60, 150), (22, 55)]) {
      if let closed = edges.morphed(.dilate, width: 3, height: 3) { quads += quadsAround(closed, withHoles: true) }
    }
    let margin = max(2, min(image.width, image.height) / 50)
    if let distance = smooth.distanceFromBorder(margin: margin) {
      quads += quadsAround(closed(distance.aboveOtsu()), withHoles: false)
      quads += quadsAround(closed(distance.above(48)), withHoles: false)
    }
    if let saturation = smooth.saturation() {
      quads += quadsAround(closed(saturation.aboveOtsu()), withHoles: false)
    }
    let light = smooth.grey().aboveOtsu()
    quads += quadsAround(closed(light), withHoles: true)
    let whole = Quad(width: image.width, height: image.height)
    if whole.aspect > 1.3, whole.aspect < 1.95 { quads.append(whole) }
    return quads
  }

  /// Rectangles of ID-1's proportions around blocks of print.
  func fromPrint() -> [Quad] {
    guard let ink = image.grey().ink(block: 31, offset: 14) else { return [] }
    // Lines of one card stand farther apart on some faces than two cards do on some pages: near and far gaps are closed, and those
    // between an old front's portrait and its text.
    let blocks = [22, 9, 4].flatMap { share -> [Quad] in
      let size = max(5, max(image.width, image.height) / share) | 1
      let closed = ink.morphed(.close, width: size, height: size)
      return closed?.rectangles(minimumArea: smallestArea).sorted { $0.area > $1.area }.prefix(4).map { $0 } ?? []
    }
    return blocks.compactMap { block in
      let quad = block.landscape
      // Print leaves margins of about 4% of a card's width and 5% of its height.
      let width = max(quad.sideLength(0) / 0.93, quad.sideLength(1) / 0.9 * Quad.cardAspect)
      let centre = quad.corners.reduce(Point(x: 0, y: 0), +) * 0.25
      let right = (quad.corners[1] - quad.corners[0]) * (width / 2 / max(1e-9, quad.sideLength(0)))
      let down = Point(x: -right.y, y: right.x) * (1 / Quad.cardAspect)
      return Quad([centre - right - down, centre + right - down, centre + right + down, centre - right + down])
    }
  }

  /// Rectangles around what differs from the paper: print, colour. Largest first.
  func blocks(leastSide: Double) -> [Quad] {
    let size = max(5, max(image.width, image.height) / 40) | 1
    var masks = [image.grey().ink(block: 31, offset: 10), image.saturation()?.aboveOtsu()]
    masks.append(image.distanceFromBorder(margin: max(2, min(image.width, image.height) / 50))?.above(40))
    let least = leastSide * leastSide
    return masks.compactMap { $0?.morphed(.close, width: size, height: size) }
      .flatMap { $0.rectangles(minimumArea: least) }
      .filter { min($0.sideLength(0), $0.sideLength(1)) > leastSide * 0.6 }
      .sorted { $0.area > $1.area }
  }

  private func closed(_ mask: Raster) -> Raster {
    let size = max(3, max(image.width, image.height) / 110) | 1
    return mask.morphed(.close, width: size, height: size) ?? mask
  }

  private func quadsAround(_ mask: Raster, withHoles: Bool) -> [Quad] {
    let hulls = mask.hulls(minimumArea: smallestArea, tolerance: 2.5, withHoles: withHoles)
    return hulls.compactMap { Quad(enclosing: $0) } + mask.rectangles(minimumArea: smallestArea)
  }

  // MARK: Lines

  /// A straight line with the stretches along it where the image shows it.
  private struct Line {
    var start: Point
    var end: Point
    /// Shown parts, as distances from `start` along the line.
    var parts: [(from: Double, to: Double)]
    var shown: Double { parts.reduce(0) { $0 + $1.to - $1.from } }
    var direction: Point { (end - start) * (1 / max(1e-9, (end - start).length)) }

    /// The share of the stretch between two points (near the line) that the image shows.
    func coverage(_ a: Point, _ b: Point) -> Double {
      let d = direction
      let s = (a - start).x * d.x + (a - start).y * d.y, t = (b - start).x * d.x + (b - start).y * d.y
      let low = min(s, t), high = max(s, t)
      let covered = parts.reduce(0) { $0 + max(0, min(high, $1.to) - max(low, $1.from)) }
      return min(1, covered / max(1, high - low))
    }
  }

  /// From pairs of long lines in two directions; sides may run along the image's own ends.
  func fromLines() -> [Quad] {
    guard let smooth = image.blurred(sigma: 0.8) else { return [] }
    let long = Double(max(image.width, image.height))
    let segments = smooth.grey().segments(minimumLength: long * 0.03)
    let lines = merged(segments).sorted { $0.shown > $1.shown }
    let ends = frameLines()
    var quads: [Quad] = []
    for main in mainDirections(lines) {
      // A tilt bends the sides' directions apart; ruled paper under the card has its own.
      func family(_ turned: Double) -> [Line] {
        func isNear(_ line: Line) -> Bool {
          abs(sin(atan2(line.direction.y, line.direction.x) - main - turned)) < 0.22
        }
        return Array(lines.filter(isNear).prefix(20)) + ends.filter(isNear)
      }
      quads += self.quads(family(0), family(.pi / 2))
    }
    return quads
  }

  private func quads(_ along: [Line], _ across: [Line]) -> [Quad] {
    var scored: [(score: Double, quad: Quad)] = []
    for i in along.indices {
      for j in along.indices where j > i {
        for k in across.indices {
          for l in across.indices where l > k {
            guard let found = quad(along[i], across[k], along[j], across[l]) else { continue }
            scored.append(found)
          }
        }
      }
    }
    var best: [Quad] = []
    for candidate in scored.sorted(by: { $0.score > $1.score }).prefix(300) where best.count < 20 {
      if !best.contains(where: { $0.distance(to: candidate.quad) < 4 }) { best.append(candidate.quad) }
    }
    return best
  }

  private func quad(_ a: Line, _ b: Line, _ c: Line, _ d: Line) -> (score: Double, quad: Quad)? {
    guard let first = Point.crossing(a.start, a.end, d.start, d.end),
      let second = Point.crossing(a.start, a.end, b.start, b.end),
      let third = Point.crossing(c.start, c.end, b.start, b.end),
      let fourth = Point.crossing(c.start, c.end, d.start, d.end),
      let quad = Quad([first, second, third, fourth])
    else { return nil }
    let slack = 0.1 * Double(max(image.width, image.height))
    let width = Double(image.width), height = Double(image.height)
    guard quad.aspect > 1.25, quad.aspect < 1.95, quad.area > smallestArea * 1.5,
      quad.corners.allSatisfy({ $0.x > -slack && $0.y > -slack && $0.x < width + slack && $0.y < height + slack })
    else { return nil }
    let covered = [
      a.coverage(first, second), b.coverage(second, third), c.coverage(third, fourth), d.coverage(fourth, first),
    ].sorted()
    guard covered[1] > 0.2 else { return nil }
    let proportions = abs(log(quad.aspect / Quad.cardAspect))
    let borne = covered[0] * 0.5 + covered[1] + covered[2] + covered[3]
    return (borne * quad.squareness * exp(-proportions * 4) * pow(quad.area / (width * height), 0.1), quad)
  }

  private func frameLines() -> [Line] {
    let corners = Quad(width: image.width, height: image.height).corners
    return (0..<4).map { i in
      let a = corners[i], b = corners[(i + 1) % 4]
      let length = (b - a).length
      return Line(start: a, end: b, parts: [(0, length * 0.4)])
    }
  }

  /// Segments on one line become one: those within 1.5 degrees and 3 pixels, longest first.
  private func merged(_ segments: [(Point, Point)]) -> [Line] {
    let sorted = segments.sorted { ($0.1 - $0.0).length > ($1.1 - $1.0).length }.prefix(260)
    var lines: [Line] = []
    for (a, b) in sorted {
      let length = (b - a).length
      var taken = false
      for i in lines.indices {
        let d = lines[i].direction, origin = lines[i].start
        guard abs(d.cross((b - a) * (1 / length))) < 0.035, abs(d.cross(a - origin)) < 3, abs(d.cross(b - origin)) < 3
        else { continue }
        let s = (a - origin).x * d.x + (a - origin).y * d.y, t = (b - origin).x * d.x + (b - origin).y * d.y
        lines[i].parts.append((min(s, t), max(s, t)))
        taken = true
        break
      }
      if !taken { lines.append(Line(start: a, end: b, parts: [(0, length)])) }
    }
    return lines
  }

  /// The directions, modulo a right angle, that most of the lines' length shares: up to three, 8 degrees and more apart.
  private func mainDirections(_ lines: [Line]) -> [Double] {
    var bins = [Double](repeating: 0, count: 45)
    for line in lines {
      var angle = atan2(line.direction.y, line.direction.x)
      angle -= (angle / (.pi / 2)).rounded(.down) * .pi / 2
      bins[min(44, Int(angle / (.pi / 2) * 45))] += line.shown
    }
    let weights = bins.indices.map { weight(bins, $0) }
    let total = bins.reduce(0, +)
    var peaks: [Int] = []
    for bin in bins.indices.sorted(by: { weights[$0] > weights[$1] }) where weights[bin] > 0.12 * total {
      let isApart = peaks.allSatisfy { min(abs($0 - bin), 45 - abs($0 - bin)) >= 4 }
      if isApart, peaks.count < 3 { peaks.append(bin) }
    }
    return peaks.map { (Double($0) + 0.5) / 45 * .pi / 2 }
  }

  private func weight(_ bins: [Double], _ i: Int) -> Double {
    let n = bins.count
    let near = bins[(i + 1) % n] + bins[(i + n - 1) % n], far = bins[(i + 2) % n] + bins[(i + n - 2) % n]
    return bins[i] + 0.7 * near + 0.3 * far
  }
}
