package import CardModel

/// A line of text cut out of a card, with what its surroundings say about the cut.
package struct LocatedLine: Sendable, Equatable {
  package enum Role: Sendable, Equatable {
    case label(LabelName)
    /// A value's first line, or a further line of a name that was wrapped.
    case value(FieldName)

    /// Whether a value of any length may stand there.
    var isOfWords: Bool {
      switch self {
      case .value(.name), .value(.fatherName), .value(.country): true
      default: false
      }
    }
  }
  package var role: Role
  /// Grey, tight to the ink: capitals about half its height, 7 pixels of paper left and right.
  package var image: Raster
  /// The same ink cut closer and a little stretched: what is read alike in both views is no accident of the cut.
  package var secondView: Raster
  /// Where the ink stands, in fractions of the card.
  package var box: FractionBox
  package var evidence: CutEvidence
}

/// What can be seen of a cut without reading it. Lengths are in heights of a capital.
package struct CutEvidence: Sendable, Equatable {
  /// Height of a capital in pixels of the located card.
  package var capitalPixels: Double = 0
  /// Width of the ink.
  package var width: Double = 0
  /// Widths of the gaps between columns of ink inside the cut, left to right, each with its middle (0...1 of the ink's width).
  package var gaps: [InkGap] = []
  /// Gap to the next ink right of the cut and how wide that ink is (both 0 where there is none up to the cell's end).
  package var gapRight: Double = 0
  package var inkRight: Double = 0
  /// Strokes just below the line at its left end, as a share of the line's own: what is left of a line not cut.
  package var inkBelow: Double = 0
  /// Share of blown-out pixels inside the cut, and within six capitals right of it.
  package var glareInside: Double = 0
  package var glareRight: Double = 0
  /// Darkness of the ink against its paper, 0...1.
  package var contrast: Double = 0
  /// Darkness of the faintest part of the line, 0...1.
  package var faintest: Double = 0
  /// Darkness of what may be text right of the cut, within four capitals and the cell, 0...1; 1 where the ink of words runs to
  /// the cell's end.
  package var textRight: Double = 0
  /// Whether ink stands left of where the column begins, nearer than a word's end: the line may have begun there.
  package var inkLeft = false
  /// Distance of the ink's left end from where the column of values begins.
  package var offsetLeft: Double = 0
  package init() {}
}

/// A gap between two columns of ink.
package struct InkGap: Sendable, Equatable {
  package var middle: Double
  package var width: Double
  package init(middle: Double, width: Double) {
    self.middle = middle
    self.width = width
  }
}
