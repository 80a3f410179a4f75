package import CardModel

/// The words, in small letters, that a field's label has on one printing or another.
package func labelPhrases(_ field: FieldName) -> [[String]] {
  switch field {
  case .name: [["name"]]
  case .fatherName: [["father", "name"], ["fathers", "name"], ["husband", "name"], ["husbands", "name"]]
  case .gender: [["gender"]]
  case .country: [["country", "of", "stay"]]
  case .identityNumber: [["identity", "number"]]
  case .dateOfBirth: [["date", "of", "birth"]]
  case .dateOfIssue: [["date", "of", "issue"]]
  case .dateOfExpiry: [["date", "of", "expiry"]]
  }
}

/// What of a text counts where print is looked for: its letters, small, with a nought for the letter that it is read for, and an m for
/// the r and n that a blurred one is read as.
package func printedLetters(_ text: String) -> String {
  text.lowercased().replacing("0", with: "o").filter { $0.isLetter }.replacing("rn", with: "m")
}

/// What a text read where a field's label should stand says of the place.
package enum LabelVerdict: Sendable, Equatable {
  /// The field's own label, some of its letters misread (`Nane`, `GenUer`, `Date 0f Birth`).
  case own
  /// Another field's: what stands below is that field's value.
  case another(FieldName)
  /// Nothing that is a label. Labels wash out before values do, so this says little.
  case unread
  /// No label, but print that stands out as a value does: the value began a line above, or the layout was laid a row off.
  case text
}

/// How many letters of a label may be misread: a quarter of a short one, a third of a long one, which no other is near.
private func mostMisread(of letters: Int) -> Int { letters < 8 ? max(1, letters / 4) : letters * 3 / 10 }

/// - Parameter text: as a reader read it.
package func readLabel(_ text: String, at field: FieldName) -> LabelVerdict {
  let letters = printedLetters(text)
  func distance(_ field: FieldName) -> Int? {
    let distances = labelPhrases(field).map { words -> Int? in
      let label = words.joined()
      let misread = editDistance(label, letters)
      return misread <= mostMisread(of: label.count) ? misread : nil
    }
    return distances.compactMap(\.self).min()
  }
  let own = distance(field)
  let others = FieldName.allCases.compactMap { other in other == field ? nil : distance(other).map { (other, $0) } }
  guard let nearest = others.min(by: { $0.1 < $1.1 }), nearest.1 < own ?? Int.max else {
    return own == nil ? .unread : .own
  }
  return .another(nearest.0)
}
