private import Glibc

/// Where a card lies in an image: its corners, and the image's size.
struct Placement: Sendable {
  var width: Int
  var height: Int
  /// Top left, top right, bottom right, bottom left of the card, in pixels of the image.
  var corners: [(x: Double, y: Double)]
  /// The card's width in the image before perspective.
  var cardWidth: Double

  static let aspect = 53.98 / 85.60

  /// A card on a page: its middle at (x, y), turned by `tilt` degrees.
  init(pageWidth: Int, pageHeight: Int, middle: (x: Double, y: Double), cardWidth: Double, tilt: Double) {
    (width, height, self.cardWidth) = (pageWidth, pageHeight, cardWidth)
    let (c, s) = (cos(tilt * .pi / 180), sin(tilt * .pi / 180))
    corners = [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)].map { u, v in
      let (x, y) = (u * cardWidth, v * cardWidth * Self.aspect)
      return (middle.x + x * c - y * s, middle.y + x * s + y * c)
    }
  }

  /// The same view in an image of other size.
  func scaled(by scale: Double) -> Placement {
    var out = self
    out.cardWidth *= scale
    out.corners = corners.map { ($0.x * scale, $0.y * scale) }
    out.width = max(64, Int((Double(width) * scale).rounded(.up)))
    out.height = max(64, Int((Double(height) * scale).rounded(.up)))
    return out
  }

  /// - Parameter tilt: degrees clockwise.
  /// - Parameter perspective: by how much of the card's width each corner may be displaced.
  /// - Parameter margins: left, top, right, bottom, in card widths.
  init(cardWidth: Double, tilt: Double, perspective: Double, margins: [Double], using random: inout SpecimenRandom) {
    self.cardWidth = cardWidth
    let cardHeight = cardWidth * Self.aspect
    let (c, s) = (cos(tilt * .pi / 180), sin(tilt * .pi / 180))
    var placed: [(x: Double, y: Double)] = []
    for (u, v) in [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)] {
      let x = u * cardWidth + random.between(-perspective, perspective) * cardWidth
      let y = v * cardHeight + random.between(-perspective, perspective) * cardWidth
      placed.append((x * c - y * s, x * s + y * c))
    }
    let left = placed.reduce(.infinity) { min($0, $1.x) } - margins[0] * cardWidth
    let top = placed.reduce(.infinity) { min($0, $1.y) } - margins[1] * cardWidth
    corners = placed.map { ($0.x - left, $0.y - top) }
    width = max(64, Int((corners.reduce(0) { max($0, $1.x) } + margins[2] * cardWidth).rounded(.up)))
    height = max(64, Int((corners.reduce(0) { max($0, $1.y) } + margins[3] * cardWidth).rounded(.up)))
  }

  /// The projective map that takes the image's pixels to those of a card drawn `cardPixels` in size, row by row.
  func inverse(cardPixels: (width: Double, height: Double)) -> [Double] {
    let targets = [(0, 0), (cardPixels.width, 0), (cardPixels.width, cardPixels.height), (0, cardPixels.height)]
    var rows: [[Double]] = []
    for (from, to) in zip(corners, targets) {
      rows.append([from.x, from.y, 1, 0, 0, 0, -to.0 * from.x, -to.0 * from.y, to.0])
      rows.append([0, 0, 0, from.x, from.y, 1, -to.1 * from.x, -to.1 * from.y, to.1])
    }
    for pivot in 0..<8 {
      let best = (pivot..<8).max { abs(rows[$0][pivot]) < abs(rows[$1][pivot]) } ?? pivot
      rows.swapAt(pivot, best)
      for row in 0..<8 where row != pivot {
        let factor = rows[row][pivot] / rows[pivot][pivot]
        for column in pivot..<9 { rows[row][column] -= factor * rows[pivot][column] }
      }
    }
    return (0..<8).map { rows[$0][8] / rows[$0][$0] } + [1]
  }

  /// A place on the card, in fractions of it, in the image (the straight lines between the corners; close enough for damage).
  func place(_ u: Double, _ v: Double) -> (x: Double, y: Double) {
    func mix(_ a: Double, _ b: Double, _ t: Double) -> Double { a + (b - a) * t }
    return (
      mix(mix(corners[0].x, corners[1].x, u), mix(corners[3].x, corners[2].x, u), v),
      mix(mix(corners[0].y, corners[1].y, u), mix(corners[3].y, corners[2].y, u), v)
    )
  }
}
