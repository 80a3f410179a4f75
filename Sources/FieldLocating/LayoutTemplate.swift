package import CardModel

/// A label printed on the front of a new card.
package enum LabelName: String, Sendable, CaseIterable {
  case name, fatherName, gender, country, identityNumber, dateOfBirth, dateOfIssue, dateOfExpiry

  /// Whether the value may run over two lines.
  var mayWrap: Bool { self == .name || self == .fatherName }

  /// A width that none of its wordings reaches, in its own capitals; `nil` where other print may stand beside it.
  /// *Source*: drawn cards in 55 typefaces: `Name` 2.7 to 4.2, `Husband's Name` up to 10.5.
  package var widestInCapitals: Double? {
    switch self {
    case .name: 6
    case .fatherName: 13
    default: nil
    }
  }

  /// The field whose value stands below the label.
  package var field: FieldName {
    switch self {
    case .name: .name
    case .fatherName: .fatherName
    case .gender: .gender
    case .country: .country
    case .identityNumber: .identityNumber
    case .dateOfBirth: .dateOfBirth
    case .dateOfIssue: .dateOfIssue
    case .dateOfExpiry: .dateOfExpiry
    }
  }
}

/// Where things stand on the front of a new card, in fractions of its width and height (facts/cards.md; good to about
/// 0.02, and printings differ by a few per cent, so it is a start for a fit, never a place to cut at).
enum LayoutTemplate {
  /// A row of labels with its values below, and where the cells of the row begin and must end.
  struct Row {
    let label: Double
    let value: Double
    let cells: [Cell]
  }
  struct Cell {
    let name: LabelName
    let left: Double
    let right: Double
  }

  static let rows: [Row] = [
    Row(label: 0.22, value: 0.26, cells: [Cell(name: .name, left: 0.28, right: 0.685)]),
    Row(label: 0.41, value: 0.46, cells: [Cell(name: .fatherName, left: 0.28, right: 0.685)]),
    Row(
      label: 0.61, value: 0.66,
      cells: [
        Cell(name: .gender, left: 0.285, right: 0.372), Cell(name: .country, left: 0.38, right: 0.685),
      ]),
    Row(
      label: 0.74, value: 0.79,
      cells: [
        Cell(name: .identityNumber, left: 0.28, right: 0.517), Cell(name: .dateOfBirth, left: 0.52, right: 0.712),
      ]),
    Row(
      label: 0.86, value: 0.91,
      cells: [
        Cell(name: .dateOfIssue, left: 0.28, right: 0.517), Cell(name: .dateOfExpiry, left: 0.52, right: 0.712),
      ]),
  ]

  /// The columns in which every row has text: right of the chip, left of the Urdu names.
  static let textLeft = 0.27
  static let textRight = 0.50

  /// The card's size for this module: values are then about 20 pixels tall, what the networks were trained on.
  static let width = 1012
  static let height = 638
  /// Usual heights of a label's and a value's capitals, in pixels at that size.
  static let labelCapital = 13.0
  static let valueCapital = 20.0
}

/// Where a cell's text begins on one card, and where it must have ended; pixels of the ink map.
struct CellBounds {
  var left: Double
  /// Whether what stands left of `left` cannot belong to the cell.
  var isSure: Bool
  var right: Double
  /// Whether the cell is of the first column, left of which no text stands.
  var isFirst = false

  init(left: Double, isSure: Bool, right: Double) {
    self.left = left
    self.isSure = isSure
    self.right = right
  }

  /// Where to begin to look for ink: an edge that is not sure may lie a little right of the first letter.
  func lookFrom(capital: Double) -> Int { Int(left - capital * (isSure ? 0.2 : 0.6)) }
}

/// What is printed alike on the front of every new card.
package enum FrontMark: Sendable, Equatable {
  /// The header's `PAKISTAN`, `National Identity Card` and `ISLAMIC REPUBLIC OF PAKISTAN`.
  case state, title, republic
  case label(FieldName)
  /// The value of a field, where its shape tells it.
  case value(FieldName)
}

/// Where a mark stands: the centre of its left end, in fractions of the card. *Source*: facts/cards.md; good to about 0.02.
package struct FrontAnchor: Sendable {
  package let mark: FrontMark
  package let place: FractionPoint

  package static let all: [FrontAnchor] =
    [
      FrontAnchor(mark: .state, place: FractionPoint(x: 0.23, y: 0.10)),
      FrontAnchor(mark: .title, place: FractionPoint(x: 0.49, y: 0.09)),
      FrontAnchor(mark: .republic, place: FractionPoint(x: 0.23, y: 0.17)),
    ]
    + LayoutTemplate.rows.flatMap { row in
      row.cells.map { cell in
        FrontAnchor(mark: .label(cell.name.field), place: FractionPoint(x: cell.left, y: row.label))
      }
    }
    + LayoutTemplate.rows.flatMap { row in
      row.cells.map { cell in
        FrontAnchor(mark: .value(cell.name.field), place: FractionPoint(x: cell.left, y: row.value))
      }
    }
}
