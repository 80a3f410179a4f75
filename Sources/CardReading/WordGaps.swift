/// The gaps between a line's letters, as what says how many words it has.
struct WordGaps {
  /// Widest first, in heights of a capital.
  private let widths: [Double]

  init(_ gaps: [Double]) { widths = gaps.sorted(by: >) }

  /// The widest gap that must be inside a word and the narrowest that must be between words, if a text's spaces are right: a
  /// line with two spaces has its two widest gaps between words.
  func gaps(withSpaces spaces: Int) -> (letter: Double, word: Double) {
    let word = spaces == 0 ? 1 : spaces <= widths.count ? widths[spaces - 1] : 0
    return (spaces < widths.count ? widths[spaces] : 0, word)
  }

  /// Of texts that differ in their spaces the one that the gaps bear out.
  /// - Returns: the text said most often where they bear out none or several, and that it is open; `nil` for no texts.
  func spaced(_ texts: [String]) -> (text: String, isOpen: Bool)? {
    let counts = texts.reduce(into: [String: Int]()) { $0[$1, default: 0] += 1 }
    let most = counts.values.max() ?? 0
    guard let first = texts.first(where: { counts[$0] == most }) else { return nil }
    guard counts.count > 1 else { return (first, false) }
    let borneOut = counts.keys.filter(bearsOut)
    return borneOut.count == 1 ? (borneOut[0], false) : (first, true)
  }

  /// No typeface measured had letters 0.18 of a capital apart where its words stood 0.3 apart.
  private func bearsOut(_ text: String) -> Bool {
    let spaces = text.count { $0 == " " }
    let gaps = gaps(withSpaces: spaces)
    return spaces == 0 ? gaps.letter < 0.18 : gaps.word >= 0.3 && gaps.word >= gaps.letter * 1.6
  }
}
