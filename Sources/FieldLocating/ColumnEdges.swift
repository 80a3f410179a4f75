/// Where the columns of labels and values begin on this card, found from the ink itself: a printing may move its second column
/// nearer to the first than a number is wide, so a place taken from the template would cut a value or take its neighbour in.
///
/// Labels and values of a column begin at one edge. Each line in which ink follows a blank votes for where it does; digits and
/// letters within a line begin anywhere, so that an edge needs the votes of several lines.
struct ColumnEdges {
  /// In pixels of the ink map.
  struct Edge: Equatable {
    var x: Double
    /// How many lines begin there.
    var votes: Int
    /// Whether enough lines agree that nothing left of the edge can belong to the column.
    var isSure: Bool { votes >= 2 }
  }

  /// Names, gender, number and issue; country; birth and expiry.
  let first: Edge
  let country: Edge
  let second: Edge
  /// How much wider than the template this card shows its columns.
  let stretch: Double

  /// How far printings and outlines set a column off, in pixels of the ink map.
  private static let reach = 36
  /// How far an outline that took a shadow or an inner frame for a card's side sets the first column off.
  private static let farReach = 120
  /// As many lines at one edge are a column's.
  private static let plainVotes = 4
  /// Lines of one column begin within this many pixels: `1` has more air at its left than `D`.
  private static let tolerance = 3

  init(cutter: LineCutter, fit: LayoutFit, capital: Double) {
    func lines(_ rows: [Int], labels: Bool = true) -> [(centre: Double, capital: Double)] {
      rows.flatMap { row in
        [(fit.values[row], capital)] + (labels ? [(fit.labels[row], LayoutTemplate.labelCapital)] : [])
      }
    }
    let width = Double(cutter.map.luma.width)
    let near = Self.edge(near: 0.28 * width, of: lines([0, 1, 3, 4]), cutter)
    let far =
      near.votes >= Self.plainVotes
      ? near : Self.edge(near: 0.28 * width, of: lines([0, 1, 3, 4]), reach: Self.farReach, cutter)
    // A chip has edges in two rows, an emblem or a portrait in three.
    first = far.votes > max(near.votes, Self.plainVotes) ? far : near
    // A shift of the whole card shifts every column; printings move them against each other besides.
    let shift = first.votes >= 2 ? first.x - 0.28 * width : 0
    country = Self.edge(near: 0.38 * width + shift, of: lines([2]), cutter)
    second = Self.edge(near: 0.525 * width + shift, of: lines([3, 4]), cutter)
    // Only an outline that lost a side stretches a card by more than printings move their columns.
    let isFar = first != near && second.isSure
    stretch = isFar ? min(1.15, max(0.95, (second.x - first.x) / (0.245 * width))) : 1
  }

  private static func edge(
    near expected: Double, of lines: [(centre: Double, capital: Double)], reach: Int = Self.reach, _ cutter: LineCutter
  ) -> Edge {
    var starts: [[Int]] = []
    for line in lines {
      let x0 = Int(expected) - reach, x1 = Int(expected) + reach
      guard
        let band = cutter.band(
          near: line.centre, capital: line.capital, from: Int(expected) - (reach - Self.reach),
          to: Int(expected + line.capital * 5))
      else { continue }
      starts.append(Self.starts(cutter.columns(band, from: x0 - 12, to: x1), blank: Int(line.capital * 0.4)))
    }
    var best = Edge(x: expected, votes: 0)
    var bestScore = 0.0
    for candidate in Set(starts.joined()) {
      let near = starts.compactMap { line in line.filter { abs($0 - candidate) <= tolerance }.min() }
      // Of edges with as many votes the one nearest to the template's.
      let score = Double(near.count) - abs(Double(candidate) - expected) / Double(reach) * 0.9
      if score > bestScore {
        bestScore = score
        best = Edge(x: Double(near.sorted()[near.count / 4]), votes: near.count)
      }
    }
    return best
  }

  /// Columns of ink that follow at least `blank` columns without.
  private static func starts(_ columns: LineCutter.Columns, blank: Int) -> [Int] {
    var starts: [Int] = []
    var empty = 0
    for (offset, isInk) in columns.isInk.enumerated() {
      if isInk, empty >= blank { starts.append(columns.first + offset) }
      empty = isInk ? 0 : empty + 1
    }
    return starts
  }
}
