import CardModel

/// Cuts one line of text tightly to its ink, given about where it stands.
struct LineCutter {
  let map: InkMap

  /// The line's rows of pixels: from the top of its capitals to its baseline.
  struct Band: Equatable {
    var top: Int
    var baseline: Int
    var capital: Int { baseline - top }
  }

  /// Columns of ink in a band. Positions are pixels of the map.
  struct Columns {
    var first: Int
    /// Ink per column, from `first`.
    var isInk: [Bool]
    /// How dark the ink around each column is, 0 where there is none.
    var darkness: [UInt8]
    var contrast: Double

    func contains(_ x: Int) -> Bool { x >= first && x < first + isInk.count }
  }

  // MARK: Rows

  /// Finds the band of a line near `centre` from the strokes between two columns.
  /// - Returns: `nil` where nothing there looks like text.
  func band(near centre: Double, capital: Double, from x0: Int, to x1: Int) -> Band? {
    let reach = Int(capital * 1.5)
    let top = max(0, Int(centre) - reach)
    let bottom = min(map.luma.height, Int(centre) + reach)
    guard bottom - top > Int(capital) else { return nil }
    let profile = rowStrokes(top..<bottom, from: x0, to: x1)
    let floor = profile.sorted()[profile.count / 5]
    let size = Int(capital)
    var best = (score: -Double.infinity, start: 0)
    for start in 0...(profile.count - size) {
      let offset = Double(top + start) + capital / 2 - centre
      guard abs(offset) <= capital * 0.6 else { continue }
      let inside = profile[start..<(start + size)].reduce(0, +) / Double(size)
      let score = inside - floor - 0.01 * abs(offset) * max(1, inside - floor) / capital
      if score > best.score { best = (score, start) }
    }
    guard best.score > 1 else { return nil }
    let peak = profile[best.start..<(best.start + size)].sorted()[size * 3 / 4]
    let level = floor + 0.18 * (peak - floor)
    // From the middle outward to the first rows without strokes.
    let middle = best.start + size / 2
    var upper = middle
    while upper > 0, profile[upper - 1] > level, middle - upper < Int(capital * 0.9) { upper -= 1 }
    var lower = middle
    while lower < profile.count - 1, profile[lower + 1] > level, lower - middle < Int(capital * 0.75) { lower += 1 }
    return Band(top: top + upper, baseline: top + lower + 1)
  }

  private func rowStrokes(_ rows: Range<Int>, from x0: Int, to x1: Int) -> [Double] {
    let first = min(map.strokes.width, max(0, x0))
    let last = max(first, min(map.strokes.width, x1))
    return map.strokes.values.withUnsafeBufferPointer { strokes in
      rows.map { y in
        var sum = 0
        for x in first..<last { sum += min(110, Int(strokes[y * map.strokes.width + x])) }
        return Double(sum) / Double(max(1, last - first))
      }
    }
  }

  // MARK: Columns

  /// Letters that glare left faint have at least this share of the uprightness of their line. Of some 200 windows of clean and scanned
  /// cards letters had 0.6 to 1.3 of it, the pattern 0.3 to 0.65.
  private static let leastUprightness = 0.6
  /// The grey beside a black letter's stem, in columns.
  private static let fringe = 3

  /// Which columns hold ink of the band; vertical rules, which run on above and below the text, are left out.
  func columns(_ band: Band, from x0: Int, to x1: Int) -> Columns {
    let width = map.ink.width
    let first = min(width, max(0, x0))
    let last = max(first, min(width, x1))
    let inset = max(1, band.capital / 10)
    let rows = (band.top + inset)..<max(band.top + inset, band.baseline - inset + 1)
    let threshold = inkThreshold(rows, first..<last)
    let needed = max(2, band.capital / 8)
    var isInk = [Bool](repeating: false, count: last - first)
    var darkness = [UInt8](repeating: 0, count: last - first)
    let step = max(4, band.capital / 2)
    for start in stride(from: first, to: last, by: step) {
      let here = start..<min(last, start + step)
      let local = localThreshold(band, rows, around: here, within: first..<last, usual: threshold)
      for x in here {
        isInk[x - first] = inkCount(rows, x, above: local.level) >= needed
        darkness[x - first] = UInt8(local.darkest)
      }
    }
    for x in verticalRules(band, first..<last, level: threshold.level) {
      for near in max(first, x - 1)...min(last - 1, x + 1) { isInk[near - first] = false }
    }
    return Columns(first: first, isInk: isInk, darkness: darkness, contrast: Double(threshold.darkest) / 255)
  }

  struct Threshold {
    var level: Int
    var darkest: Int
  }

  /// Half the darkness of the band's darkest pixels, as the trial script of the spikes had it.
  private func inkThreshold(_ rows: Range<Int>, _ columns: Range<Int>) -> Threshold {
    let darkest = darkness(rows, columns, share: 15)
    return Threshold(level: max(26, darkest / 2), darkest: darkest)
  }

  /// Whether what is faint in some columns has the upright edges that letters have: they have stems, while the pattern of the paper is
  /// of lines that mostly lie.
  private func isUpright(
    _ rows: Range<Int>, _ columns: Range<Int>, within all: Range<Int>, usual: Threshold
  ) -> Bool {
    let around =
      max(all.lowerBound, columns.lowerBound - Self.fringe)..<min(all.upperBound, columns.upperBound + Self.fringe)
    let isBlack = around.map { inkCount(rows, $0, above: usual.level) > 0 }
    let faint = columns.filter { x in
      let place = x - around.lowerBound
      return !isBlack[max(0, place - Self.fringe)...min(isBlack.count - 1, place + Self.fringe)].contains(true)
    }
    return faint.isEmpty
      || uprightness(rows, faint, share: 40) >= Self.leastUprightness * uprightness(rows, all, share: 15)
  }

  /// How strong the upright edges of the darkest ink are, as a share of its darkness.
  private func uprightness(_ rows: Range<Int>, _ columns: some Collection<Int>, share: Int) -> Double {
    let strokes = highest(of: map.strokes, rows, columns, share: share)
    return Double(strokes) / Double(max(1, darkness(rows, columns, share: share)))
  }

  /// Glare washes out a part of a line, and the pattern of the paper with it. Where there is glare and the darkest pixels are too faint for the line's own threshold but stand out from
  /// the rows above or below, which hold no text, half of their darkness is the threshold there.
  private func localThreshold(
    _ band: Band, _ rows: Range<Int>, around columns: Range<Int>, within all: Range<Int>, usual: Threshold
  ) -> Threshold {
    let reach = band.capital
    let window = max(all.lowerBound, columns.lowerBound - reach)..<min(all.upperBound, columns.upperBound + reach)
    let darkest = darkness(rows, window, share: 40)
    guard darkest < usual.level * 2, darkest >= 36, washedOut(rows, window) > 0.2 else {
      return Threshold(level: usual.level, darkest: darkest)
    }
    let noise = marginDarkness(band, window)
    guard darkest * 10 > noise * 15 + 50 else { return Threshold(level: usual.level, darkest: 0) }
    // Beside the pattern there is no ink but what is as dark as the rest of the line.
    guard isUpright(rows, window, within: all, usual: usual) else { return usual }
    return Threshold(level: max(10, noise, darkest / 2), darkest: darkest)
  }

  /// Share of pixels at or near the camera's limit.
  func washedOut(_ rows: Range<Int>, _ columns: Range<Int>) -> Double {
    map.luma.values.withUnsafeBufferPointer { luma in
      var count = 0
      for y in rows { for x in columns where luma[y * map.luma.width + x] >= 249 { count += 1 } }
      return Double(count) / Double(max(1, rows.count * columns.count))
    }
  }

  /// The darkness above which a share (in thousandths) of pixels lies.
  private func darkness(_ rows: Range<Int>, _ columns: some Collection<Int>, share: Int) -> Int {
    highest(of: map.ink, rows, columns, share: share)
  }

  /// The value above which a share (in thousandths) of a plane's pixels lies.
  private func highest(of plane: Plane, _ rows: Range<Int>, _ columns: some Collection<Int>, share: Int) -> Int {
    var counts = [Int](repeating: 0, count: 256)
    plane.values.withUnsafeBufferPointer { values in
      for y in rows where y >= 0 && y < plane.height {
        for x in columns { counts[Int(values[y * plane.width + x])] += 1 }
      }
    }
    let wanted = max(1, rows.count * columns.count * share / 1000)
    var seen = 0
    var darkest = 255
    while darkest > 0, seen + counts[darkest] < wanted {
      seen += counts[darkest]
      darkest -= 1
    }
    return darkest
  }

  /// The darkness of the quieter of the strips just above and below a line.
  func marginDarkness(_ band: Band, _ columns: some Collection<Int>) -> Int {
    let capital = band.capital
    let above = (band.top - capital * 45 / 100)..<(band.top - capital * 15 / 100)
    let below = (band.baseline + capital * 25 / 100)..<(band.baseline + capital * 55 / 100)
    return min(darkness(above, columns, share: 40), darkness(below, columns, share: 40))
  }

  /// How much darker a line's rows are than the strips around them, 0...255: what is left of text there.
  func textDarkness(_ band: Band, _ columns: [Int]) -> Int {
    let inside = columns.filter { (0..<map.ink.width).contains($0) }
    guard inside.count > 2 else { return 0 }
    return max(0, darkness(band.top..<band.baseline, inside, share: 40) - marginDarkness(band, inside))
  }

  func inkCount(_ rows: Range<Int>, _ x: Int, above level: Int) -> Int {
    map.ink.values.withUnsafeBufferPointer { ink in
      var count = 0
      for y in rows where Int(ink[y * map.ink.width + x]) > level { count += 1 }
      return count
    }
  }

  /// How many columns hold ink of a band darker than `level`; vertical rules do not count.
  func inkColumns(_ band: Band, _ columns: Range<Int>, above level: Int) -> Int {
    let rules = Set(verticalRules(band, columns, level: level).flatMap { [$0 - 1, $0, $0 + 1] })
    let needed = max(2, band.capital / 8)
    return columns.count { x in !rules.contains(x) && inkCount(band.top..<band.baseline, x, above: level) >= needed }
  }

  private func verticalRules(_ band: Band, _ columns: Range<Int>, level: Int) -> [Int] {
    let width = map.ink.width
    let top = max(0, band.top - band.capital)
    let bottom = min(map.ink.height, band.baseline + band.capital * 3 / 4)
    let above = top..<max(top + 1, band.top - 1)
    let below = min(bottom - 1, band.baseline + 2)..<bottom
    return map.ink.values.withUnsafeBufferPointer { ink in
      func dark(_ rows: Range<Int>, _ x: Int) -> Double {
        var count = 0
        for y in rows {
          let line = y * width
          // A tilted rule wanders by a pixel.
          let darkest = max(ink[line + max(0, x - 1)], ink[line + x], ink[line + min(width - 1, x + 1)])
          if Int(darkest) > level * 3 / 4 { count += 1 }
        }
        return Double(count) / Double(rows.count)
      }
      return columns.filter { x in
        dark(band.top..<band.baseline, x) > 0.9 && dark(above, x) > 0.8 && dark(below, x) > 0.8
      }
    }
  }
}
