import CardModel

extension LineCutter {
  /// Distances of baselines of a wrapped name's lines, in capitals.
  private static let leading = 0.95...1.95
  /// A second line has at least this share of the first's strokes per column.
  private static let leastShare = 0.45

  /// A name's first line, with its second where one stands below, begun at the same left edge.
  ///
  /// Urdu stands below names too, but at the right; it reaches the left edge only where the name is very long, and then
  /// its strokes do not begin where Latin does. What is left unresolved is told as `inkBelow`.
  func withWrappedLine(_ first: LocatedLine, capital: Double, _ bounds: CellBounds) -> [LocatedLine] {
    let height = Double(map.luma.height)
    let baseline = (first.box.y + first.box.height) * height
    let unit = first.evidence.capitalPixels
    let x0 = Int(first.box.x * Double(map.luma.width))
    let columns = (x0 - 3)..<(x0 + Int(unit * 2.5))
    let own = strokes(Int(baseline - unit)..<Int(baseline), columns)
    let below = strokes(Int(baseline + unit * 0.5)..<Int(baseline + unit * 1.5), columns)
    guard own > 0, below > Self.leastShare / 2 * own else { return [first] }
    var marked = first
    marked.evidence.inkBelow = min(1, below / own)
    guard
      let band = band(
        near: baseline + unit * (Self.leading.lowerBound + Self.leading.upperBound - 1) / 2, capital: unit,
        from: columns.lowerBound, to: columns.upperBound),
      Self.leading.contains((Double(band.baseline) - baseline) / unit), below > Self.leastShare * own,
      var second = cut(
        first.role, near: Double(band.baseline) - unit / 2, capital: capital, bounds),
      abs(second.box.x - first.box.x) * Double(map.luma.width) < unit * 0.7,
      second.box.y > first.box.y + first.box.height * 0.9
    else { return [marked] }
    second.evidence.inkBelow = 0
    return [first, second]
  }

  /// Mean strength of strokes in a box.
  private func strokes(_ rows: Range<Int>, _ columns: Range<Int>) -> Double {
    var sum = 0
    var count = 0
    for y in rows where y >= 0 && y < map.strokes.height {
      for x in columns where x >= 0 && x < map.strokes.width {
        sum += min(110, Int(map.strokes.values[y * map.strokes.width + x]))
        count += 1
      }
    }
    return Double(sum) / Double(max(1, count))
  }
}
