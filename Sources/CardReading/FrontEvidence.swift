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
    "length", "lines", "crossCheck", "labelUnread", "dissentOfBoth", "dissentOfOne",
  ]

  /// For evidence that was written down.
  init(features: [Double], isContradicted: Bool) {
    self.features = features
    self.isContradicted = isContradicted
  }

  package init(_ observation: FieldObservation, value: FrontValue, crossCheck: CrossCheck) {
    let lines = observation.lines
    let votes = observation.isReadAgain ? lines.map { LineVote($0, field: observation.field) } : []
    func most(_ measure: (ObservedLine) -> Double) -> Double { lines.map(measure).max() ?? 0 }
    let texts = votes.isEmpty ? lines.map(\.first.text) : votes.map(\.text)
    let gaps = zip(lines, texts).map { Self.gaps($0, text: $1, words: Self.hasWords(observation.field)) }
    let agrees = votes.isEmpty ? Self.agrees(observation, value) : votes.allSatisfy(Self.isCarried)
    let isWholeCountry = Self.isWholeCountry(observation)
    isContradicted =
      !agrees || (crossCheck == .against && observation.field != .gender) || Self.isCutInDoubt(observation)
      || (!isWholeCountry
        && gaps.contains { $0.letter > $0.word || $0.letter > 0.45 || $0.word < 0.15 })
    let certainty = votes.isEmpty ? Self.certainty(lines) : Self.certainty(votes)
    features = [
      1,
      certainty.firstWorst,
      certainty.firstMean,
      certainty.secondWorst,
      agrees ? 0 : 1,
      isWholeCountry ? 0 : max(0, (gaps.map(\.letter).max() ?? 0) - 0.20) * 5,
      max(0, 0.35 - (gaps.map(\.word).min() ?? 1)) * 5,
      most(\.glareRight),
      most(\.glareInside),
      most { $0.inkRight > 0.1 && $0.gapRight > 0 && $0.gapRight < 3.5 ? 1 : 0 },
      min(1, lines.last?.inkBelow ?? 0),
      max(0, 0.4 - (lines.map(\.contrast).min() ?? 0)) * 5,
      Self.isIrregular(observation, value) ? 1 : 0,
      min(2, max(0, most { abs($0.offsetLeft) } - 0.3)),
      isWholeCountry ? 0 : max(0, most(\.textRight) - 0.06) * 10,
      max(0, 0.35 - (lines.map(\.faintest).min() ?? 0)) * 5,
      Self.hasWords(observation.field) ? max(0, (lines.flatMap(\.gaps).max() ?? 0) - 0.6) * 3 : 0,
      Double(observation.valueText.unicodeScalars.count) / 20,
      Double(lines.count - 1),
      crossCheck.rawValue,
      observation.label == .own ? 0 : 1,
      votes.map { min($0.firstDissent, $0.secondDissent) }.max() ?? 0,
      votes.map { max($0.firstDissent, $0.secondDissent) }.max() ?? 0,
    ]
  }

  private typealias Certainty = (firstWorst: Double, firstMean: Double, secondWorst: Double)

  private static func certainty(_ lines: [ObservedLine]) -> Certainty {
    let first = lines.flatMap(\.first.symbolConfidences)
    let second = lines.flatMap { $0.second?.symbolConfidences ?? [] }
    return (
      certainty(first.min() ?? 0), certainty(first.isEmpty ? 0 : first.reduce(0, +) / Double(first.count)),
      certainty(second.min() ?? 0)
    )
  }

  private static func certainty(_ votes: [LineVote]) -> Certainty {
    (
      votes.map { LineVote.worstCertainty($0.first) }.min() ?? 0,
      votes.map { LineVote.meanCertainty($0.first) }.min() ?? 0,
      votes.map { LineVote.worstCertainty($0.second) }.min() ?? 0
    )
  }

  /// Half of the readings say it, and neither network sees any part of it otherwise more often than not.
  private static func isCarried(_ vote: LineVote) -> Bool {
    !vote.isSpacingOpen && !vote.mayBeFootedL && vote.share >= 0.5 && vote.firstDissent <= 0.6
      && vote.secondDissent <= 0.6
  }

  /// What no further reading can mend: the line may be another field's, or only a part of the value.
  static func isCutInDoubt(_ observation: FieldObservation) -> Bool {
    let limit = isWholeCountry(observation) ? 1 : textRightLimit(observation.field)
    return isOfAnotherField(observation)
      || observation.lines.contains { $0.inkBelow > 0.5 || $0.inkLeft || $0.textRight > limit }
  }

  private static func isWholeCountry(_ observation: FieldObservation) -> Bool {
    observation.field == .country && CountryName(observation.valueText)?.isSurelyWhole == true
  }

  /// The label above says that the value is another field's, or is no label: the layout was laid a row off.
  private static func isOfAnotherField(_ observation: FieldObservation) -> Bool {
    switch observation.label {
    case .another, .text: true
    case .own, .unread: false
    }
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

  private static func gaps(_ line: ObservedLine, text: String, words: Bool) -> (letter: Double, word: Double) {
    words ? WordGaps(line.gaps).gaps(withSpaces: text.count { $0 == " " }) : (0, 1)
  }

  private static func isIrregular(_ observation: FieldObservation, _ value: FrontValue) -> Bool {
    switch value {
    case .text(let text):
      observation.field == .country ? CountryName(observation.valueText)?.isNear ?? true : !hasRegularCase(text)
    case .number(let number): observation.valueText != number.formatted
    case .date(let date): observation.valueText != date.formatted
    case .lifetime, .gender: false
    }
  }
}
