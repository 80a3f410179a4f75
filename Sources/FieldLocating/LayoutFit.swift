/// The layout's rows laid onto what is seen: one stretch and shift for the whole card, then a small shift of each row.
struct LayoutFit {
  /// Centres of each row's labels and values, in pixels of the ink map.
  var labels: [Double]
  var values: [Double]
  /// How far the text's left edge lies from the template's, in pixels.
  var shiftX: Double = 0
  /// Correlation of the rows with the strokes seen, 0...1.
  var score: Double

  private static let stretches = stride(from: 0.93, through: 1.07, by: 0.01)
  private static let shiftLimit = 34

  init(_ map: InkMap) {
    let profile = Self.profile(map)
    var best = (score: -1.0, stretch: 1.0, shift: 0)
    for stretch in Self.stretches {
      let template = Self.template(stretch: stretch, height: profile.count)
      for shift in -Self.shiftLimit...Self.shiftLimit {
        let score = Self.correlation(profile, template, shift: shift)
        if score > best.score { best = (score, stretch, shift) }
      }
    }
    let height = Double(profile.count)
    let place = { (fraction: Double) in Self.placed(fraction, best.stretch, height) + Double(best.shift) }
    labels = LayoutTemplate.rows.map { place($0.label) }
    values = LayoutTemplate.rows.map { place($0.value) }
    score = max(0, best.score)
    for row in labels.indices {
      let shift = Self.rowShift(profile, label: labels[row], value: values[row])
      labels[row] += shift
      values[row] += shift
    }
  }

  /// Text's strokes per row of pixels in the columns where every row has text. Strong rows are cut to a common height,
  /// so that one bold or dark row does not outweigh the others.
  private static func profile(_ map: InkMap) -> [Double] {
    let x0 = Int(LayoutTemplate.textLeft * Double(map.luma.width))
    let x1 = Int(LayoutTemplate.textRight * Double(map.luma.width))
    var sums = [Double](repeating: 0, count: map.luma.height)
    map.strokes.values.withUnsafeBufferPointer { strokes in
      for y in sums.indices {
        var sum = 0
        for x in x0..<x1 { sum += min(96, Int(strokes[y * map.strokes.width + x])) }
        sums[y] = Double(sum)
      }
    }
    let sorted = sums.sorted()
    let floor = sorted[sorted.count * 3 / 10]
    let limit = max(1, sorted[sorted.count * 88 / 100] - floor)
    return sums.map { min(1, max(0, ($0 - floor) / limit)).squareRoot() }
  }

  private static func placed(_ fraction: Double, _ stretch: Double, _ height: Double) -> Double {
    (0.5 + stretch * (fraction - 0.5)) * height
  }

  private static func template(stretch: Double, height: Int) -> [Double] {
    var template = [Double](repeating: 0, count: height)
    func add(_ centre: Double, _ capital: Double, _ weight: Double) {
      for y in Int(centre - capital / 2)...Int(centre + capital / 2) where template.indices.contains(y) {
        template[y] = weight
      }
    }
    for row in LayoutTemplate.rows {
      add(placed(row.label, stretch, Double(height)), LayoutTemplate.labelCapital, 0.8)
      add(placed(row.value, stretch, Double(height)), LayoutTemplate.valueCapital, 1)
    }
    return template
  }

  /// Pearson's correlation below the header, where the template has a say.
  private static func correlation(_ profile: [Double], _ template: [Double], shift: Int) -> Double {
    let first = max(Int(0.19 * Double(profile.count)), shift)
    let last = min(Int(0.96 * Double(profile.count)), template.count + shift)
    var a = 0.0
    var b = 0.0
    var aa = 0.0
    var bb = 0.0
    var ab = 0.0
    profile.withUnsafeBufferPointer { profile in
      template.withUnsafeBufferPointer { template in
        for y in first..<last {
          let t = template[y - shift]
          let p = profile[y]
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

  /// The small shift of one row that puts its label and value on text and its gaps on none.
  private static func rowShift(_ profile: [Double], label: Double, value: Double) -> Double {
    func mean(_ from: Double, _ to: Double) -> Double {
      let first = max(0, Int(from))
      let last = min(profile.count, Int(to))
      guard first < last else { return 0 }
      let range = first..<last
      return profile[range].reduce(0, +) / Double(range.count)
    }
    let half = LayoutTemplate.valueCapital / 2
    let labelHalf = LayoutTemplate.labelCapital / 2
    func score(_ shift: Double) -> Double {
      let v = value + shift
      let l = label + shift
      return mean(v - half, v + half) + 0.6 * mean(l - labelHalf, l + labelHalf)
        - 0.7 * mean(v + half + 2, v + half + 8) - 0.7 * mean(l + labelHalf + 2, v - half - 2) - 0.02 * abs(shift)
    }
    return stride(from: -12.0, through: 12.0, by: 1.0).max { score($0) < score($1) } ?? 0
  }
}
