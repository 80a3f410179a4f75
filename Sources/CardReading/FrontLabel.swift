package import CardModel

/// The texts that a field's label has on one printing or another.
private func labels(_ field: FieldName) -> [String] {
  switch field {
  case .name: ["name"]
  case .fatherName: ["fathername", "fathersname", "husbandname", "husbandsname"]
  case .gender: ["gender"]
  case .country: ["countryofstay"]
  case .identityNumber: ["identitynumber"]
  case .dateOfBirth: ["dateofbirth"]
  case .dateOfIssue: ["dateofissue"]
  case .dateOfExpiry: ["dateofexpiry"]
  }
}

/// What a text read where a field's label should stand says of the place.
package enum LabelVerdict: Sendable, Equatable {
  /// The field's own label, up to a quarter of its letters misread (`Nane`, `GenUer`, `Date 0f Birth`).
  case own
  /// Another field's: what stands below is that field's value.
  case another(FieldName)
  /// Nothing that is a label. Labels wash out before values do, so this says little.
  case unread
}

/// - Parameter text: as a reader read it.
package func readLabel(_ text: String, at field: FieldName) -> LabelVerdict {
  let letters = text.lowercased().replacing("0", with: "o").filter { $0.isLetter }
  func distance(_ field: FieldName) -> Int? {
    let near = labels(field).map { (editDistance($0, letters), max(1, $0.count / 4)) }.filter { $0.0 <= $0.1 }
    return near.map(\.0).min()
  }
  let own = distance(field)
  let others = FieldName.allCases.compactMap { other in other == field ? nil : distance(other).map { (other, $0) } }
  guard let nearest = others.min(by: { $0.1 < $1.1 }), nearest.1 < own ?? Int.max else {
    return own == nil ? .unread : .own
  }
  return .another(nearest.0)
}

/// Whether a text is the field's label.
package func matchesLabel(_ text: String, _ field: FieldName) -> Bool { readLabel(text, at: field) == .own }
