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
    var rows = [UInt16](repeating: 0, count: width * height)
    var out = [UInt8](repeating: 0, count: width * height)
    plane.values.withUnsafeBufferPointer { source in
      rows.withUnsafeMutableBufferPointer { rows in
        for y in 0..<height {
          let line = y * width
          for x in 0..<width {
            let left = UInt16(source[line + max(0, x - 1)])
            let right = UInt16(source[line + min(width - 1, x + 1)])
            rows[line + x] = left + right + 2 * UInt16(source[line + x])
          }
        }
        out.withUnsafeMutableBufferPointer { out in
          for y in 0..<height {
            let above = max(0, y - 1) * width
            let line = y * width
            let below = min(height - 1, y + 1) * width
            for x in 0..<width {
              out[line + x] = UInt8(
                truncatingIfNeeded: (rows[above + x] + rows[below + x] + 2 * rows[line + x] + 8) >> 4)
            }
          }
        }
      }
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
        for y in 0..<plane.height {
          let line = y * plane.width
          let row = (y / cell) * columns
          for x in 0..<plane.width {
            let index = row + x / cell
            if source[line + x] > lightest[index] { lightest[index] = source[line + x] }
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
          for y in 0..<height {
            interpolate(background, row: y, into: &paper)
            let line = y * width
            for x in 0..<width {
              let share = shares[Int(paper[x])]
              let value = (Int32(source[line + x]) &* share) >> 16
              ink[line + x] = UInt8(truncatingIfNeeded: max(0, 255 &- value))
              let step = Int32(source[line + min(width - 1, x + 1)]) - Int32(source[line + max(0, x - 1)])
              strokes[line + x] = UInt8(truncatingIfNeeded: min(255, (abs(step) &* share) >> 16))
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
  private static func interpolate(_ background: Plane, row: Int, into paper: inout [Int32]) {
    let half = cell / 2
    let across = background.width
    let y = max(0, min((background.height - 1) * cell, row - half))
    let upper = y / cell
    let lower = min(background.height - 1, upper + 1)
    let down = Int32(y % cell)
    background.values.withUnsafeBufferPointer { cells in
      for x in paper.indices {
        let position = max(0, min((across - 1) * cell, x - half))
        let left = position / cell
        let right = min(across - 1, left + 1)
        let along = Int32(position % cell)
        let size = Int32(cell)
        let top = Int32(cells[upper * across + left]) * (size - along) + Int32(cells[upper * across + right]) * along
        let bottom = Int32(cells[lower * across + left]) * (size - along) + Int32(cells[lower * across + right]) * along
        paper[x] = (top * (size - down) + bottom * down) / (size * size)
      }
    }
  }
}
