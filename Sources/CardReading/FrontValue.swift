package import CardModel

/// A value of the front, read in the field's own form.
package enum FrontValue: Sendable, Equatable {
  case text(String)
  case number(IdentityNumber)
  case date(CardDate)
  /// In place of an expiry date.
  case lifetime
  case gender(Gender)
}

/// The text of a field as its value.
/// - Returns: `nil` where the text has not the field's shape. Nothing is repaired but what stands between digits, since a
///   dash or dot is read as nearly anything (facts/cards.md) while the digits say what they are.
package func parseFrontValue(_ text: String, field: FieldName) -> FrontValue? {
  let text = trimmed(text)
  switch field {
  case .name, .fatherName: return parseName(text).map { .text($0) }
  case .identityNumber: return parsePrintedNumber(text).map { .number($0) }
  case .dateOfBirth, .dateOfIssue: return parsePrintedDate(text).map { .date($0) }
  case .dateOfExpiry:
    if isLifetime(text) { return .lifetime }
    return parsePrintedDate(text).map { .date($0) }
  case .gender: return Gender(rawValue: text).map { .gender($0) }
  case .country: return CountryName(text).map { .text($0.printed) }
  }
}

private func trimmed(_ text: String) -> String {
  var scalars = Array(text.unicodeScalars)
  while let last = scalars.last, last == " " { scalars.removeLast() }
  return String(String.UnicodeScalarView(scalars.drop { $0 == " " }))
}

/// 13 digits with anything short between the fifth and sixth and before the last; first digit 1...8.
func parsePrintedNumber(_ text: String) -> IdentityNumber? {
  var digits: [Character] = []
  var separators: [Int] = []
  for character in text {
    if character.isASCII, character.isNumber {
      digits.append(character)
    } else if "-–—_:`.~ ".contains(character) {
      separators.append(digits.count)
    } else {
      return nil
    }
  }
  guard digits.count == 13, separators.allSatisfy({ $0 == 5 || $0 == 12 }), separators.count <= 4 else { return nil }
  guard let number = IdentityNumber(String(digits)), number.hasKnownRegion else { return nil }
  return number
}

/// Eight digits as two, two and four; one of the dots may be lost, and one read before the first digit (the cell's rule).
/// Only dates that exist.
func parsePrintedDate(_ text: String) -> CardDate? {
  var digits: [Character] = []
  var separators: [Int] = []
  for character in text {
    if character.isASCII, character.isNumber {
      digits.append(character)
    } else if ".,-_:/'` ".contains(character) {
      separators.append(digits.count)
    } else {
      return nil
    }
  }
  guard digits.count == 8, separators.allSatisfy({ $0 == 0 || $0 == 2 || $0 == 4 }),
    separators.contains(where: { $0 > 0 }), separators.count <= 4
  else { return nil }
  let d = digits.compactMap(\.wholeNumberValue)
  return CardDate(
    day: d[0] * 10 + d[1], month: d[2] * 10 + d[3], year: d[4] * 1000 + d[5] * 100 + d[6] * 10 + d[7])
}

/// The word that stands for an expiry date on cards that have none. A letter may be misread: no other word stands there.
func isLifetime(_ text: String) -> Bool {
  let letters = text.lowercased().filter { $0 != " " && $0 != "-" }
  return editDistance(letters, "lifetime") <= 1
}

/// A name: words of Latin letters, also `-`, `'` and `.` inside; at least two letters.
func parseName(_ text: String) -> String? {
  guard (2...70).contains(text.unicodeScalars.count), text.contains(where: \.isLetter) else { return nil }
  let words = text.split(separator: " ", omittingEmptySubsequences: false)
  for word in words {
    guard let first = word.unicodeScalars.first, isLatinLetter(first) else { return nil }
    guard word.unicodeScalars.allSatisfy({ isLatinLetter($0) || $0 == "-" || $0 == "'" || $0 == "." }) else {
      return nil
    }
    guard word.last != "-", word.last != "'" else { return nil }
  }
  guard text.unicodeScalars.filter(isLatinLetter).count >= 2 else { return nil }
  return text
}

private func isLatinLetter(_ scalar: Unicode.Scalar) -> Bool {
  (0x41...0x5A).contains(scalar.value) || (0x61...0x7A).contains(scalar.value)
}

/// Whether every word is written as names are: all capitals throughout, or each word a capital and small letters, with
/// small particles (`ur`, `bin`) between.
func hasRegularCase(_ name: String) -> Bool {
  let words = name.split { $0 == " " || $0 == "-" || $0 == "'" || $0 == "." }
  let isUpper = { (word: Substring) in word.allSatisfy(\.isUppercase) }
  if words.allSatisfy(isUpper) { return true }
  for (index, word) in words.enumerated() {
    guard word.dropFirst().allSatisfy(\.isLowercase) else { return false }
    if let first = word.first, first.isLowercase, index == 0 || word.count > 4 { return false }
  }
  return true
}

/// The number of letters to change, add or drop between two texts.
package func editDistance(_ a: some StringProtocol, _ b: some StringProtocol) -> Int {
  let a = Array(a.unicodeScalars)
  let b = Array(b.unicodeScalars)
  var row = Array(0...b.count)
  for (i, x) in a.enumerated() {
    var diagonal = row[0]
    row[0] = i + 1
    for (j, y) in b.enumerated() {
      let change = diagonal + (x == y ? 0 : 1)
      diagonal = row[j + 1]
      row[j + 1] = min(change, row[j + 1] + 1, row[j] + 1)
    }
  }
  return row[b.count]
}
