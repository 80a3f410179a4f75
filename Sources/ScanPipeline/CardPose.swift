internal import CardModel

/// A point in pixels of a page.
struct PagePoint: Equatable {
  var x: Double
  var y: Double
  var length: Double { (x * x + y * y).squareRoot() }

  static func + (a: PagePoint, b: PagePoint) -> PagePoint { PagePoint(x: a.x + b.x, y: a.y + b.y) }
  static func - (a: PagePoint, b: PagePoint) -> PagePoint { PagePoint(x: a.x - b.x, y: a.y - b.y) }
  static func * (a: PagePoint, factor: Double) -> PagePoint { PagePoint(x: a.x * factor, y: a.y * factor) }
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

/// How a flat card lies on a page: scaled, turned and shifted; and sheared, as far as enough phrases tell, since a tilted camera bends
/// the angle between a card's sides.
struct CardPose: Equatable {
  struct Size: Equatable {
    var width: Double
    var height: Double
  }

  /// A card point (x in card widths, y in the same unit) lies at `shift + across * x + down * y`.
  private var across: PagePoint
  private var down: PagePoint
  private var shift: PagePoint

  private static let cardHeight = 53.98 / 85.60
  /// A phrase counts for a pose that expects it within this many card widths: layouts differ between printings.
  private static let tolerance = 0.035
  /// The same of a first guess, which knows of no shear.
  private static let roughTolerance = 0.05
  /// The page was turned upright already; what is left is a crooked feed, or a hand that holds the camera.
  private static let steepest = 0.17
  /// How far a card's sides may stand from upright to each other, and differ in scale.
  private static let mostShear = 0.2
  private static let scales = 0.8...1.25
  /// Fewer phrases tell a shear worse than none does: each is off by some hundredths, as printings are.
  private static let leastToShear = 6

  var widthPixels: Double { across.length }

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
        guard let guess = CardPose(a, b), guess.isPlausible(on: page) else { continue }
        let rough = guess.members(of: sightings, within: roughTolerance)
        guard rough.count > best?.members.count ?? 0, let pose = CardPose(settling: rough), pose.isPlausible(on: page)
        else { continue }
        let members = pose.members(of: sightings, within: tolerance)
        if members.count > best?.members.count ?? 0 { best = (pose, members) }
      }
    }
    guard let best, best.members.count >= FrontsByText.leastAnchors, let settled = CardPose(settling: best.members),
      settled.isPlausible(on: page), spread(best.members) > 0.25
    else { return nil }
    return (settled, best.members)
  }

  /// The nearest sighting of each phrase that the pose expects where it was seen.
  private func members(of sightings: [AnchorSighting], within tolerance: Double) -> [AnchorSighting] {
    var nearest: [Int: (AnchorSighting, Double)] = [:]
    for sighting in sightings {
      let distance = (at(sighting.place.x, sighting.place.y * Self.cardHeight) - sighting.at).length / widthPixels
      guard distance < tolerance, distance < nearest[sighting.anchor]?.1 ?? .infinity else { continue }
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
    let shear = (across.x * down.x + across.y * down.y) / max(1e-9, across.length * down.length)
    return across.x > 0 && down.y > 0 && abs(across.y / max(1e-9, across.x)) < Self.steepest
      && abs(shear) < Self.mostShear && Self.scales.contains(down.length / max(1e-9, across.length))
      && widthPixels > 240 && widthPixels < 1.3 * max(page.width, page.height)
  }

  private func at(_ x: Double, _ y: Double) -> PagePoint { shift + across * x + down * y }

  private func holds(_ point: PagePoint) -> Bool {
    let from = point - shift
    let area = across.x * down.y - across.y * down.x
    let x = (from.x * down.y - from.y * down.x) / area, y = (from.y * across.x - from.x * across.y) / area
    return (-0.02...1.02).contains(x) && (-0.02...(Self.cardHeight + 0.02)).contains(y)
  }

  /// Through two sightings; `nil` where they stand too close together to tell a scale.
  private init?(_ a: AnchorSighting, _ b: AnchorSighting) {
    let dx = b.place.x - a.place.x, dy = (b.place.y - a.place.y) * Self.cardHeight
    guard dx * dx + dy * dy > 0.12 * 0.12 else { return nil }
    self.init(turning: [a, b])
  }

  /// With shear where enough sightings stand far enough apart to tell it.
  private init?(settling sightings: [AnchorSighting]) {
    let xs = sightings.map(\.place.x)
    let isWide = (xs.max() ?? 0) - (xs.min() ?? 0) > 0.2 && Self.spread(sightings) > 0.4
    if isWide, sightings.count >= Self.leastToShear {
      self.init(shearing: sightings)
    } else {
      self.init(turning: sightings)
    }
  }

  /// The least-squares scale, turn and shift of sightings.
  private init?(turning sightings: [AnchorSighting]) {
    guard sightings.count >= 2 else { return nil }
    let (from, to) = Self.centred(sightings)
    var real = 0.0, imaginary = 0.0, square = 0.0
    for (place, seen) in zip(from.points, to.points) {
      real += place.x * seen.x + place.y * seen.y
      imaginary += place.x * seen.y - place.y * seen.x
      square += place.x * place.x + place.y * place.y
    }
    guard square > 1e-9 else { return nil }
    across = PagePoint(x: real / square, y: imaginary / square)
    down = PagePoint(x: -across.y, y: across.x)
    shift = to.mean - across * from.mean.x - down * from.mean.y
  }

  /// The least-squares affine map of sightings.
  private init?(shearing sightings: [AnchorSighting]) {
    let (from, to) = Self.centred(sightings)
    var xx = 0.0, xy = 0.0, yy = 0.0
    var alongX = PagePoint(x: 0, y: 0), alongY = PagePoint(x: 0, y: 0)
    for (place, seen) in zip(from.points, to.points) {
      xx += place.x * place.x
      xy += place.x * place.y
      yy += place.y * place.y
      alongX = alongX + seen * place.x
      alongY = alongY + seen * place.y
    }
    let determinant = xx * yy - xy * xy
    guard determinant > 1e-9 else { return nil }
    across = (alongX * yy - alongY * xy) * (1 / determinant)
    down = (alongY * xx - alongX * xy) * (1 / determinant)
    shift = to.mean - across * from.mean.x - down * from.mean.y
  }

  private typealias Cloud = (mean: PagePoint, points: [PagePoint])

  /// The places of sightings on the card and on the page, each about their mean.
  private static func centred(_ sightings: [AnchorSighting]) -> (from: Cloud, to: Cloud) {
    func cloud(_ points: [PagePoint]) -> Cloud {
      let mean = points.reduce(PagePoint(x: 0, y: 0), +) * (1 / Double(points.count))
      return (mean, points.map { $0 - mean })
    }
    return (
      cloud(sightings.map { PagePoint(x: $0.place.x, y: $0.place.y * cardHeight) }), cloud(sightings.map(\.at))
    )
  }
}
