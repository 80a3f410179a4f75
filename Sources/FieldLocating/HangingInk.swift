extension LineCutter {
  /// How far below a line's baseline no Latin letter reaches, in capitals.
  private static let deepest = 0.6

  /// Where Urdu begins that rises into a line from below: Nastaliq's long strokes (the upper one of a gaf) reach the name above, and
  /// its words may hang into the name's own rows.
  ///
  /// Letters stand on the baseline, and none goes as deep below it as such a word does.
  /// - Parameter level: the darkness above which a pixel is ink.
  /// - Returns: the first column of such a word, in or below the line; `nil` where there is none.
  func risingInk(_ band: Band, _ columns: Range<Int>, above level: Int) -> Int? {
    let columns = columns.clamped(to: 0..<map.ink.width)
    let capital = Double(band.capital)
    let rows = max(0, band.top)..<min(map.ink.height, band.baseline + Int(capital * (Self.deepest + 0.4)))
    var window = InkWindow(map.ink, rows: rows, columns: columns, above: level)
    window.keepOnlyJoined(to: band.baseline + Int((capital * Self.deepest).rounded()) - rows.lowerBound..<rows.count)
    window.keepOnlyJoined(to: 0..<band.baseline - rows.lowerBound)
    return window.firstColumn.map { columns.lowerBound + $0 }
  }
}

/// The ink of a small part of a card, and which of it hangs together.
private struct InkWindow {
  private let width: Int
  private let height: Int
  private var isInk: [Bool]

  init(_ plane: Plane, rows: Range<Int>, columns: Range<Int>, above level: Int) {
    width = columns.count
    height = rows.count
    isInk = rows.flatMap { y in columns.map { x in Int(plane.values[y * plane.width + x]) > level } }
  }

  /// The first column that holds ink.
  var firstColumn: Int? {
    (0..<width).first { column in (0..<height).contains { isInk[$0 * width + column] } }
  }

  /// Leaves the ink that is joined to ink in some rows.
  mutating func keepOnlyJoined(to rows: Range<Int>) {
    let rows = rows.clamped(to: 0..<height)
    var isKept = [Bool](repeating: false, count: isInk.count)
    var waiting = (rows.lowerBound * width..<rows.upperBound * width).filter { isInk[$0] }
    for place in waiting { isKept[place] = true }
    while let place = waiting.popLast() {
      let x = place % width, y = place / width
      for row in max(0, y - 1)...min(height - 1, y + 1) {
        for column in max(0, x - 1)...min(width - 1, x + 1) {
          let next = row * width + column
          guard isInk[next], !isKept[next] else { continue }
          isKept[next] = true
          waiting.append(next)
        }
      }
    }
    isInk = isKept
  }
}
