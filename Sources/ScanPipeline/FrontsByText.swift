internal import CardModel
private import CardReading
private import FieldLocating
private import Foundation

/// Finds fronts of new cards by what is printed on them, where no outline shows: a white card on white paper, a copy whose light
/// grey is gone, a scan that ends at the card.
///
/// The header, the labels and the values stand in known places of the card, so four of them that are read tell where the card lies. They
/// are looked for on the page in each of the four quarter turns; a pose is a scale, a turn of a few degrees and a shift.
struct FrontsByText {
  let text: any TextRecognising

  /// The fewest phrases of one card that make a pose.
  static let leastAnchors = 4

  /// Reads the page in each quarter turn until fronts are seen: new ones by their phrases, or an old one by its number.
  func find(on page: Raster) -> PrintedFronts {
    let old = OldFrontByNumber(text: text)
    var turned = page
    for quarters in 0..<4 {
      if quarters > 0 { turned = turned.turnedByQuarter() }
      let lines = text.recognisePage(turned)
      let size = CardPose.Size(width: Double(turned.width), height: Double(turned.height))
      let poses = CardPose.poses(of: Self.sightings(in: lines), on: size)
      guard poses.isEmpty else {
        return PrintedFronts(
          new: poses.map { pose in pose.corners.map { Self.turnedBack(fraction($0, of: size), quarters) } })
      }
      if old.isOldFront(lines, on: turned) { return PrintedFronts(oldsTurn: quarters) }
    }
    return PrintedFronts()
  }

  private func fraction(_ point: PagePoint, of size: CardPose.Size) -> FractionPoint {
    FractionPoint(x: point.x / size.width, y: point.y / size.height)
  }

  /// The place on the page of one on the page turned clockwise by quarter turns.
  static func turnedBack(_ point: FractionPoint, _ quarters: Int) -> FractionPoint {
    (0..<quarters).reduce(point) { point, _ in FractionPoint(x: point.y, y: 1 - point.x) }
  }

  // MARK: Sightings

  /// Where phrases and values of the card stand among the lines read on a page. Labels wash out before values do; a date may be any of a
  /// card's three, and is seen as each.
  static func sightings(in lines: [RecognisedLine]) -> [AnchorSighting] {
    phrases(in: lines)
      + lines.flatMap(words).flatMap { word in
        values.filter { shows($0.field, word.text) }.map {
          AnchorSighting(anchor: $0.anchor, place: $0.place, at: word.leftEnd)
        }
      }
  }

  /// The header's and the labels' phrases alone.
  static func phrases(in lines: [RecognisedLine]) -> [AnchorSighting] {
    lines.flatMap { line -> [AnchorSighting] in
      let words = words(of: line).filter { !$0.letters.isEmpty }
      var found: [AnchorSighting] = []
      var taken = Set<Int>()
      // Longer phrases first: `Name` is also the end of `Father Name`.
      for (index, anchor, phrase) in phrases {
        for start in words.indices where start + phrase.count <= words.count {
          let range = start..<(start + phrase.count)
          guard taken.isDisjoint(with: range), matches(words[range].map(\.letters), phrase) else { continue }
          taken.formUnion(range)
          found.append(AnchorSighting(anchor: index, place: anchor, at: words[start].leftEnd))
        }
      }
      return found
    }
  }

  private static let phrases: [(Int, FractionPoint, [String])] = FrontAnchor.all.enumerated()
    .flatMap { index, anchor in phrases(of: anchor.mark).map { (index, anchor.place, $0) } }
    .sorted { $0.2.count > $1.2.count }

  private static func phrases(of mark: FrontMark) -> [[String]] {
    switch mark {
    case .state: [["pakistan"]]
    case .title: [["national", "identity", "card"]]
    case .republic: [["islamic", "republic", "of", "pakistan"]]
    case .label(let field): labelPhrases(field)
    case .value: []
    }
  }

  private static let values: [(anchor: Int, place: FractionPoint, field: FieldName)] = FrontAnchor.all.enumerated()
    .compactMap { index, anchor in
      if case .value(let field) = anchor.mark { (index, anchor.place, field) } else { nil }
    }

  /// Whether a word has a value's shape, some of its digits misread; or is the country that nearly all cards say.
  private static func shows(_ field: FieldName, _ word: String) -> Bool {
    let text = Array(word)
    let digits = text.count(where: \.isNumber)
    switch field {
    case .identityNumber:
      return (14...16).contains(text.count) && digits >= 9 && text.count > 13 && (text[5] == "-" || text[13] == "-")
    case .dateOfBirth, .dateOfIssue, .dateOfExpiry:
      return text.count == 10 && digits >= 6 && text[2] == "." && text[5] == "."
    case .country: return matches([printedLetters(word)], ["pakistan"])
    case .name, .fatherName, .gender: return false
    }
  }

  private struct Word {
    var text: String
    /// In lower case, what else it holds left out.
    var letters: String
    var leftEnd: PagePoint
  }

  private static func words(of line: RecognisedLine) -> [Word] {
    var words: [Word] = []
    var symbols = line.symbols[...]
    for word in line.text.split(separator: " ") {
      var text = ""
      guard let first = symbols.first else { break }
      while text.count < word.count, let symbol = symbols.popFirst() { text += symbol.text }
      words.append(
        Word(
          text: text, letters: printedLetters(text),
          leftEnd: PagePoint(x: Double(first.left), y: Double(first.middle))))
    }
    return words
  }

  /// Word for word, up to a quarter of the letters misread.
  private static func matches(_ words: [String], _ phrase: [String]) -> Bool {
    zip(words, phrase).allSatisfy { word, wanted in
      wanted.count <= 3 ? word == wanted : editDistance(word, wanted) <= wanted.count / 4
    }
  }
}
