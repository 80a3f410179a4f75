import CardModel

/// A straight edge found near a supposed side of a card, and how well the pixels bear it out.
struct SideFit {
  /// The edge's ends: where the supposed side's ends lie on it.
  var start: Point
  var end: Point
  /// The share of the side's stretches, of those inside the image, that show an edge exactly there. 0...1.
  var support: Double
  /// The share of the side that lies inside the image. 0...1.
  var visible: Double
  /// The mean step across the edge: the sum over the channels, 0...765.
  var contrast: Double
}

/// Looks for the straight edge nearest to a supposed side, as the line across which the image steps most.
///
/// The steps are averaged with their signs along stretches of the side before they are compared, so that an edge too weak to
/// be seen at any one point (white card on white paper) is found, and texture, whose steps cancel, is not. The stretches are
/// taken without sign against each other, because a table may be lighter than the card at one end and darker at the other.
struct SideFinder {
  let image: Raster
  static let stretches = 8
  static let samplesPerStretch = 6

  /// - Parameter reach: how far from the supposed side, in pixels, the edge may lie.
  func fit(from a: Point, to b: Point, reach: Int) -> SideFit {
    let count = Self.stretches * Self.samplesPerStretch
    let along = b - a
    let length = max(along.length, 1e-6)
    let normal = Point(x: -along.y / length, y: along.x / length)
    let offsets = 2 * reach + 1
    // Steps by sample, offset and channel; NaN-free: what lies outside the image has no weight.
    var steps = [Float](repeating: 0, count: count * offsets * 3)
    var inside = [Bool](repeating: false, count: count * offsets)
    // Corners are rounded and may be cut: the ends of a side are not asked.
    let margin = 0.07
    var profile = [Float](repeating: 0, count: (offsets + 2) * 3)
    for sample in 0..<count {
      let share = margin + (1 - 2 * margin) * (Double(sample) + 0.5) / Double(count)
      sampleSteps(
        at: a + along * share, normal: normal, reach: reach, sample: sample, profile: &profile, steps: &steps,
        inside: &inside)
    }
    return search(a: a, b: b, normal: normal, reach: reach, steps: steps, inside: inside, margin: margin)
  }

  /// - Parameter profile: room for the pixels along the normal, one more on either side than there are offsets.
  private func sampleSteps(
    at point: Point, normal: Point, reach: Int, sample: Int, profile: inout [Float], steps: inout [Float],
    inside: inout [Bool]
  ) {
    let offsets = 2 * reach + 1
    let width = image.width, channels = image.channels
    let right = Double(width - 1), bottom = Double(image.height - 1)
    // What lies inside the image is one stretch of the normal.
    var first = offsets + 2, last = -1
    image.samples.withUnsafeBufferPointer { pixels in
      profile.withUnsafeMutableBufferPointer { profile in
        for i in 0..<(offsets + 2) {
          let t = Double(i - reach - 1)
          let x = point.x + normal.x * t - 0.5, y = point.y + normal.y * t - 0.5
          guard x >= 0, y >= 0, x < right, y < bottom else { continue }
          (first, last) = (min(first, i), i)
          let column = Int(x), row = Int(y)
          let fx = Float(x - Double(column)), fy = Float(y - Double(row))
          let base = (row &* width &+ column) &* channels, below = base &+ width &* channels
          for c in 0..<3 {
            let k = channels == 3 ? c : 0
            let top = Float(pixels[base &+ k]) * (1 - fx) + Float(pixels[base &+ channels &+ k]) * fx
            let low = Float(pixels[below &+ k]) * (1 - fx) + Float(pixels[below &+ channels &+ k]) * fx
            profile[i &* 3 &+ c] = top * (1 - fy) + low * fy
          }
        }
      }
    }
    guard last >= first + 2 else { return }
    for i in first...(last - 2) {
      inside[sample * offsets + i] = true
      for c in 0..<3 {
        steps[(sample * offsets + i) * 3 + c] = profile[(i + 2) * 3 + c] - profile[i * 3 + c]
      }
    }
  }

  private func search(
    a: Point, b: Point, normal: Point, reach: Int, steps: [Float], inside: [Bool], margin: Double
  ) -> SideFit {
    let offsets = 2 * reach + 1
    let stretches = Self.stretches, perStretch = Self.samplesPerStretch
    let count = stretches * perStretch
    let sizes = stretchSizes(reach: reach, steps: steps, inside: inside)
    var best: (strength: Float, first: Int, last: Int) = (-1, 0, 0)
    var strengths = [Float](repeating: 0, count: offsets * offsets)
    for first in 0..<offsets {
      for last in 0..<offsets {
        var strength: Float = 0
        for stretch in 0..<stretches {
          // The stretch's middle on the line from `first` to `last`, rounded.
          let near = 2 * (stretches - stretch) - 1, far = 2 * stretch + 1
          let offset = (first * near + last * far + stretches) / (2 * stretches)
          strength += sizes[stretch * offsets + offset]
        }
        strengths[first * offsets + last] = strength
        if strength > best.strength { best = (strength, first - reach, last - reach) }
      }
    }
    // Between the whole pixels: a parabola through the neighbours, for either end.
    func between(_ value: (Int) -> Float?) -> Double {
      guard let low = value(-1), let mid = value(0), let high = value(1) else { return 0 }
      let curve = low - 2 * mid + high
      guard curve < -1e-6 else { return 0 }
      return Double(max(-0.5, min(0.5, 0.5 * (low - high) / curve)))
    }
    func strength(_ first: Int, _ last: Int) -> Float? {
      guard abs(first) <= reach, abs(last) <= reach else { return nil }
      return strengths[(first + reach) * offsets + last + reach]
    }
    let firstOffset = Double(best.first) + between { strength(best.first + $0, best.last) }
    let lastOffset = Double(best.last) + between { strength(best.first, best.last + $0) }

    var seen = 0, borne = 0
    var contrast: Float = 0, visibleSamples = 0
    for stretch in 0..<stretches {
      let here = step(stretch, best.first, best.last, reach: reach, steps: steps, inside: inside)
      visibleSamples += here.samples
      guard here.samples * 2 >= perStretch else { continue }
      seen += 1
      contrast += here.size
      // The noise of such a mean, from the spread of the single steps around it, with a floor of one level a channel.
      let needed = max(2.2, 3 * here.spread / Float(here.samples).squareRoot())
      if here.size > needed,
        isPeak(stretch, best.first, best.last, here.size, reach: reach, steps: steps, inside: inside)
      {
        borne += 1
      }
    }
    // Offsets were given at the margins' ends; the side's own ends lie beyond them on the same line.
    let slope = (lastOffset - firstOffset) / (1 - 2 * margin)
    let atStart = firstOffset - slope * margin, atEnd = lastOffset + slope * margin
    return SideFit(
      start: a + normal * atStart, end: b + normal * atEnd,
      support: seen == 0 ? 0 : Double(borne) / Double(seen),
      visible: Double(visibleSamples) / Double(count),
      contrast: seen == 0 ? 0 : Double(contrast) / Double(seen))
  }

  /// The size of the mean step of each stretch at each offset, as if the edge ran parallel to the side within a stretch.
  private func stretchSizes(reach: Int, steps: [Float], inside: [Bool]) -> [Float] {
    let offsets = 2 * reach + 1
    var sizes = [Float](repeating: 0, count: Self.stretches * offsets)
    for stretch in 0..<Self.stretches {
      for offset in 0..<offsets {
        var r: Float = 0, g: Float = 0, b: Float = 0, samples: Float = 0
        for sample in (stretch * Self.samplesPerStretch)..<((stretch + 1) * Self.samplesPerStretch) {
          let i = sample * offsets + offset
          guard inside[i] else { continue }
          r += steps[i * 3]
          g += steps[i * 3 + 1]
          b += steps[i * 3 + 2]
          samples += 1
        }
        if samples > 0 { sizes[stretch * offsets + offset] = (abs(r) + abs(g) + abs(b)) / samples }
      }
    }
    return sizes
  }

  /// Whether the step at the line is larger than two pixels to either side of it: an edge, not the flank of a texture.
  private func isPeak(
    _ stretch: Int, _ first: Int, _ last: Int, _ size: Float, reach: Int, steps: [Float], inside: [Bool]
  ) -> Bool {
    for shift in [-3, 3] where abs(first + shift) <= reach && abs(last + shift) <= reach {
      let other = step(stretch, first + shift, last + shift, reach: reach, steps: steps, inside: inside)
      if other.samples > 0, other.size > size { return false }
    }
    return true
  }

  /// The mean step of a stretch across a line: its size over the channels, and the spread of its samples.
  private func step(
    _ stretch: Int, _ first: Int, _ last: Int, reach: Int, steps: [Float], inside: [Bool]
  ) -> (size: Float, spread: Float, samples: Int) {
    let offsets = 2 * reach + 1
    let perStretch = Self.samplesPerStretch
    let count = Self.stretches * perStretch
    var r: Float = 0, g: Float = 0, b: Float = 0, square: Float = 0
    var samples = 0
    steps.withUnsafeBufferPointer { steps in
      for sample in (stretch * perStretch)..<((stretch + 1) * perStretch) {
        let share = (Float(sample) + 0.5) / Float(count)
        let offset = Int((Float(first) + (Float(last) - Float(first)) * share).rounded()) + reach
        let i = sample * offsets + offset
        guard inside[i] else { continue }
        samples += 1
        let x = steps[i * 3], y = steps[i * 3 + 1], z = steps[i * 3 + 2]
        r += x
        g += y
        b += z
        square += x * x + y * y + z * z
      }
    }
    guard samples > 0 else { return (0, 0, 0) }
    let n = Float(samples)
    let size = abs(r / n) + abs(g / n) + abs(b / n)
    let variance = max(0, square / n - (r * r + g * g + b * b) / (n * n))
    return (size, variance.squareRoot(), samples)
  }
}
