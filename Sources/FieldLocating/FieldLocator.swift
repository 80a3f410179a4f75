// FieldLocating: finds the lines of text on the front of a new card and cuts each tightly to its ink. Pure arithmetic on
// pixels. Its limits: it expects an upright, unwarped card and a layout within a few per cent of facts/cards.md.

package import CardModel

/// What was found on a card taken as the upright front of a new one.
package struct LocatedFront: Sendable {
  /// How well the layout's rows lie on text, 0...1.
  package var fit: Double
  /// Labels and values, rows from the top, cells from the left; a wrapped name's lines follow each other.
  package var lines: [LocatedLine]
}

/// Locates the lines of a new card's front.
package struct FieldLocator {
  private let map: InkMap
  private let fit: LayoutFit
  private let cutter: LineCutter

  /// - Parameter card: the unwarped card, any size, ID-1 proportions.
  package init(_ card: Raster) {
    map = InkMap(Plane(card, width: LayoutTemplate.width, height: LayoutTemplate.height))
    fit = LayoutFit(map)
    cutter = LineCutter(map: map)
  }

  /// How well the layout's rows lie on text, 0...1; all that is needed to tell a front from other faces.
  package var layoutFit: Double { fit.score }

  package func locate() -> LocatedFront {
    var lines: [LocatedLine] = []
    let capital = valueCapital()
    let left = leftShift(capital: capital)
    for (row, template) in LayoutTemplate.rows.enumerated() {
      for cell in template.cells {
        let x0 = cell.left * Double(map.luma.width) + left
        let x1 = min(Double(map.luma.width), cell.right * Double(map.luma.width) + left)
        if let label = cut(
          .label(cell.name), near: fit.labels[row], capital: LayoutTemplate.labelCapital, x0, x1)
        {
          lines.append(label)
        }
        guard let value = cut(.value(cell.name.field), near: fit.values[row], capital: capital, x0, x1) else {
          continue
        }
        lines += cell.name.mayWrap ? cutter.withWrappedLine(value, capital: capital, left: x0, right: x1) : [value]
      }
    }
    return LocatedFront(fit: fit.score, lines: lines)
  }

  /// The height of a value's capitals on this card: numbers and dates are as tall as capitals throughout.
  private func valueCapital() -> Double {
    let width = Double(map.luma.width)
    let heights = [(3, 0.28, 0.45), (3, 0.52, 0.62), (4, 0.28, 0.38), (4, 0.52, 0.62)].compactMap { row, x0, x1 in
      cutter.band(
        near: fit.values[row], capital: LayoutTemplate.valueCapital, from: Int(x0 * width), to: Int(x1 * width)
      )
      .map { Double($0.capital) }
    }
    guard !heights.isEmpty else { return LayoutTemplate.valueCapital }
    return min(27, max(14, heights.sorted()[heights.count / 2]))
  }

  /// How far the column of values lies from the template's: the median of the rows' first ink.
  private func leftShift(capital: Double) -> Double {
    let width = Double(map.luma.width)
    let reach = 0.03 * width
    var shifts: [Double] = []
    for (row, template) in LayoutTemplate.rows.enumerated() {
      for cell in template.cells {
        let x0 = cell.left * width
        guard
          let band = cutter.band(
            near: fit.values[row], capital: capital, from: Int(x0), to: Int(x0 + capital * 4))
        else { continue }
        let columns = cutter.columns(band, from: Int(x0 - reach), to: Int(x0 + reach))
        if let first = columns.isInk.firstIndex(of: true) { shifts.append(Double(columns.first + first) - x0) }
      }
    }
    guard !shifts.isEmpty else { return 0 }
    return shifts.sorted()[shifts.count / 2]
  }

  private func cut(
    _ role: LocatedLine.Role, near centre: Double, capital: Double, _ x0: Double, _ x1: Double
  ) -> LocatedLine? {
    cutter.cut(role, near: centre, capital: capital, left: x0, right: x1)
  }
}
