import CardModel
import Testing

@testable import CardReading

/// What a field's text is read as, with the confusions that facts/cards.md reports.
struct FrontValueTests {
  @Test(arguments: [
    "42101-0000001-7", "42101_0000001:7", "42101 0000001 7", "4210100000017", "42101`0000001-7", " 42101-0000001-7 ",
  ])
  func whatStandsBetweenTheDigitsOfANumberDoesNotMatter(_ text: String) {
    #expect(parseFrontValue(text, field: .identityNumber) == IdentityNumber("4210100000017").map { .number($0) })
  }

  @Test(arguments: [
    "4210I-0000001-7", "42101-000O001-7", "42101-000001-7", "42101-00000011-7", "02101-0000001-7", "92101-0000001-7",
    "42101-0000001-701.01.1990", "421-0100000017", "", "4210-10000001-7",
  ])
  func aNumberIsNeverRepaired(_ text: String) {
    #expect(parseFrontValue(text, field: .identityNumber) == nil)
  }

  @Test(arguments: ["05.11.1984", "05,11.1984", "05/11/1984", "05 11.1984", "0511.1984", ".05.11.1984"])
  func aDateIsReadWhateverItsDotsBecame(_ text: String) {
    #expect(parseFrontValue(text, field: .dateOfBirth) == CardDate(day: 5, month: 11, year: 1984).map { .date($0) })
  }

  @Test(arguments: [
    "31.02.1984", "05.13.1984", "5.11.1984", "05.11.84", "05.11.19844", "05111984", "O5.11.1984",
  ])
  func aDateThatDoesNotExistOrHasNotItsShapeIsNone(_ text: String) {
    #expect(parseFrontValue(text, field: .dateOfIssue) == nil)
  }

  @Test(arguments: ["Lifetime", "LIFETIME", "Llfetime", "Life time"])
  func aCardMayLastALifetime(_ text: String) {
    #expect(parseFrontValue(text, field: .dateOfExpiry) == .lifetime)
    #expect(parseFrontValue(text, field: .dateOfIssue) == nil)
  }

  @Test func genderIsOneOfThreeLetters() {
    #expect(parseFrontValue("X", field: .gender) == .gender(.other))
    #expect(parseFrontValue("m", field: .gender) == nil)
    #expect(parseFrontValue("MF", field: .gender) == nil)
  }

  @Test(arguments: ["Muhammad Muhammad", "Aisha", "ABDUL-HAQ BIN ZAR", "Zia ur Rehman", "D'Souza", "Ch. Anwar"])
  func namesKeepTheirOwnShape(_ text: String) {
    #expect(parseFrontValue(text, field: .name) == .text(text))
    #expect(hasRegularCase(text))
  }

  @Test(arguments: ["A", "Al1", "Ali  Khan", "-Ali", "Ali -", "Ali, Khan", "جول", ""])
  func whatIsNoNameIsNone(_ text: String) {
    #expect(parseFrontValue(text, field: .fatherName) == nil)
  }

  @Test(arguments: ["MUHAMMAd Ali", "MuhammadAli", "Ali kHAN", "ali Khan"])
  func oddCapitalsAreNoticed(_ text: String) {
    #expect(!hasRegularCase(text))
  }

  @Test func aCountryIsANameOfTheListOrOneLetterOffASingleOne() {
    #expect(parseFrontValue("Pakistan", field: .country) == .text("Pakistan"))
    #expect(parseFrontValue("PAKISTAN", field: .country) == .text("PAKISTAN"))
    #expect(parseFrontValue("Pakistam", field: .country) == .text("Pakistan"))
    #expect(parseFrontValue("United Arab Emirates", field: .country) == .text("United Arab Emirates"))
    #expect(parseFrontValue("PakistanoLo", field: .country) == nil)
    #expect(parseFrontValue("Slovaria", field: .country) == nil, "near Slovakia and Slovenia")
    #expect(parseFrontValue("Irap", field: .country) == nil, "short names are near too many")
    #expect(parseFrontValue("Islamic Republic of Pakistan", field: .country) == nil)
  }

  @Test(arguments: [
    ("Nane", FieldName.name), ("GenUer", .gender), ("Gendei", .gender), ("Fathgr Name", .fatherName),
    ("Tusband Name", .fatherName), ("Date 0f Birth", .dateOfBirth), ("Date of lssue", .dateOfIssue),
    ("Date of Explry", .dateOfExpiry), ("Identity Nuinber", .identityNumber), ("Country 8f Stay", .country),
    ("countryofstay", .country),
  ])
  func labelsAreKnownThroughTheirMisreadings(_ text: String, _ field: FieldName) {
    #expect(readLabel(text, at: field) == .own)
  }

  @Test func datesLabelsAreToldApart() {
    #expect(readLabel("Date of Birth", at: .dateOfIssue) != .own)
    #expect(readLabel("Date of Issue", at: .dateOfExpiry) != .own)
    #expect(readLabel("Date of Expiry", at: .dateOfBirth) != .own)
  }
}
