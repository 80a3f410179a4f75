package import CardModel

/// A line as one reader read it.
package struct ReadText: Sendable, Equatable {
  package var text: String
  /// The reader's confidence of each symbol, 0...1; not calibrated.
  package var symbolConfidences: [Double]
  package init(_ text: String, symbolConfidences: [Double] = []) {
    self.text = text
    self.symbolConfidences = symbolConfidences
  }
}

/// What was seen of one line of a value: how readers read it, and what the picture says about the cut.
///
/// Lengths are in heights of a capital.
package struct ObservedLine: Sendable, Equatable {
  package var first: ReadText
  /// `nil` where no second reader was asked.
  package var second: ReadText?
  /// The first reader on another view of the line; `nil` where it was not asked.
  package var third: ReadText?
  /// What each network read on further views, where the readings above left a doubt; else empty.
  package var furtherFirst: [ReadText] = []
  package var furtherSecond: [ReadText] = []
  /// Widths of the gaps between columns of ink, any order.
  package var gaps: [Double]
  /// Gap to the next ink to the right and its width, 0 where there is none.
  package var gapRight: Double
  package var inkRight: Double
  /// Ink below the line at its left, relative to the line's own.
  package var inkBelow: Double
  /// Share of blown-out pixels in the line and beyond its right end.
  package var glareInside: Double
  package var glareRight: Double
  /// Darkness of ink against paper, 0...1.
  package var contrast: Double
  /// Darkness of the line's faintest part, and of what may be text right of it, 0...1.
  package var faintest: Double
  package var textRight: Double
  /// Whether ink stands close left of where the column begins: the line may have begun before.
  package var inkLeft: Bool
  /// Distance of the ink's left end from the column's left edge.
  package var offsetLeft: Double
  /// Width of the ink.
  package var width: Double

  package init(
    first: ReadText, second: ReadText? = nil, third: ReadText? = nil, gaps: [Double] = [], gapRight: Double = 0,
    inkRight: Double = 0,
    inkBelow: Double = 0, glareInside: Double = 0, glareRight: Double = 0, contrast: Double = 0.5,
    faintest: Double = 0.5, textRight: Double = 0, inkLeft: Bool = false,
    offsetLeft: Double = 0,
    width: Double = 0
  ) {
    self.first = first
    self.second = second
    self.third = third
    self.gaps = gaps
    self.gapRight = gapRight
    self.inkRight = inkRight
    self.inkBelow = inkBelow
    self.glareInside = glareInside
    self.glareRight = glareRight
    self.contrast = contrast
    self.faintest = faintest
    self.textRight = textRight
    self.inkLeft = inkLeft
    self.offsetLeft = offsetLeft
    self.width = width
  }
}

/// Everything seen of one field's value: its line, or the lines of a name that was wrapped.
package struct FieldObservation: Sendable, Equatable {
  package var field: FieldName
  package var lines: [ObservedLine]
  /// What was read where the field's label should stand.
  package var label: LabelVerdict
  package init(field: FieldName, lines: [ObservedLine], label: LabelVerdict = .unread) {
    self.field = field
    self.lines = lines
    self.label = label
  }

  /// The value as the first reader read it, lines joined by a space.
  package var firstText: String { lines.map(\.first.text).joined(separator: " ") }
  /// Whether the first readings left a doubt, so that it was read again in further views.
  package var isReadAgain: Bool { lines.contains { !$0.furtherFirst.isEmpty } }
  /// The value's text: as first read, or what most readings say where there are further ones.
  package var valueText: String {
    isReadAgain ? lines.map { LineVote($0, field: field).text }.joined(separator: " ") : firstText
  }
  /// Whether the first reader read every line alike in every view in which it read anything: a single narrow letter is
  /// sometimes nothing to it.
  package var isReadAlikeInAllViews: Bool {
    lines.allSatisfy { line in
      guard let third = line.third, !third.text.isEmpty else { return true }
      return third.text == line.first.text
    }
  }
  /// The same of the second reader; `nil` unless it read every line.
  package var secondText: String? {
    let texts = lines.compactMap(\.second?.text)
    return texts.count == lines.count ? texts.joined(separator: " ") : nil
  }
}
