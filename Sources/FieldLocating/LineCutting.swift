import CardModel

extension LineCutter {
  /// Gaps wider than this many capitals divide a value from what is not part of it.
  private static let breakWidth = 1.1

  /// Cuts the line that begins near a cell's left edge and must end before its right.
  /// - Returns: `nil` where no ink is found.
  func cut(
    _ role: LocatedLine.Role, near centre: Double, capital: Double, _ bounds: CellBounds
  ) -> LocatedLine? {
    let left = bounds.left, right = bounds.right
    // A first band from where every value has ink, then one from the ink's own width.
    let sample = Int(left - 2)..<Int(min(right, left + capital * 6))
    guard let rough = band(near: centre, capital: capital, from: sample.lowerBound, to: sample.upperBound) else {
      return nil
    }
    guard var extent = extent(rough, capital: capital, bounds) else { return nil }
    if role.isOfWords, extent.reachesEnd, let end = blank(rough, after: bounds.right, capital: capital) {
      var wider = bounds
      wider.right = end
      extent = self.extent(rough, capital: capital, wider) ?? extent
    }
    // Values begin at one left edge: where the first letters are washed out the cut begins there all the same.
    if Double(extent.run.lowerBound) > left + capital * 0.35 {
      extent.run = max(0, Int(left))..<extent.run.upperBound
    }
    var band =
      self.band(near: centre, capital: capital, from: extent.run.lowerBound, to: extent.run.upperBound) ?? rough
    // Mixed case has few strokes above the small letters: the line is as tall as the card's other values.
    // Strokes that touch from the line above make it no taller either.
    if Double(band.capital) < capital * 0.9 || Double(band.capital) > capital * 1.2 {
      band.top = max(0, band.baseline - Int(capital.rounded()))
    }
    var line = line(role, band: band, extent: extent, capital: capital, left: left)
    line?.evidence.inkLeft = hasInkLeft(of: bounds, band, extent, capital: capital)
    return line
  }

  /// Left of the first column stands the chip, a capital away or more; left of the others their neighbour's value may.
  private func hasInkLeft(of bounds: CellBounds, _ band: Band, _ extent: Extent, capital: Double) -> Bool {
    guard bounds.isFirst else { return false }
    let x0 = max(0, Int(bounds.left - capital * 0.8)), x1 = max(x0, Int(bounds.left - capital * 0.15))
    // As dark as the line's own ink: the pattern of the paper is not.
    return inkColumns(band, x0..<x1, above: Int(extent.columns.contrast * 255 * 0.62)) >= Int(capital * 0.2)
  }

  struct Extent {
    /// Where the first ink is; the cut may begin before it.
    var inkLeft: Int
    var run: Range<Int>
    var columns: Columns
    var gapRight: Int
    var inkRight: Int
    /// Whether the ink runs to the end of what was looked at.
    var reachesEnd: Bool { run.upperBound >= columns.first + columns.isInk.count - 2 }
  }

  /// Where, at most three capitals behind a cell's end, paper begins that is wider than a space: there the line has ended.
  private func blank(_ band: Band, after right: Double, capital: Double) -> Double? {
    let columns = columns(band, from: Int(right), to: Int(right + capital * 3))
    let wanted = Int(capital * 0.6)
    var empty = 0
    for (offset, isInk) in columns.isInk.enumerated() {
      empty = isInk ? 0 : empty + 1
      if empty == wanted { return Double(columns.first + offset) }
    }
    return nil
  }

  /// The run of ink that begins at the column of values.
  private func extent(_ band: Band, capital: Double, _ bounds: CellBounds) -> Extent? {
    let columns = columns(band, from: bounds.lookFrom(capital: capital), to: Int(bounds.right))
    let runs = joined(
      Self.runs(columns, breakAt: Int(capital * Self.breakWidth)).filter { $0.count > 1 }, band, capital: capital)
    let latest = bounds.left + capital * 2.5
    guard let index = runs.firstIndex(where: { Double($0.lowerBound) < latest && $0.count >= Int(capital * 0.15) })
    else {
      return nil
    }
    let next = index + 1 < runs.count ? runs[index + 1] : nil
    return Extent(
      inkLeft: runs[index].lowerBound, run: runs[index], columns: columns,
      gapRight: next.map { $0.lowerBound - runs[index].upperBound } ?? 0,
      inkRight: next.map(\.count) ?? 0)
  }

  /// Runs that only glare divides, made one: a letter or two may be gone between them.
  private func joined(_ runs: [Range<Int>], _ band: Band, capital: Double) -> [Range<Int>] {
    var joined: [Range<Int>] = []
    for run in runs {
      if let last = joined.last, Double(run.lowerBound - last.upperBound) < capital * 2.2,
        washedOut(band.top..<band.baseline, last.upperBound..<run.lowerBound) > 0.3
      {
        joined[joined.count - 1] = last.lowerBound..<run.upperBound
      } else {
        joined.append(run)
      }
    }
    return joined
  }

  static func runs(_ columns: Columns, breakAt limit: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    for (offset, isInk) in columns.isInk.enumerated() where isInk {
      let x = columns.first + offset
      if let last = runs.last, x - last.upperBound < limit {
        runs[runs.count - 1] = last.lowerBound..<(x + 1)
      } else {
        runs.append(x..<(x + 1))
      }
    }
    return runs
  }

  private func line(
    _ role: LocatedLine.Role, band: Band, extent: Extent, capital: Double, left: Double
  ) -> LocatedLine? {
    guard let cut = view(band, extent.run, marginRows: 0.5, marginColumns: 7),
      let closer = view(band, extent.run, marginRows: 0.38, marginColumns: 5)
    else { return nil }
    var evidence = CutEvidence()
    let unit = max(1, Double(band.capital))
    evidence.capitalPixels = unit
    evidence.width = Double(extent.run.count) / unit
    evidence.gaps = gaps(extent, band, unit: unit)
    let behind = behind(extent, band, isOfWords: role.isOfWords)
    evidence.gapRight = Double(behind.gap) / unit
    evidence.inkRight = Double(behind.ink) / unit
    evidence.contrast = extent.columns.contrast
    evidence.offsetLeft = (Double(extent.inkLeft) - left) / unit
    evidence.faintest = Self.faintest(extent)
    evidence.textRight = Double(textDarkness(band, behind.columns)) / 255
    // A name or a country whose ink reaches its cell's end goes on behind it; digits are counted, and stand close to their neighbours.
    if role.isOfWords, extent.reachesEnd { evidence.textRight = 1 }
    evidence.glareInside = glare(extent.run, band)
    evidence.glareRight = glare(extent.run.upperBound..<(extent.run.upperBound + band.capital * 6), band)
    let width = Double(map.luma.width)
    let height = Double(map.luma.height)
    return LocatedLine(
      role: role, image: cut.raster,
      secondView: closer.resized(width: closer.width * 108 / 100 + 1, height: closer.height).raster,
      box: FractionBox(
        x: Double(extent.run.lowerBound) / width, y: Double(band.top) / height,
        width: Double(extent.run.count) / width, height: Double(band.capital) / height),
      evidence: evidence)
  }

  private struct Behind {
    /// The gap to the next ink and how wide that is.
    var gap: Int
    var ink: Int
    /// The columns within four capitals in which more of the line could stand.
    var columns: [Int]
  }

  /// What stands right of a line in its cell. Behind words Urdu may rise into the line, which is none of it; nor is what stands behind
  /// that, since Urdu runs to the cell's end, and the dots over its letters hang on nothing.
  private func behind(_ extent: Extent, _ band: Band, isOfWords: Bool) -> Behind {
    let end = extent.columns.first + extent.columns.isInk.count
    let beyond = extent.run.upperBound + band.capital / 3
    let near = beyond..<max(beyond, min(end, beyond + band.capital * 4))
    guard isOfWords, extent.inkRight > 0 else {
      return Behind(gap: extent.gapRight, ink: extent.inkRight, columns: Array(near))
    }
    let all = extent.run.upperBound..<end
    // Hairlines join the strokes of Urdu. A dot may stand a little before the first stroke.
    let urdu =
      risingInk(band, all, above: Int(extent.columns.contrast * 255 * 0.3))
      .map { max(all.lowerBound, $0 - band.capital / 4) } ?? end
    var columns = extent.columns
    for x in urdu..<end { columns.isInk[x - columns.first] = false }
    let next = Self.runs(columns, breakAt: Int(Double(band.capital) * Self.breakWidth))
      .first { $0.lowerBound >= all.lowerBound && $0.count > 1 }
    return Behind(
      gap: next.map { $0.lowerBound - all.lowerBound } ?? 0, ink: next?.count ?? 0, columns: near.filter { $0 < urdu })
  }

  /// The pixels of a line with paper around them; rows in capitals, columns in pixels.
  private func view(_ band: Band, _ run: Range<Int>, marginRows: Double, marginColumns: Int) -> Plane? {
    let margin = Int((Double(band.capital) * marginRows).rounded())
    let x0 = max(0, run.lowerBound - marginColumns)
    let x1 = min(map.luma.width, run.upperBound + marginColumns + 1)
    let y0 = max(0, band.top - margin)
    let y1 = min(map.luma.height, band.baseline + margin)
    guard x1 > x0, y1 > y0 else { return nil }
    return map.luma.cropped(PixelBox(x: x0, y: y0, width: x1 - x0, height: y1 - y0))
  }

  /// The darkness of the faintest ink of a line, 0...1.
  private static func faintest(_ extent: Extent) -> Double {
    let faintest = extent.run.filter { extent.columns.contains($0) && extent.columns.isInk[$0 - extent.columns.first] }
      .map { extent.columns.darkness[$0 - extent.columns.first] }.min()
    return Double(faintest ?? 0) / 255
  }

  /// Bars at the very top and foot of thin letters count: without them two T stand as far apart as words.
  private func gaps(_ extent: Extent, _ band: Band, unit: Double) -> [InkGap] {
    let rows = max(0, band.top - 1)..<min(map.ink.height, band.baseline + 1)
    let level = Int(extent.columns.contrast * 255 / 2)
    let needed = max(2, band.capital / 10)
    var gaps: [InkGap] = []
    var start: Int?
    for x in extent.run where extent.columns.contains(x) {
      if extent.columns.isInk[x - extent.columns.first] || inkCount(rows, x, above: level) >= needed {
        if let begin = start {
          gaps.append(
            InkGap(
              middle: (Double(begin + x) / 2 - Double(extent.run.lowerBound)) / Double(extent.run.count),
              width: Double(x - begin) / unit))
        }
        start = nil
      } else if start == nil {
        start = x
      }
    }
    return gaps
  }

  /// Share of pixels at the camera's limit.
  private func glare(_ columns: Range<Int>, _ band: Band) -> Double {
    let x1 = min(map.luma.width, columns.upperBound)
    guard x1 > columns.lowerBound else { return 0 }
    var count = 0
    for y in band.top..<band.baseline {
      for x in columns.lowerBound..<x1 where map.luma.values[y * map.luma.width + x] >= 252 { count += 1 }
    }
    return Double(count) / Double(max(1, band.capital * (x1 - columns.lowerBound)))
  }
}
