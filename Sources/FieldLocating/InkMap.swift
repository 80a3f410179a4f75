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
    let spread = filtered(lightest, columns: columns, rows: rows, radius: 1) { values in values.max() ?? 255 }
    let smooth = filtered(spread, columns: columns, rows: rows, radius: 2) { values in
      UInt8(values.reduce(0) { $0 + Int($1) } / max(1, values.count))
    }
    return Plane(width: columns, height: rows, values: smooth)
  }

  private static func filtered(
    _ values: [UInt8], columns: Int, rows: Int, radius: Int, _ combine: ([UInt8]) -> UInt8
  ) -> [UInt8] {
    func pass(_ values: [UInt8], horizontal: Bool) -> [UInt8] {
      var out = values
      var window: [UInt8] = []
      for y in 0..<rows {
        for x in 0..<columns {
          window.removeAll(keepingCapacity: true)
          for step in -radius...radius {
            let column = horizontal ? min(columns - 1, max(0, x + step)) : x
            let row = horizontal ? y : min(rows - 1, max(0, y + step))
            window.append(values[row * columns + column])
          }
          out[y * columns + x] = combine(window)
        }
      }
      return out
    }
    return pass(pass(values, horizontal: true), horizontal: false)
  }

  private static func divided(_ soft: Plane, by background: Plane) -> (ink: Plane, strokes: Plane) {
    let width = soft.width
    let height = soft.height
    var ink = [UInt8](repeating: 0, count: width * height)
    var strokes = [UInt8](repeating: 0, count: width * height)
    var paper = [Int32](repeating: 0, count: width)
    soft.values.withUnsafeBufferPointer { source in
      ink.withUnsafeMutableBufferPointer { ink in
        strokes.withUnsafeMutableBufferPointer { strokes in
          for y in 0..<height {
            interpolate(background, row: y, into: &paper)
            let line = y * width
            for x in 0..<width {
              let value = Int32(source[line + x])
              let light = max(1, paper[x])
              ink[line + x] = UInt8(truncatingIfNeeded: max(0, min(255, 255 - 255 * value / light)))
              let step = Int32(source[line + min(width - 1, x + 1)]) - Int32(source[line + max(0, x - 1)])
              strokes[line + x] = UInt8(truncatingIfNeeded: min(255, 255 * abs(step) / light))
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
