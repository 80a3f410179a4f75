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
  /// How far the card's lines fell, per column, before they were made level.
  private let slope: Double

  /// - Parameter card: the unwarped card, any size, ID-1 proportions.
  package init(_ card: Raster) {
    let plane = Plane(card, width: LayoutTemplate.width, height: LayoutTemplate.height)
    let asItIs = InkMap(plane)
    slope = Levelling.slope(of: asItIs)
    map = slope == 0 ? asItIs : InkMap(Levelling.levelled(plane, slope: slope))
    fit = LayoutFit(map)
    cutter = LineCutter(map: map)
  }

  /// How well the layout's rows lie on text, 0...1; all that is needed to tell a front from other faces.
  package var layoutFit: Double { fit.score }

  package func locate() -> LocatedFront {
    var lines: [LocatedLine] = []
    let capital = valueCapital()
    let columns = ColumnEdges(cutter: cutter, fit: fit, capital: capital)
    for (row, template) in LayoutTemplate.rows.enumerated() {
      for cell in template.cells {
        let bounds = bounds(of: cell, columns, at: fit.values[row], capital: capital)
        if let label = cutter.cut(
          .label(cell.name), near: fit.labels[row], capital: LayoutTemplate.labelCapital, bounds)
        {
          lines.append(label)
        }
        guard let value = cutter.cut(.value(cell.name.field), near: fit.values[row], capital: capital, bounds) else {
          continue
        }
        lines += cell.name.mayWrap ? cutter.withWrappedLine(value, capital: capital, bounds) : [value]
      }
    }
    return LocatedFront(fit: fit.score, lines: lines.map(onTheCard))
  }

  /// The line with its box where it stands on the card as it was given.
  private func onTheCard(_ line: LocatedLine) -> LocatedLine {
    var line = line
    let fromMiddle = line.box.x + line.box.width / 2 - 0.5
    line.box.y += slope * fromMiddle * Double(map.luma.width) / Double(map.luma.height)
    return line
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

  /// Where the text of a cell begins and must end whose value stands at height `y`.
  private func bounds(
    of cell: LayoutTemplate.Cell, _ columns: ColumnEdges, at y: Double, capital: Double
  ) -> CellBounds {
    let width = Double(map.luma.width)
    let place = { (x: Double) in columns.first.x(at: y) + (x - 0.28) * width * columns.stretch }
    // Between two columns stands at most a thin rule, close to the next column's edge.
    let margin = capital * 0.2
    func column(_ edge: ColumnEdges.Edge, right: Double) -> CellBounds {
      CellBounds(left: edge.x(at: y), isSure: edge.isSure, right: right)
    }
    func firstColumn(right: Double) -> CellBounds {
      var bounds = column(columns.first, right: right)
      bounds.isFirst = true
      return bounds
    }
    switch cell.name {
    case .name, .fatherName: return firstColumn(right: place(cell.right))
    case .gender: return CellBounds(left: place(cell.left), isSure: false, right: columns.country.x(at: y) - margin)
    case .country: return column(columns.country, right: place(cell.right))
    case .identityNumber, .dateOfIssue: return firstColumn(right: columns.second.x(at: y) - margin)
    case .dateOfBirth, .dateOfExpiry: return column(columns.second, right: place(cell.right))
    }
  }
}
