import CardModel

private import Foundation

/// Whether other fields of the card speak for a value, against it, or not at all.
package enum CrossCheck: Double, Sendable { case against = -1, silent = 0, support = 1 }

/// What speaks for and against a value having been read right, as numbers that a logistic model weighs.
///
/// The same code makes the features that `Tools/calibration` fits on and that a run decides by.
package struct FrontEvidence: Sendable, Equatable {
  /// In the order of `names`.
  package let features: [Double]

  /// Whether something seen contradicts the value outright; no confidence outweighs it. The number's last digit is no such
  /// thing for the gender: exceptions exist (facts/cards.md).
  package let isContradicted: Bool

  package static let names = [
    "one", "firstWorst", "firstMean", "secondWorst", "disagree", "widestLetterGap", "narrowestWordGap", "glareRight",
    "glareInside", "inkRight", "inkBelow", "faint", "irregular", "offsetLeft", "textRight", "faintest", "wideWordGap",
    "length", "lines", "crossCheck", "labelUnread",
  ]

  package init(_ observation: FieldObservation, value: FrontValue, crossCheck: CrossCheck) {
    let lines = observation.lines
    let first = lines.flatMap(\.first.symbolConfidences)
    let second = lines.flatMap { $0.second?.symbolConfidences ?? [] }
    func most(_ measure: (ObservedLine) -> Double) -> Double { lines.map(measure).max() ?? 0 }
    let gaps = lines.map { Self.gaps($0, words: Self.hasWords(observation.field)) }
    let agrees = Self.agrees(observation, value)
    isContradicted =
      !agrees || (crossCheck == .against && observation.field != .gender) || Self.isOfAnotherField(observation)
      || lines.contains { $0.inkBelow > 0.5 || $0.inkLeft || $0.textRight > Self.textRightLimit(observation.field) }
      || gaps.contains { $0.letter > $0.word || $0.letter > 0.45 || $0.word < 0.15 }
    features = [
      1,
      Self.certainty(first.min() ?? 0),
      Self.certainty(first.isEmpty ? 0 : first.reduce(0, +) / Double(first.count)),
      Self.certainty(second.min() ?? 0),
      agrees ? 0 : 1,
      max(0, (gaps.map(\.letter).max() ?? 0) - 0.20) * 5,
      max(0, 0.35 - (gaps.map(\.word).min() ?? 1)) * 5,
      most(\.glareRight),
      most(\.glareInside),
      most { $0.inkRight > 0.1 && $0.gapRight > 0 && $0.gapRight < 3.5 ? 1 : 0 },
      min(1, lines.last?.inkBelow ?? 0),
      max(0, 0.4 - (lines.map(\.contrast).min() ?? 0)) * 5,
      Self.isIrregular(observation, value) ? 1 : 0,
      min(2, max(0, most { abs($0.offsetLeft) } - 0.3)),
      max(0, most(\.textRight) - 0.06) * 10,
      max(0, 0.35 - (lines.map(\.faintest).min() ?? 0)) * 5,
      Self.hasWords(observation.field) ? max(0, (lines.flatMap(\.gaps).max() ?? 0) - 0.6) * 3 : 0,
      Double(observation.firstText.unicodeScalars.count) / 20,
      Double(lines.count - 1),
      crossCheck.rawValue,
      observation.label == .own ? 0 : 1,
    ]
  }

  /// The label above says that the value is another field's: the layout was laid a row off.
  private static func isOfAnotherField(_ observation: FieldObservation) -> Bool {
    if case .another = observation.label { true } else { false }
  }

  /// Numbers and dates have all their digits or no value; names may go on unseen, and countries hardly ever do.
  private static func textRightLimit(_ field: FieldName) -> Double {
    switch field {
    case .name, .fatherName: 0.15
    case .country: 0.25
    default: 1
    }
  }

  /// 0 for no confidence; 1, 2, 3, 4 for one doubt in 10, 100, 1000, 10000.
  static func certainty(_ confidence: Double) -> Double { -log10(max(0.0001, 1 - confidence)) }

  private static func hasWords(_ field: FieldName) -> Bool {
    field == .name || field == .fatherName || field == .country
  }

  /// Whether the second reader read the same value. Values count, not texts: a comma for a dot between digits is no doubt.
  private static func agrees(_ observation: FieldObservation, _ value: FrontValue) -> Bool {
    guard let text = observation.secondText, observation.isReadAlikeInAllViews else { return false }
    return parseFrontValue(text, field: observation.field) == value
  }

  /// The widest gap that must be inside a word and the narrowest that must be between words, if the spaces in the text are
  /// right: a line with two spaces has its two widest gaps between words.
  private static func gaps(_ line: ObservedLine, words: Bool) -> (letter: Double, word: Double) {
    guard words else { return (0, 1) }
    let spaces = line.first.text.filter { $0 == " " }.count
    let sorted = line.gaps.sorted(by: >)
    let word = spaces == 0 ? 1 : spaces <= sorted.count ? sorted[spaces - 1] : 0
    let letter = spaces < sorted.count ? sorted[spaces] : 0
    return (letter, word)
  }

  private static func isIrregular(_ observation: FieldObservation, _ value: FrontValue) -> Bool {
    switch value {
    case .text(let text):
      observation.field == .country ? CountryName(observation.firstText)?.isNear ?? true : !hasRegularCase(text)
    case .number(let number): observation.firstText != number.formatted
    case .date(let date): observation.firstText != date.formatted
    case .lifetime, .gender: false
    }
  }
}
