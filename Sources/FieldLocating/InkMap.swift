/// Where a card is darker than its surroundings, whatever the light on it.
///
/// *Shape*: planes of the card's size. `ink` is 0 for background and 255 for black; `strokes` is the strength of vertical
/// edges, which text has many of while rules, shades and most of the guilloche have few.
package struct InkMap: Sendable {
  package let luma: Plane
  package let ink: Plane
  package let strokes: Plane

  /// Cells of this many pixels carry the background: larger than a stroke, smaller than a change of light.
  private static let cell = 8

  package init(_ luma: Plane) {
    self.luma = luma
    let soft = Self.softened(luma)
    let background = Self.background(soft)
    (ink, strokes) = Self.divided(soft, by: background)
  }

  /// A 3 x 3 binomial blur: noise and JPEG's ringing must not count as strokes.
  private static func softened(_ plane: Plane) -> Plane {
    let width = plane.width
    let height = plane.height
    // The vertical step first, on whole rows: such loops the compiler turns into vector instructions.
    var sums = [UInt16](repeating: 0, count: width + 2)
    let out = [UInt8](unsafeUninitializedCapacity: width * height) { target, count in
      plane.values.withUnsafeBufferPointer { source in
        sums.withUnsafeMutableBufferPointer { sums in
          guard let source = source.baseAddress, var to = target.baseAddress, let sums = sums.baseAddress else {
            return
          }
          for y in 0..<height {
            let above = source + max(0, y - 1) * width
            let line = source + y * width
            let below = source + min(height - 1, y + 1) * width
            for x in 0..<width { sums[x &+ 1] = UInt16(above[x]) &+ UInt16(below[x]) &+ 2 &* UInt16(line[x]) }
            (sums[0], sums[width + 1]) = (sums[1], sums[width])
            for x in 0..<width {
              to[x] = UInt8(truncatingIfNeeded: (sums[x] &+ sums[x &+ 2] &+ 2 &* sums[x &+ 1] &+ 8) >> 4)
            }
            to += width
          }
        }
      }
      count = width * height
    }
    return Plane(width: width, height: height, values: out)
  }

  /// The paper's brightness per cell: the lightest pixel of the cells around, smoothed.
  private static func background(_ plane: Plane) -> Plane {
    let columns = (plane.width + cell - 1) / cell
    let rows = (plane.height + cell - 1) / cell
    var lightest = [UInt8](repeating: 0, count: columns * rows)
    plane.values.withUnsafeBufferPointer { source in
      lightest.withUnsafeMutableBufferPointer { lightest in
        guard let source = source.baseAddress else { return }
        for y in 0..<plane.height {
          let line = source + y * plane.width
          let row = (y / cell) * columns
          for column in 0..<columns {
            var most = lightest[row + column]
            for x in (column &* cell)..<min(plane.width, (column &+ 1) &* cell) { most = max(most, line[x]) }
            lightest[row + column] = most
          }
        }
      }
    }
    let spread = lightestAround(lightest, columns: columns, rows: rows)
    return Plane(width: columns, height: rows, values: meanAround(spread, columns: columns, rows: rows))
  }

  /// The lightest of each cell and its eight neighbours.
  private static func lightestAround(_ cells: [UInt8], columns: Int, rows: Int) -> [UInt8] {
    var out = cells
    for y in 0..<rows {
      for x in 0..<columns {
        var lightest: UInt8 = 0
        for row in max(0, y - 1)...min(rows - 1, y + 1) {
          for column in max(0, x - 1)...min(columns - 1, x + 1) {
            lightest = max(lightest, cells[row * columns + column])
          }
        }
        out[y * columns + x] = lightest
      }
    }
    return out
  }

  /// The mean of the five by five cells around each.
  private static func meanAround(_ cells: [UInt8], columns: Int, rows: Int) -> [UInt8] {
    var out = cells
    for y in 0..<rows {
      for x in 0..<columns {
        var sum = 0
        var count = 0
        for row in max(0, y - 2)...min(rows - 1, y + 2) {
          for column in max(0, x - 2)...min(columns - 1, x + 2) {
            sum += Int(cells[row * columns + column])
            count += 1
          }
        }
        out[y * columns + x] = UInt8(sum / count)
      }
    }
    return out
  }

  private static func divided(_ soft: Plane, by background: Plane) -> (ink: Plane, strokes: Plane) {
    let width = soft.width
    let height = soft.height
    var ink = [UInt8](repeating: 0, count: width * height)
    var strokes = [UInt8](repeating: 0, count: width * height)
    var paper = [Int32](repeating: 0, count: width)
    // 255 / light in 16 bits of fraction: a division a pixel would be most of the work here.
    let shares = (0...255).map { Int32(255 << 16) / Int32(max(1, $0)) }
    soft.values.withUnsafeBufferPointer { source in
      ink.withUnsafeMutableBufferPointer { ink in
        strokes.withUnsafeMutableBufferPointer { strokes in
          paper.withUnsafeMutableBufferPointer { paper in
            guard let source = source.baseAddress, let ink = ink.baseAddress, let strokes = strokes.baseAddress,
              let paper = paper.baseAddress
            else { return }
            for y in 0..<height {
              interpolate(background, row: y, into: paper, count: width)
              let line = source + y * width
              let toInk = ink + y * width
              let toStrokes = strokes + y * width
              for x in 0..<width { paper[x] = shares[Int(paper[x])] }
              for x in 0..<width {
                let value = (Int32(line[x]) &* paper[x]) >> 16
                toInk[x] = UInt8(truncatingIfNeeded: max(0, 255 &- value))
              }
              func stroke(_ x: Int, _ left: Int, _ right: Int) {
                let step = abs(Int32(line[right]) &- Int32(line[left]))
                toStrokes[x] = UInt8(truncatingIfNeeded: min(255, (step &* paper[x]) >> 16))
              }
              stroke(0, 0, min(1, width - 1))
              if width > 2 { for x in 1..<(width - 1) { stroke(x, x &- 1, x &+ 1) } }
              stroke(width - 1, max(0, width - 2), width - 1)
            }
          }
        }
      }
    }
    return (
      Plane(width: width, height: height, values: ink), Plane(width: width, height: height, values: strokes)
    )
  }

  /// The background along one row of pixels, linear between the cells' centres.
  private static func interpolate(
    _ background: Plane, row: Int, into paper: UnsafeMutablePointer<Int32>, count: Int
  ) {
    let half = cell / 2
    let across = background.width
    let y = max(0, min((background.height - 1) * cell, row - half))
    let upper = y / cell
    let lower = min(background.height - 1, upper + 1)
    let down = Int32(y % cell)
    let size = Int32(cell)
    background.values.withUnsafeBufferPointer { cells in
      func blended(_ column: Int) -> Int32 {
        Int32(cells[upper * across + column]) * (size - down) + Int32(cells[lower * across + column]) * down
      }
      var left = blended(0)
      for x in 0..<min(half, count) { paper[x] = left / size }
      // From each cell's centre to the next one's.
      for column in 0..<across {
        let right = blended(min(across - 1, column + 1))
        let start = column * cell + half
        for step in 0..<max(0, min(cell, count - start)) {
          let along = Int32(truncatingIfNeeded: step)
          paper[start &+ step] = (left &* (size &- along) &+ right &* along) / (size &* size)
        }
        left = right
      }
    }
  }
}
