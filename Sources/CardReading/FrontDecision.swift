package import CardModel

/// What is said of a front: the values that are sure enough, each with its calibrated probability.
package struct FrontDecision: Sendable, Equatable {
  package var data = ExtractedData()
  package var confidence: [FieldName: Double] = [:]
  package var lifetime: Bool?
}

/// Decides which values to emit. A wrong value is far worse than a missing one: what falls short of the field's threshold is
/// left out, and a value is never changed toward the barcode's number.
/// - Parameter barcodeNumber: agreement speaks for the printed number; disagreement says nothing against it, since a back of
///   another card is exactly what must be noticed.
package func decideFront(_ observations: [FieldObservation], barcodeNumber: IdentityNumber?) -> FrontDecision {
  let values = frontValues(observations)
  var decision = FrontDecision()
  for observation in observations {
    guard let value = values[observation.field] else { continue }
    let check = crossCheck(observation.field, values, barcodeNumber)
    let evidence = FrontEvidence(observation, value: value, crossCheck: check)
    let model = FrontCalibration.model(observation.field, isReadAgain: observation.isReadAgain)
    let probability = model.probability(evidence)
    guard !evidence.isContradicted, probability >= model.threshold else { continue }
    decision.accept(value, of: observation.field, probability)
  }
  return decision
}

/// The values as read, before anything is decided.
package func frontValues(_ observations: [FieldObservation]) -> [FieldName: FrontValue] {
  observations.reduce(into: [:]) { $0[$1.field] = parseFrontValue($1.valueText, field: $1.field) }
}

/// The fields whose first readings left a doubt that further ones may settle: they differ, have not the field's shape, or are
/// not sure enough. Reading costs most of a front's time, so nothing else is read again.
package func fieldsToReadAgain(_ observations: [FieldObservation]) -> Set<FieldName> {
  let values = frontValues(observations)
  return Set(
    observations.filter { observation in
      guard !FrontEvidence.isCutInDoubt(observation), observation.lines.contains(where: \.isReadAtAll) else {
        return false
      }
      guard let value = values[observation.field] else { return true }
      let evidence = FrontEvidence(
        observation, value: value, crossCheck: crossCheck(observation.field, values, nil))
      let model = FrontCalibration.model(observation.field, isReadAgain: false)
      return evidence.isContradicted || model.probability(evidence) < model.threshold
        || isUnsupportedDate(observation, values)
    }.map(\.field))
}

/// A date that no other date speaks for, in print so poor that its label was not read. There a 6 and an 8 may look alike to both
/// networks, and each be sure.
private func isUnsupportedDate(_ observation: FieldObservation, _ values: [FieldName: FrontValue]) -> Bool {
  guard [.dateOfBirth, .dateOfIssue, .dateOfExpiry].contains(observation.field), observation.label == .unread,
    case .date? = values[observation.field]
  else { return false }
  return crossCheck(observation.field, values, nil) != .support
}

extension ObservedLine {
  fileprivate var isReadAtAll: Bool { [first, second, third].contains { $0?.text.isEmpty == false } }
}

extension FrontDecision {
  fileprivate mutating func accept(_ value: FrontValue, of field: FieldName, _ probability: Double) {
    switch (field, value) {
    case (.name, .text(let text)): data.name = text
    case (.fatherName, .text(let text)): data.fatherName = text
    case (.country, .text(let text)): data.country = text
    case (.identityNumber, .number(let number)): data.identityNumber = number
    case (.dateOfBirth, .date(let date)): data.dateOfBirth = date
    case (.dateOfIssue, .date(let date)): data.dateOfIssue = date
    case (.dateOfExpiry, .date(let date)):
      data.dateOfExpiry = date
      lifetime = false
    case (.dateOfExpiry, .lifetime):
      lifetime = true
      return
    case (.gender, .gender(let gender)): data.gender = gender
    default: return
    }
    confidence[field] = probability
  }
}

/// How the other fields speak for a value.
package func crossCheck(
  _ field: FieldName, _ values: [FieldName: FrontValue], _ barcodeNumber: IdentityNumber?
) -> CrossCheck {
  switch field {
  case .dateOfBirth, .dateOfIssue, .dateOfExpiry: return dateCheck(field, values)
  case .gender:
    guard case .gender(let gender)? = values[.gender], case .number(let number)? = values[.identityNumber],
      gender != .other
    else { return .silent }
    return (number.lastDigit % 2 == 1) == (gender == .male) ? .support : .against
  case .identityNumber:
    guard case .number(let number)? = values[.identityNumber], let barcodeNumber else { return .silent }
    return number == barcodeNumber ? .support : .silent
  case .name, .fatherName, .country: return .silent
  }
}

/// In years. *Source*: facts/cards.md: others exist, and speak neither for nor against a date.
private let usualValidities: Set = [5, 7, 10, 15]

/// Birth before issue before expiry, and spans that a card can have.
private func dateCheck(_ field: FieldName, _ values: [FieldName: FrontValue]) -> CrossCheck {
  func date(_ field: FieldName) -> CardDate? {
    if case .date(let date)? = values[field] { date } else { nil }
  }
  let birth = date(.dateOfBirth)
  let issue = date(.dateOfIssue)
  let expiry = date(.dateOfExpiry)
  if let issue, issue.year < 2000 || issue.year > 2099 { return field == .dateOfBirth ? .silent : .against }
  if let birth, let issue, birth >= issue || issue.year - birth.year > 110 {
    return field == .dateOfExpiry ? .silent : .against
  }
  if let issue, let expiry {
    guard issue < expiry, expiry.year - issue.year <= 30 else { return field == .dateOfBirth ? .silent : .against }
    // Most validities are whole years, to the day or the day before; the same day and month say that both were read right, and a
    // usual number of years that the years were.
    let sameDay = issue.month == expiry.month && abs(issue.day - expiry.day) <= 1
    let isUsual = sameDay && usualValidities.contains(expiry.year - issue.year)
    return isUsual && field != .dateOfBirth ? .support : .silent
  }
  if let birth, let expiry, birth >= expiry { return field == .dateOfIssue ? .silent : .against }
  return .silent
}
