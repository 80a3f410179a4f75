package import CardModel

/// The checks that follow from a pair's values alone. Each is `notPerformed` where a value it needs is absent.
///
/// - Parameter asOf: the day on which validity is asked for; `nil` leaves `notExpired` unperformed, since a clock must
///   not shape a record.
/// - Parameter lifetime: a card without an expiry date is not expired on any day.
package func checkRecord(
  data: ExtractedData, barcode: BarcodeReading?, lifetime: Bool?, asOf: CardDate?
) -> [Check: CheckResult] {
  let number = barcode?.identityNumber
  var checks: [Check: CheckResult] = [:]
  checks[.printedNumberMatchesBarcode] = result(of: data.identityNumber, number) { $0 == $1 }
  checks[.genderMatchesNumber] = genderCheck(data.gender, number ?? data.identityNumber)
  checks[.dateOrder] = dateOrderCheck(data)
  checks[.notExpired] =
    lifetime == true && asOf != nil ? .pass : result(of: data.dateOfExpiry, asOf) { expiry, day in expiry >= day }
  checks[.numberFormat] = result(of: number ?? data.identityNumber, true) { value, _ in value.hasKnownRegion }
  checks[.barcodeBirthDateMatches] = result(
    of: data.dateOfBirth, barcode?.fields["dateOfBirth"].flatMap { CardDate($0) }
  ) { $0 == $1 }
  return checks
}

private func result<A, B>(of a: A?, _ b: B?, holds: (A, B) -> Bool) -> CheckResult {
  guard let a, let b else { return .notPerformed }
  return holds(a, b) ? .pass : .fail
}

/// The last digit is odd for men and even for women; it says nothing of `X`.
private func genderCheck(_ gender: Gender?, _ number: IdentityNumber?) -> CheckResult {
  guard let gender, let number, gender != .other else { return .notPerformed }
  return (number.lastDigit % 2 == 1) == (gender == .male) ? .pass : .fail
}

private func dateOrderCheck(_ data: ExtractedData) -> CheckResult {
  let dates = [data.dateOfBirth, data.dateOfIssue, data.dateOfExpiry].compactMap { $0 }
  guard dates.count >= 2 else { return .notPerformed }
  return zip(dates, dates.dropFirst()).allSatisfy { $0 < $1 } ? .pass : .fail
}
