import CardModel

/// What the readings of one line say together, where the first ones left a doubt and it was read again.
///
/// One of few readings that errs must not withhold a value, and a value that many readings see otherwise must not be said.
struct LineVote {
  /// What most readings say; of as many the one that was read first.
  let text: String
  /// Share 0...1 of all readings that say its letters.
  let share: Double
  /// Whether readings differ on where its words end and the gaps between its letters do not say which are right.
  let isSpacingOpen: Bool
  /// Whether what most readings say is a t, and some an l.
  let mayBeFootedL: Bool
  /// Share of each network's readings that differ from it at the place where most of them do. Readings that err by accident
  /// err in many places; what a network sees otherwise it sees otherwise at one.
  let firstDissent: Double
  let secondDissent: Double
  /// Each network's readings that say it.
  let first: [ReadText]
  let second: [ReadText]

  init(_ line: ObservedLine, field: FieldName) {
    let first = Self.readings([line.first] + [line.third].compactMap(\.self) + line.furtherFirst, of: field)
    let second = Self.readings([line.second].compactMap(\.self) + line.furtherSecond, of: field)
    let said = first + second
    let counts = said.reduce(into: [String: Int]()) { $0[$1.letters, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    let letters = said.first { counts[$0.letters] == most }?.letters ?? ""
    let spaced = WordGaps(line.gaps).spaced(said.filter { $0.letters == letters }.map(\.value))
    text = spaced?.text ?? ""
    isSpacingOpen = spaced?.isOpen ?? false
    mayBeFootedL = Self.mayBeFootedL(letters, said)
    share = Double(most) / Double(max(1, said.count))
    firstDissent = Self.dissent(first, from: letters)
    secondDissent = Self.dissent(second, from: letters)
    self.first = first.filter { $0.letters == letters }.map(\.read)
    self.second = second.filter { $0.letters == letters }.map(\.read)
  }

  /// Of words the letters are voted on alone: where one ends and the next begins is seen better than read.
  private typealias Reading = (value: String, letters: String, read: ReadText)

  /// A narrow letter alone is often nothing to a network: that says nothing of what it is.
  private static func readings(_ texts: [ReadText], of field: FieldName) -> [Reading] {
    texts.filter { !$0.text.isEmpty }.map { read in
      let value = parseFrontValue(read.text, field: field)
      let text = value.map { comparable($0, of: field) } ?? digitsOnly(read.text, field) ?? read.text
      return (text, field == .name || field == .fatherName ? text.filter { $0 != " " } : text, read)
    }
  }

  /// A number by its digits, whatever stands between which of them: a speck is read as a dot anywhere.
  private static func digitsOnly(_ text: String, _ field: FieldName) -> String? {
    guard field == .identityNumber, text.allSatisfy({ $0.isASCII && !$0.isLetter }) else { return nil }
    return IdentityNumber(text.filter(\.isNumber))?.formatted
  }

  /// An l with a foot is read as a t in many views, a t hardly ever as an l: of names whose readings differ there, all those
  /// seen had an l (Models/README.md).
  private static func mayBeFootedL(_ letters: String, _ readings: [Reading]) -> Bool {
    let said = Array(letters)
    return said.indices.contains { place in
      said[place] == "t"
        && readings.count { reading in
          let other = Array(reading.letters)
          return other.count == said.count && other[place] == "l"
        } >= 2
    }
  }

  /// 1 where a network read nothing at all.
  private static func dissent(_ readings: [Reading], from letters: String) -> Double {
    guard !readings.isEmpty else { return 1 }
    var counts: [Int: Int] = [:]
    for reading in readings where reading.letters != letters {
      for place in placesOfDifference(letters, reading.letters) { counts[place, default: 0] += 1 }
    }
    return Double(counts.values.max() ?? 0) / Double(readings.count)
  }

  /// How sure a network is of the symbol that it doubts most, in the mean of its readings that say so.
  static func worstCertainty(_ readings: [ReadText]) -> Double {
    mean(readings.map { FrontEvidence.certainty($0.symbolConfidences.min() ?? 0) })
  }

  static func meanCertainty(_ readings: [ReadText]) -> Double {
    mean(readings.map { FrontEvidence.certainty(mean($0.symbolConfidences)) })
  }

  private static func mean(_ values: [Double]) -> Double {
    values.isEmpty ? 0 : values.reduce(0, +) / Double(values.count)
  }

  /// Values are held against each other, not texts: a comma for a dot between digits is another text and the same date.
  private static func comparable(_ value: FrontValue, of field: FieldName) -> String {
    switch value {
    case .number(let number): number.formatted
    case .date(let date): date.formatted
    case .lifetime: "Lifetime"
    case .gender(let gender): gender.rawValue
    case .text(let text): field == .country ? text : withLettersOfTheCase(text)
    }
  }

  /// A capital I and a small l are one stroke in most typefaces, and an l with a foot is read as a capital L: where all other
  /// letters of a name say which of them a word's case wants, it is that.
  static func withLettersOfTheCase(_ name: String) -> String {
    let words = name.split(separator: " ", omittingEmptySubsequences: false)
    return words.map { word in
      let parts = word.split(separator: "-", omittingEmptySubsequences: false)
      return parts.map { withLettersOfTheCase(word: $0) }.joined(separator: "-")
    }.joined(separator: " ")
  }

  private static func withLettersOfTheCase(word: Substring) -> String {
    let letters = Array(word)
    let others = letters.dropFirst().filter { !strokes.contains($0) }
    // Capitals throughout keep their I; a word of these letters alone has no case to go by.
    guard letters.count > 2, !others.isEmpty, others.allSatisfy(\.isLowercase) else { return String(word) }
    return String(letters[0] == "l" ? "I" : letters[0])
      + String(letters.dropFirst().map { strokes.contains($0) ? "l" : $0 })
  }

  private static let strokes: Set<Character> = ["I", "l", "L"]
}
