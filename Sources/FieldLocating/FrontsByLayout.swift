package import CardModel

/// Finds where the front of a new card lies on a page by the distances of its rows of text alone: a copy may have lost the card's
/// outline and the labels, while its values stand out.
///
/// *Shape*: the page is upright up to two degrees, and shows the card flat. What is found is a guess to be read.
package enum FrontsByLayout {
  /// A card's width, in shares of the page's.
  private static let scales = stride(from: 0.44, through: 1.08, by: 0.03)
  /// The page's longer side in pixels: values are then 8 to 20 pixels tall.
  private static let longSide = 1012
  private static let cardHeight = 53.98 / 85.60
  private static let block = 16
  /// Rows that fit worse by chance than a card's do.
  private static let leastScore = 0.45
  /// How much of a card may lie beyond the page.
  private static let beyond = 0.04

  /// - Parameter leastWidth: of a card, in shares of the page's width; narrower ones are not looked for.
  /// - Returns: the corners of what may be a front, clockwise from its top left, in fractions of the page; likelier ones first.
  package static func places(on page: Raster, leastWidth: Double = 0) -> [[FractionPoint]] {
    let long = max(page.width, page.height)
    let width = page.width * longSide / long, height = page.height * longSide / long
    guard width > 200, height > 200 else { return [] }
    let plane = Plane(page, width: width, height: height)
    let asItIs = InkMap(plane)
    let slope = Levelling.slope(of: asItIs, from: 0.05, to: 0.95)
    let level = slope == 0 ? plane : Levelling.levelled(plane, slope: slope)
    let rows = RowSums(slope == 0 ? asItIs : InkMap(level), block: block)
    return candidates(rows, width: width, height: height, leastWidth).map { place in
      let settled = settled(place, on: level)
      // Made level the page was sheared about its middle.
      return settled.corners.map { x, y in
        FractionPoint(x: x / Double(width), y: (y + slope * (x - Double(width) / 2)) / Double(height))
      }
    }
  }

  /// A card that lies level on the page, in pixels.
  private struct Place {
    var x: Double
    var y: Double
    var width: Double
    var height: Double
    var score = 0.0

    var corners: [(Double, Double)] { [(x, y), (x + width, y), (x + width, y + height), (x, y + height)] }
  }

  // MARK: Search

  private static func candidates(_ rows: RowSums, width: Int, height: Int, _ leastWidth: Double) -> [Place] {
    var found: [Place] = []
    for scale in scales where scale >= leastWidth {
      let cardWidth = scale * Double(width), tall = cardWidth * cardHeight
      guard tall < Double(height) * (1 + 2 * beyond) else { break }
      let template = template(height: tall)
      var x = -beyond * cardWidth
      while x + cardWidth <= Double(width) + beyond * cardWidth {
        let profile = rows.profile(
          from: x + LayoutTemplate.textLeft * cardWidth, to: x + LayoutTemplate.textRight * cardWidth)
        var y = -beyond * tall
        while y + tall <= Double(height) + beyond * tall {
          let score = correlation(profile, template, shift: Int(y))
          if score >= leastScore {
            found.append(Place(x: x, y: y, width: cardWidth, height: tall, score: score))
          }
          y += 3
        }
        x += Double(block)
      }
    }
    // The best, and others that lie elsewhere.
    var apart: [Place] = []
    for place in found.sorted(by: { $0.score > $1.score }) where apart.count < 2 {
      let isNew = apart.allSatisfy { other in
        abs(other.y - place.y) > 0.12 * other.height || abs(other.height - place.height) > 0.12 * other.height
      }
      if isNew { apart.append(place) }
    }
    return apart
  }

  /// -1 between the rows of text, 1 on them: both say as much.
  private static func template(height: Double) -> [Double] {
    var template = [Double](repeating: 0, count: Int(height) + 1)
    for row in LayoutTemplate.rows {
      for (centre, capital, weight) in [
        (row.label, LayoutTemplate.labelCapital, 0.5), (row.value, LayoutTemplate.valueCapital, 1),
      ] {
        let half = capital / 2 * height / Double(LayoutTemplate.height)
        for y in max(0, Int(centre * height - half))...min(template.count - 1, Int(centre * height + half)) {
          template[y] = weight
        }
      }
    }
    return template
  }

  private static func correlation(_ profile: [Double], _ template: [Double], shift: Int) -> Double {
    let first = max(0, Int(0.19 * Double(template.count)) + shift)
    let last = min(profile.count, Int(0.96 * Double(template.count)) + shift)
    guard last - first > template.count / 2 else { return 0 }
    var a = 0.0, b = 0.0, aa = 0.0, bb = 0.0, ab = 0.0
    profile.withUnsafeBufferPointer { profile in
      template.withUnsafeBufferPointer { template in
        for y in first..<last {
          let p = profile[y], t = template[y - shift]
          a += p
          b += t
          aa += p * p
          bb += t * t
          ab += p * t
        }
      }
    }
    let n = Double(last - first)
    let variance = (aa - a * a / n) * (bb - b * b / n)
    return variance > 0 ? (ab - a * b / n) / variance.squareRoot() : 0
  }

  // MARK: Settling

  /// The place corrected by where the columns begin and the rows lie on it.
  private static func settled(_ place: Place, on plane: Plane) -> Place {
    var place = place
    for _ in 0..<2 {
      let card = sampled(plane, place)
      let map = InkMap(card)
      let fit = LayoutFit(map)
      let columns = ColumnEdges(cutter: LineCutter(map: map), fit: fit, capital: LayoutTemplate.valueCapital)
      let across = place.width / Double(card.width), down = place.height / Double(card.height)
      let rows = line(
        LayoutTemplate.rows.flatMap { [$0.label, $0.value] }, zip(fit.labels, fit.values).flatMap { [$0, $1] })
      place.y += rows.start * down
      place.height = rows.length * down
      guard columns.first.votes >= 3 else { return place }
      let middle = Double(card.height) / 2
      let first = columns.first.x(at: middle), second = columns.second.x(at: middle)
      let width = columns.second.isSure ? (second - first) / 0.243 * across : place.height / cardHeight
      // Printings set their second column off; a card's proportions are fixed.
      let plain = place.height / cardHeight
      place.width = min(plain * 1.06, max(plain * 0.94, width))
      place.x += first * across - 0.28 * place.width
    }
    return place
  }

  /// The line through places on a card, 0...1, and where they were seen.
  private static func line(_ places: [Double], _ seen: [Double]) -> (start: Double, length: Double) {
    let n = Double(places.count)
    let p = places.reduce(0, +) / n, s = seen.reduce(0, +) / n
    let length =
      zip(places, seen).reduce(0) { $0 + ($1.0 - p) * ($1.1 - s) } / places.reduce(0) { $0 + ($1 - p) * ($1 - p) }
    return (s - length * p, length)
  }

  /// A part of a plane as a card of the layout's size; white where it lies beyond.
  private static func sampled(_ plane: Plane, _ place: Place) -> Plane {
    let width = LayoutTemplate.width, height = LayoutTemplate.height
    var out = [UInt8](repeating: 255, count: width * height)
    for y in 0..<height {
      let fromY = place.y + (Double(y) + 0.5) * place.height / Double(height) - 0.5
      guard fromY >= 0, fromY < Double(plane.height - 1) else { continue }
      let top = Int(fromY), down = fromY - Double(top)
      for x in 0..<width {
        let fromX = place.x + (Double(x) + 0.5) * place.width / Double(width) - 0.5
        guard fromX >= 0, fromX < Double(plane.width - 1) else { continue }
        let left = Int(fromX), across = fromX - Double(left)
        let at = top * plane.width + left
        func blended(_ at: Int) -> Double {
          Double(plane.values[at]) * (1 - across) + Double(plane.values[at + 1]) * across
        }
        out[y * width + x] = UInt8(blended(at) * (1 - down) + blended(at + plane.width) * down + 0.5)
      }
    }
    return Plane(width: width, height: height, values: out)
  }
}

/// Strokes per row of pixels, between any two columns.
private struct RowSums {
  private let height: Int
  private let block: Int
  /// For each block of columns the sums of all before it.
  private let before: [[Double]]

  init(_ map: InkMap, block: Int) {
    height = map.strokes.height
    self.block = block
    let width = map.strokes.width
    var sums = [Double](repeating: 0, count: height)
    var before = [sums]
    for start in stride(from: 0, to: width, by: block) {
      for y in 0..<height {
        for x in start..<min(width, start + block) { sums[y] += Double(min(96, map.strokes.values[y * width + x])) }
      }
      before.append(sums)
    }
    self.before = before
  }

  /// As `LayoutFit` has it: strong rows are cut to a common height.
  func profile(from x0: Double, to x1: Double) -> [Double] {
    let first = min(before.count - 2, max(0, Int(x0) / block))
    let last = min(before.count - 1, max(first + 1, Int(x1) / block))
    let sums = zip(before[last], before[first]).map { $0 - $1 }
    let sorted = sums.sorted()
    let floor = sorted[sorted.count * 3 / 10]
    let limit = max(1, sorted[sorted.count * 88 / 100] - floor)
    return sums.map { min(1, max(0, ($0 - floor) / limit)).squareRoot() }
  }
}
