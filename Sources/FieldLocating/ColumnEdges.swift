/// Where the columns of labels and values begin on this card, found from the ink itself: a printing may move its second column
/// nearer to the first than a number is wide, so a place taken from the template would cut a value or take its neighbour in.
///
/// Labels and values of a column begin at one edge. Each line in which ink follows a blank votes for where it does; digits and
/// letters within a line begin anywhere, so that an edge needs the votes of several lines.
struct ColumnEdges {
  /// In pixels of the ink map.
  struct Edge: Equatable {
    /// At half the card's height.
    var x: Double
    /// Pixels to the right per pixel down, not zero where the outline's corners are off.
    var slope: Double
    var middle: Double
    /// How many lines begin there.
    var votes: Int
    /// Whether enough lines agree that nothing left of the edge can belong to the column.
    var isSure: Bool { votes >= 2 }

    func x(at y: Double) -> Double { x + slope * (y - middle) }
  }

  /// Names, gender, number and issue; country; birth and expiry.
  let first: Edge
  let country: Edge
  let second: Edge
  /// How much wider than the template this card shows its columns.
  let stretch: Double

  /// How far printings and outlines set a column off, in pixels of the ink map.
  private static let reach = 36
  /// How far an outline that took a shadow or an inner frame for a card's side sets the first column off, and leans it.
  private static let farReach = 120
  /// The same of the second column on such a card, which is a fifth wider or narrower.
  private static let stretchedReach = 86
  private static let slopes = (-12...12).map { Double($0) / 100 }
  /// Where as many of the eight lines begin, there is no doubt; and what another place needs where there is.
  private static let plainVotes = 6
  private static let farVotes = 5
  /// Lines of one column begin within this many pixels: `1` has more air at its left than `D`.
  private static let tolerance = 3

  private struct Line {
    var centre: Double
    var capital: Double
  }

  init(cutter: LineCutter, fit: LayoutFit, capital: Double) {
    func lines(_ rows: [Int]) -> [Line] {
      rows.flatMap { row in
        [
          Line(centre: fit.values[row], capital: capital),
          Line(centre: fit.labels[row], capital: LayoutTemplate.labelCapital),
        ]
      }
    }
    let width = Double(cutter.map.luma.width)
    let near = Self.edge(near: 0.28 * width, of: lines([0, 1, 3, 4]), cutter)
    let far =
      near.votes >= Self.plainVotes
      ? near
      : Self.edge(near: 0.28 * width, of: lines([0, 1, 3, 4]), reach: Self.farReach, slopes: Self.slopes, cutter)
    // A chip has edges in two rows of lines, an emblem or a portrait in three.
    let isFar = far.votes >= max(Self.farVotes, near.votes + 2)
    first = isFar ? far : near
    // A shift of the whole card shifts every column; printings move them against each other besides.
    let shift = first.votes >= 2 ? first.x - 0.28 * width : 0
    country = Self.edge(near: 0.38 * width + shift, of: lines([2]), slopes: [first.slope], endsText: true, cutter)
    // Only an outline that lost a side, or took in what lies beside the card, stretches it by more than printings move their columns.
    second = Self.edge(
      near: 0.525 * width + shift, of: lines([3, 4]), reach: isFar ? Self.stretchedReach : Self.reach,
      slopes: [first.slope], endsText: true, cutter)
    stretch = isFar && second.isSure ? min(1.15, max(0.8, (second.x - first.x) / (0.245 * width))) : 1
  }

  /// - Parameter endsText: whether left of the column stands another's text, and no chip: where two lines begin, the column does, and
  ///   what as many lines agree on right of that lies behind their first letters.
  private static func edge(
    near expected: Double, of lines: [Line], reach: Int = Self.reach, slopes: [Double] = [0], endsText: Bool = false,
    _ cutter: LineCutter
  ) -> Edge {
    let middle = Double(cutter.map.luma.height) / 2
    // Where ink begins in each line, and how far below the card's middle that is.
    var starts: [(down: Double, places: [Int])] = []
    for line in lines {
      let lean = (slopes.map(abs).max() ?? 0) * abs(line.centre - middle)
      let x0 = Int(expected - lean) - reach, x1 = Int(expected + lean) + reach
      guard
        let band = cutter.band(
          near: line.centre, capital: line.capital, from: Int(expected) - (reach - Self.reach),
          to: Int(expected + line.capital * 5))
      else { continue }
      let columns = cutter.columns(band, from: x0 - 12, to: x1)
      starts.append((line.centre - middle, Self.starts(columns, blank: Int(line.capital * 0.4))))
    }
    var best = Edge(x: expected, slope: slopes.count == 1 ? slopes[0] : 0, middle: middle, votes: 0)
    var bestScore = 0.0
    let isSearch = slopes.count > 1
    for slope in slopes {
      let upright = starts.map { line in line.places.map { $0 - Int((slope * line.down).rounded()) } }
      for candidate in Set(upright.joined()).sorted() {
        let near = upright.compactMap { line in line.filter { abs($0 - candidate) <= tolerance }.min() }
        // Of edges with as many votes the one nearest to the template's, and the most upright.
        let distance = abs(Double(candidate) - expected) / Double(reach)
        let score = Double(near.count) - distance * (isSearch ? 0.6 : 0.9) - (isSearch ? abs(slope) * 5 : 0)
        if endsText, best.votes >= 2, near.count <= best.votes { continue }
        if score > bestScore {
          bestScore = score
          best = Edge(x: Double(near.sorted()[near.count / 4]), slope: slope, middle: middle, votes: near.count)
        }
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
