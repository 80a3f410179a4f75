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

/// Whether a text is the field's label, up to a quarter of its letters misread (`Nane`, `GenUer`, `Date 0f Birth`).
package func matchesLabel(_ text: String, _ field: FieldName) -> Bool {
  let letters = text.lowercased().replacing("0", with: "o").filter { $0.isLetter }
  return labels(field).contains { editDistance($0, letters) <= max(1, $0.count / 4) }
}
