internal import CardModel

/// A point in pixels of a page.
struct PagePoint: Equatable {
  var x: Double
  var y: Double
}

/// A phrase of the card's print seen on a page.
struct AnchorSighting: Equatable {
  /// Which phrase; the same for its variants.
  var anchor: Int
  /// Where it stands on a card, in fractions of it.
  var place: FractionPoint
  /// Where it was seen: the centre of its left end.
  var at: PagePoint
}

/// How a flat card lies on a page: scaled, turned and shifted.
struct CardPose: Equatable {
  struct Size: Equatable {
    var width: Double
    var height: Double
  }

  /// A card point (x in card widths, y in the same unit) lies at `shift + scale * (x, y)` as complex numbers.
  private var scale: PagePoint
  private var shift: PagePoint

  private static let cardHeight = 53.98 / 85.60
  /// A phrase counts for a pose that expects it within this many card widths: layouts differ between printings.
  private static let tolerance = 0.035
  /// The page was turned upright already; what is left is a crooked feed.
  private static let steepest = 0.17

  var widthPixels: Double { (scale.x * scale.x + scale.y * scale.y).squareRoot() }

  /// Clockwise from the card's top left.
  var corners: [PagePoint] {
    [(0, 0), (1, 0), (1, Self.cardHeight), (0, Self.cardHeight)].map { at($0.0, $0.1) }
  }

  /// Every card that enough phrases agree on; the one with most phrases first.
  static func poses(of sightings: [AnchorSighting], on page: Size) -> [CardPose] {
    var rest = sightings
    var poses: [CardPose] = []
    while let (pose, members) = best(of: rest, on: page) {
      poses.append(pose)
      // What lies on this card belongs to it, whether or not it lay in its place.
      rest.removeAll { sighting in members.contains(sighting) || pose.holds(sighting.at) }
    }
    return poses
  }

  private static func best(of sightings: [AnchorSighting], on page: Size) -> (CardPose, [AnchorSighting])? {
    var best: (pose: CardPose, members: [AnchorSighting])?
    for (index, a) in sightings.enumerated() {
      for b in sightings[(index + 1)...] where b.anchor != a.anchor {
        guard let pose = CardPose(a, b), pose.isPlausible(on: page) else { continue }
        let members = pose.members(of: sightings)
        if members.count > best?.members.count ?? 0 { best = (pose, members) }
      }
    }
    guard let best, best.members.count >= FrontsByText.leastAnchors, let settled = CardPose(best.members),
      settled.isPlausible(on: page), spread(best.members) > 0.25
    else { return nil }
    return (settled, best.members)
  }

  /// The nearest sighting of each phrase that the pose expects where it was seen.
  private func members(of sightings: [AnchorSighting]) -> [AnchorSighting] {
    var nearest: [Int: (AnchorSighting, Double)] = [:]
    for sighting in sightings {
      let expected = at(sighting.place.x, sighting.place.y * Self.cardHeight)
      let dx = expected.x - sighting.at.x, dy = expected.y - sighting.at.y
      let distance = (dx * dx + dy * dy).squareRoot() / widthPixels
      guard distance < Self.tolerance, distance < nearest[sighting.anchor]?.1 ?? .infinity else { continue }
      nearest[sighting.anchor] = (sighting, distance)
    }
    return nearest.values.map(\.0).sorted { $0.anchor < $1.anchor }
  }

  /// How much of the card's height the phrases span: a single row would leave the scale to its columns.
  private static func spread(_ members: [AnchorSighting]) -> Double {
    let ys = members.map(\.place.y)
    return (ys.max() ?? 0) - (ys.min() ?? 0)
  }

  private func isPlausible(on page: Size) -> Bool {
    let turn = abs(scale.y) / max(1e-9, scale.x)
    return scale.x > 0 && turn < Self.steepest && widthPixels > 240
      && widthPixels < 1.3 * max(page.width, page.height)
  }

  private func at(_ x: Double, _ y: Double) -> PagePoint {
    PagePoint(x: shift.x + scale.x * x - scale.y * y, y: shift.y + scale.y * x + scale.x * y)
  }

  private func holds(_ point: PagePoint) -> Bool {
    let dx = point.x - shift.x, dy = point.y - shift.y
    let square = widthPixels * widthPixels
    let x = (dx * scale.x + dy * scale.y) / square, y = (dy * scale.x - dx * scale.y) / square
    return (-0.02...1.02).contains(x) && (-0.02...(Self.cardHeight + 0.02)).contains(y)
  }

  /// Through two sightings; `nil` where they stand too close together to tell a scale.
  private init?(_ a: AnchorSighting, _ b: AnchorSighting) {
    let dx = b.place.x - a.place.x, dy = (b.place.y - a.place.y) * Self.cardHeight
    guard dx * dx + dy * dy > 0.12 * 0.12 else { return nil }
    self.init([a, b])
  }

  /// The least-squares pose of sightings.
  private init?(_ sightings: [AnchorSighting]) {
    let n = Double(sightings.count)
    guard n >= 2 else { return nil }
    let places = sightings.map { PagePoint(x: $0.place.x, y: $0.place.y * Self.cardHeight) }
    let mean = { (values: [Double]) in values.reduce(0, +) / n }
    let px = mean(places.map(\.x)), py = mean(places.map(\.y))
    let qx = mean(sightings.map(\.at.x)), qy = mean(sightings.map(\.at.y))
    var real = 0.0, imaginary = 0.0, square = 0.0
    for (place, sighting) in zip(places, sightings) {
      let x = place.x - px, y = place.y - py, u = sighting.at.x - qx, v = sighting.at.y - qy
      real += x * u + y * v
      imaginary += x * v - y * u
      square += x * x + y * y
    }
    guard square > 1e-9 else { return nil }
    scale = PagePoint(x: real / square, y: imaginary / square)
    shift = PagePoint(x: qx - scale.x * px + scale.y * py, y: qy - scale.y * px - scale.x * py)
  }
}
