import CardModel
import Testing

@testable import CardReading

/// Which values are emitted: a wrong one is far worse than a missing one.
struct FrontDecisionTests {
  private func line(_ text: String, second: String? = nil, confidence: Double = 0.9995, gaps: [Double] = [])
    -> ObservedLine
  {
    let count = text.filter { $0 != " " }.count
    return ObservedLine(
      first: ReadText(text, symbolConfidences: Array(repeating: confidence, count: count)),
      second: ReadText(second ?? text, symbolConfidences: Array(repeating: confidence, count: count)), gaps: gaps)
  }

  private func decide(
    _ values: [FieldName: ObservedLine], label: LabelVerdict = .unread, barcode: String? = nil
  ) -> FrontDecision {
    decideFront(
      FieldName.allCases.compactMap { field in
        values[field].map { FieldObservation(field: field, lines: [$0], label: label) }
      },
      barcodeNumber: barcode.flatMap { IdentityNumber($0) })
  }

  @Test func aCardReadWithoutDoubtIsWhole() {
    let decision = decide([
      .name: line("Asma Bibi", gaps: [0.1, 0.45, 0.12]), .fatherName: line("Gul Zar Khan", gaps: [0.1, 0.4, 0.5]),
      .gender: line("F"), .country: line("Pakistan"), .identityNumber: line("42101-0000001-8"),
      .dateOfBirth: line("05.11.1984"), .dateOfIssue: line("01.02.2016"), .dateOfExpiry: line("01.02.2026"),
    ])
    #expect(decision.confidence.count == 8)
    #expect(decision.data.name == "Asma Bibi")
    #expect(decision.data.dateOfExpiry?.formatted == "01.02.2026")
    #expect(decision.lifetime == false)
  }

  @Test func readersThatDisagreeOnAValueWithholdIt() {
    let decision = decide([
      .name: line("Asma Bibi", second: "Asma Bib", gaps: [0.45]),
      .identityNumber: line("42101-0000001-8", second: "42101-0000001-3"),
    ])
    #expect(decision.data.name == nil)
    #expect(decision.data.identityNumber == nil)
  }

  @Test func readersThatDisagreeOnADotOnlyDoNotDisagree() {
    #expect(decide([.dateOfBirth: line("05.11.1984", second: "05,11.1984")]).data.dateOfBirth != nil)
  }

  @Test func aGapAsWideAsASpaceInsideAWordWithholdsAName() {
    #expect(decide([.name: line("ASMABIBI", gaps: [0.1, 0.55, 0.1])]).data.name == nil)
  }

  @Test func aSpaceWithoutAGapWithholdsAName() {
    #expect(decide([.name: line("Asma Bibi", gaps: [0.1, 0.06])]).data.name == nil)
  }

  @Test func aSecondLineLeftBelowWithholdsAName() {
    var left = line("Asma Bibi", gaps: [0.45])
    left.inkBelow = 1
    #expect(decide([.name: left]).data.name == nil)
  }

  @Test func aNameReadOtherwiseInAnotherViewIsWithheld() {
    var seen = line("Asma Bibi", gaps: [0.45])
    seen.third = ReadText("Asma Bibl")
    #expect(decide([.name: seen]).data.name == nil)
    seen.third = ReadText("Asma Bibi")
    #expect(decide([.name: seen]).data.name == "Asma Bibi")
  }

  @Test func wrappedLinesAreOneName() {
    let decision = decideFront(
      [FieldObservation(field: .name, lines: [line("Hafiz Anees", gaps: [0.45]), line("Saleem")])], barcodeNumber: nil)
    #expect(decision.data.name == "Hafiz Anees Saleem")
  }

  @Test func theBarcodeNeverChangesThePrintedNumber() {
    let decision = decide([.identityNumber: line("42101-0000001-8")], barcode: "4210100000027")
    #expect(decision.data.identityNumber?.digits == "4210100000018")
  }

  @Test func theBarcodeSpeaksForTheNumberItEquals() throws {
    let observed = line("42101-0000001-8", confidence: 0.99)
    let alone = try #require(decide([.identityNumber: observed]).confidence[.identityNumber])
    let held = try #require(decide([.identityNumber: observed], barcode: "4210100000018").confidence[.identityNumber])
    #expect(held > alone)
  }

  @Test func datesOutOfOrderAreWithheld() {
    let decision = decide([
      .dateOfBirth: line("05.11.1984"), .dateOfIssue: line("01.02.2026"), .dateOfExpiry: line("01.02.2016"),
    ])
    #expect(decision.data.dateOfIssue == nil)
    #expect(decision.data.dateOfExpiry == nil)
    #expect(decision.data.dateOfBirth != nil)
  }

  /// A 3 read as a 5 leaves day and month as they are: what is not very sure is not made so by an expiry eight years later.
  @Test(arguments: [("16.03.2023", true), ("16.03.2025", false)])
  func anUnusualValidityDoesNotSpeakForItsDates(_ issue: String, _ isSaid: Bool) {
    let decision = decide([
      .dateOfIssue: line(issue, confidence: 0.95), .dateOfExpiry: line("16.03.2033", confidence: 0.999),
    ])
    #expect((decision.data.dateOfIssue != nil) == isSaid)
  }

  /// A wrapped name's second line, or a row laid a line off: what stands above is print, and no label.
  @Test func aNameBelowOtherPrintIsWithheld() {
    let seen = FieldObservation(field: .name, lines: [line("Nizamani")], label: .text)
    #expect(decideFront([seen], barcodeNumber: nil).data.name == nil)
    #expect(
      decideFront([FieldObservation(field: .name, lines: [line("Nizamani")])], barcodeNumber: nil).data.name != nil)
  }

  @Test func aLifetimeCardHasNoExpiry() {
    let decision = decide([.dateOfExpiry: line("LIFETIME")])
    #expect(decision.lifetime == true)
    #expect(decision.data.dateOfExpiry == nil)
    #expect(decision.confidence[.dateOfExpiry] == nil)
  }

  @Test(arguments: [
    ("Name", FieldName.name, LabelVerdict.own), ("Nane", .name, .own), ("Date 0f Birth", .dateOfBirth, .own),
    ("Husband's Name", .fatherName, .own), ("Countryofstay", .country, .own), ("Name", .fatherName, .another(.name)),
    ("Father Name", .name, .another(.fatherName)), ("Date of Birth", .dateOfExpiry, .another(.dateOfBirth)),
    ("Identity Number", .dateOfIssue, .another(.identityNumber)), ("me", .name, .unread), ("Narne", .name, .own),
    ("Falher Narne", .fatherName, .own),
    ("MEHREEN KASHIF", .name, .unread), ("", .gender, .unread),
  ])
  func labelsTellWhoseTheValueBelowIs(_ text: String, _ field: FieldName, _ verdict: LabelVerdict) {
    #expect(readLabel(text, at: field) == verdict)
  }

  @Test func aValueBelowAnotherFieldsLabelIsWithheld() {
    var observation = FieldObservation(field: .dateOfExpiry, lines: [line("04.05.1946")], label: .own)
    #expect(decideFront([observation], barcodeNumber: nil).data.dateOfExpiry != nil)
    observation.label = .another(.dateOfBirth)
    #expect(decideFront([observation], barcodeNumber: nil).data.dateOfExpiry == nil)
  }

  @Test func inkLeftOfTheFirstColumnWithholdsAName() {
    var seen = line("Ilem Dar", gaps: [0.45])
    seen.inkLeft = true
    #expect(decide([.name: seen]).data.name == nil)
  }

  /// A line read again: what each network read on the further views.
  private func line(
    _ text: String, second: String, again first: [String], _ other: [String], gaps: [Double] = [0.1, 0.45]
  )
    -> ObservedLine
  {
    func read(_ text: String) -> ReadText {
      ReadText(text, symbolConfidences: Array(repeating: 0.98, count: text.filter { $0 != " " }.count))
    }
    var line = ObservedLine(first: read(text), second: read(second), gaps: gaps)
    line.furtherFirst = first.map(read)
    line.furtherSecond = other.map(read)
    return line
  }

  @Test func manyReadingsOutvoteOneThatErrs() {
    let right = "Fahad Baljfi"
    let observed = line(
      "Fahad Baljifi", second: right, again: [right, right, right, right], [right, right, right, right])
    #expect(decide([.name: observed], label: .own).data.name == right)
  }

  @Test func readingsThatSplitWithholdAName() {
    let (one, other) = ("Jalil Shah", "Jatil Shah")
    let observed = line(one, second: other, again: [one, other, one, one], [one, other, other, one])
    #expect(decide([.name: observed]).data.name == nil)
  }

  @Test func aNameThatOneNetworkNeverReadsIsWithheld() {
    let (one, other) = ("Jalil Shah", "Jatil Shah")
    let observed = line(one, second: other, again: [one, one, one, one], [other, other, other, other])
    #expect(decide([.name: observed]).data.name == nil)
  }

  /// J hangs over the space before it: one network then reads no space, which the gaps seen show to be there.
  @Test func wordsThatTheGapsDivideAreDividedHoweverTheyAreRead() {
    let (name, joined) = ("Faisal Jibran", "FaisalJibran")
    let observed = { (gaps: [Double]) in
      self.line(name, second: joined, again: [name, name, name, name], [joined, joined, joined, name], gaps: gaps)
    }
    #expect(decide([.name: observed([0.1, 0.39, 0.17])]).data.name == name)
    #expect(decide([.name: observed([0.1, 0.24, 0.17])]).data.name == nil)
  }

  /// Both networks took a 3 for a 5, and were not sure.
  @Test func aDateThatBothNetworksReadAlikeButUnsureIsReadAgain() {
    let unsure = FieldObservation(field: .dateOfExpiry, lines: [line("15.08.2025", confidence: 0.92)])
    #expect(fieldsToReadAgain([unsure]) == [.dateOfExpiry])
    #expect(decideFront([unsure], barcodeNumber: nil).data.dateOfExpiry == nil)
    // Two of five readings of one network are a rival, however many others there are.
    let (wrong, right) = ("15.08.2025", "13.08.2025")
    let rival = line(wrong, second: wrong, again: [wrong, wrong, wrong, wrong], [wrong, wrong, right, right])
    #expect(decide([.dateOfExpiry: rival]).data.dateOfExpiry == nil)
    let sure = FieldObservation(field: .dateOfExpiry, lines: [line("15.08.2025")], label: .own)
    #expect(fieldsToReadAgain([sure]).isEmpty)
  }

  /// On a card for life no other date spoke for a year whose 6 both networks took for an 8, surely; its label was too faint to be read.
  @Test func aDateThatNoOtherSpeaksForIsReadAgainInPoorPrint() {
    func observation(_ field: FieldName, _ text: String, _ label: LabelVerdict) -> FieldObservation {
      FieldObservation(field: field, lines: [line(text)], label: label)
    }
    let lifetime = observation(.dateOfExpiry, "Lifetime", .unread)
    #expect(fieldsToReadAgain([observation(.dateOfIssue, "16.01.2028", .unread), lifetime]) == [.dateOfIssue])
    #expect(fieldsToReadAgain([observation(.dateOfIssue, "16.01.2028", .own), lifetime]).isEmpty)
    let issue = observation(.dateOfIssue, "16.01.2018", .unread),
      expiry = observation(.dateOfExpiry, "16.01.2028", .unread)
    #expect(fieldsToReadAgain([issue, expiry]).isEmpty, "each speaks for the other")
    #expect(fieldsToReadAgain([issue, expiry, observation(.dateOfBirth, "02.07.1985", .unread)]) == [.dateOfBirth])
  }

  /// Both networks read an l with a foot as a t, in most views of a copy.
  @Test func aTThatSomeReadingsTakeForAnLIsWithheld() {
    let (footed, read) = ("Laila Kubra", "Laita Kubra")
    let doubtful = line(footed, second: read, again: [read, read, read, footed], [read, read, read, read])
    #expect(decide([.name: doubtful], label: .own).data.name == nil)
    let plain = line(footed, second: footed, again: [footed, footed, footed, read], [footed, footed, footed, footed])
    #expect(decide([.name: plain], label: .own).data.name == footed)
  }

  @Test func aSpeckReadAsADotIsNoOtherNumber() {
    let (number, dotted) = ("42101-0000001-8", "42.101-0000001-8")
    let observed = line(
      number, second: number, again: [dotted, number, number, dotted], [dotted, number, number, number])
    #expect(decide([.identityNumber: observed]).data.identityNumber?.formatted == number)
  }

  @Test func whatStandsRightOfAWholeNumberSaysLittleAgainstIt() {
    var observed = line("42101-0000001-8", confidence: 0.99)
    observed.textRight = 0.3
    #expect(decide([.identityNumber: observed]).data.identityNumber != nil)
  }

  /// On white paper all is blown out but the print; a date has all its digits or is none.
  @Test func blownOutPaperRightOfADateSaysNothingAgainstIt() {
    var observed = line("10.10.1970", second: "10.10.1970")
    observed.glareRight = 1
    #expect(decide([.dateOfBirth: observed], label: .own).data.dateOfBirth != nil)
    #expect(fieldsToReadAgain([FieldObservation(field: .dateOfBirth, lines: [observed], label: .own)]).isEmpty)
  }

  /// Every reading may take a washed-out first digit for the same other one.
  @Test func aFaintNumberThatWasReadAgainIsWithheldUnlessTheBarcodeConfirmsIt() {
    let number = "12270-8104713-7"
    let again = Array(repeating: number, count: 4)
    var observed = line(number, second: number, again: again, again)
    observed.faintest = 0.2
    #expect(decide([.identityNumber: observed]).data.identityNumber == nil)
    #expect(decide([.identityNumber: observed], barcode: number).data.identityNumber?.formatted == number)
  }

  @Test func furtherReadingsMendNoLineThatMayBeCut() {
    let name = "Fahad Baloch"
    var observed = line(name, second: name, again: [name, name, name, name], [name, name, name, name])
    #expect(decide([.name: observed]).data.name == name)
    observed.inkLeft = true
    #expect(decide([.name: observed]).data.name == nil)
  }

  @Test func whatIsNoDateIsNoRivalOfADate() {
    let date = "11.04.2024"
    let observed = line(
      "1104.2024", second: "1.04.2024", again: [date, date, date, date], [date, date, date, date])
    #expect(decide([.dateOfIssue: observed]).data.dateOfIssue?.formatted == date)
  }

  @Test(arguments: [
    ("Nurail IIemal", "Nurail Ilemal"), ("llyas Khan", "Ilyas Khan"), ("BILAL ALI", "BILAL ALI"),
    ("Il Shah", "Il Shah"),
    ("Ali bin Illahi", "Ali bin Illahi"), ("Imran-lqbal", "Imran-Iqbal"), ("Lal Khan", "Lal Khan"),
    ("Mustafa ALi", "Mustafa Ali"), ("GhaiL Lal", "Ghail Lal"), ("LAL ALI", "LAL ALI"),
  ])
  func aWordsCaseTellsItsIFromItsL(_ read: String, _ name: String) {
    #expect(LineVote.withLettersOfTheCase(read) == name)
  }

  @Test func onlyWhatIsInDoubtIsReadAgain() {
    func observation(_ field: FieldName, _ line: ObservedLine) -> FieldObservation {
      FieldObservation(field: field, lines: [line])
    }
    var cut = line("Asma Bibi", second: "Asma Bibl", gaps: [0.45])
    cut.inkLeft = true
    let doubtful = fieldsToReadAgain([
      observation(.name, line("Asma Bibi", second: "Asma Bibl", gaps: [0.45])), observation(.fatherName, cut),
      observation(.country, line("Pakistan")), observation(.dateOfIssue, line("1104.202")),
      observation(.dateOfBirth, line("")),
    ])
    #expect(doubtful == [.name, .dateOfIssue])
  }

  @Test(arguments: [("Pakistan", true), ("Niger", false), ("United States", false), ("Pakisan", false)])
  func inkBeyondACountryMattersOnlyWhereItsNameMayGoOn(_ text: String, _ isSaid: Bool) {
    var observed = line(text, gaps: [0.1, 0.3, 0.9])
    observed.textRight = 0.3
    let decision = decide([.country: observed])
    #expect((decision.data.country != nil) == isSaid)
  }
}
