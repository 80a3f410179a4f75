extension LineCutter {
  /// How far below a line's baseline no Latin letter reaches, in capitals.
  private static let deepest = 0.6

  /// Which columns hold nothing of a line but strokes that rise into it from the Urdu below: Nastaliq's long strokes (the
  /// upper one of a gaf) reach the name above and are no letters of it.
  ///
  /// Letters stand on the baseline, and none goes as deep below it as such a word does.
  /// - Parameter level: the darkness above which a pixel is ink.
  /// - Returns: one answer a column; `true` too for those beside such a stroke, where its edge is grey.
  func risingColumns(_ band: Band, _ columns: Range<Int>, above level: Int) -> [Bool] {
    let columns = columns.clamped(to: 0..<map.ink.width)
    let capital = Double(band.capital)
    let rows = max(0, band.top)..<min(map.ink.height, band.baseline + Int(capital * (Self.deepest + 0.4)))
    var window = InkWindow(map.ink, rows: rows, columns: columns, above: level)
    let deep = band.baseline + Int((capital * Self.deepest).rounded()) - rows.lowerBound
    window.keepOnlyJoined(below: deep)
    let inBand = 0..<max(0, min(rows.count, band.baseline - rows.lowerBound))
    let rising = columns.indices.map { column in
      inBand.contains { window.contains(row: $0, column: column - columns.lowerBound) }
    }
    return rising.indices.map { x in rising[max(0, x - 2)...min(rising.count - 1, x + 2)].contains(true) }
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

  func contains(row: Int, column: Int) -> Bool { isInk[row * width + column] }

  /// Leaves the ink that is joined to ink at or below a row.
  mutating func keepOnlyJoined(below deep: Int) {
    var isKept = [Bool](repeating: false, count: isInk.count)
    var waiting = isInk.indices.filter { isInk[$0] && $0 >= deep * width }
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
