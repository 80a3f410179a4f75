import CardModel
import CardReading
import Synchronization
import Testing

@testable import ScanPipeline

private let number = "4210100000017"
private let other = "6110100000018"

private func newFront() -> FakeCard {
  var data = ExtractedData()
  data.name = "Specimen Person"
  data.identityNumber = IdentityNumber(number)
  data.raw = "Name\nSpecimen Person"
  return FakeCard(face: .newFront, data: data)
}

private func request(
  front: [String] = ["f"], back: [String] = ["b"], expected: String? = number, mode: ScanMode = .frontAndBack,
  reused: FrontCapture? = nil
) -> PairRequest {
  PairRequest(
    id: "p1", frontFiles: front, backFiles: back, expectedNumber: expected, scanMode: mode, reusedFront: reused)
}

@Suite struct PairScannerTests {
  private let good: [String: FakeImaging.File] = [
    "f": .pages([[newFront()]]), "b": .pages([[FakeCard(face: .newBack, payload: number)]]),
  ]

  @Test func aGoodPairPostsFrontBackAndTheResultInThatOrder() throws {
    let record = scanner(FakeImaging(good)).scan(request()).record
    #expect(record.events.map(\.type) == [.frontSuccess, .backSuccess, .ocrSuccess])
    #expect(record.outcome == .matched)
    guard case .ocrSuccess(let result) = record.events[2] else { return #expect(Bool(false)) }
    #expect(result.distance == 0 && result.documentType == .new)
    #expect(record.events[0] == .frontSuccess(image: try #require(result.frontImage)))
    #expect(record.events[1] == .backSuccess(image: try #require(result.backImage)))
    #expect(result.extractedData.name == "Specimen Person")
  }

  @Test(arguments: [nil, "", "  ", "not a number", "12345"] as [String?])
  func withoutANumberToExpectNothingIsScanned(_ expected: String?) {
    let imaging = FakeImaging(good)
    let record = scanner(imaging).scan(request(expected: expected)).record
    #expect(record.events == [.launchFailure])
    #expect(record.outcome == .launchFailure)
    #expect(imaging.opened.withLock { $0 }.isEmpty)
  }

  @Test func anotherNumberIsAMismatchAndTheBarcodesNumberStands() {
    let record = scanner(FakeImaging(good)).scan(request(expected: other)).record
    #expect(record.outcome == .mismatched)
    guard case .ocrSuccess(let result)? = record.events.last else { return #expect(Bool(false)) }
    #expect(result.distance == 1 && result.identityNumber?.digits == number)
  }

  @Test func frontOnlyHasNoNumberBackImageOrDistance() {
    let imaging = FakeImaging(good)
    let record = scanner(imaging).scan(request(mode: .frontOnly)).record
    #expect(record.events.map(\.type) == [.frontSuccess, .ocrSuccess])
    #expect(record.outcome == .unverified)
    guard case .ocrSuccess(let result)? = record.events.last else { return #expect(Bool(false)) }
    #expect(result.identityNumber == nil && result.backImage == nil && result.distance == nil)
    #expect(imaging.opened.withLock { $0 } == ["f"])
  }

  @Test func backOnlyHasNoFrontImageAndEmptyData() {
    let record = scanner(FakeImaging(good)).scan(request(mode: .backOnly)).record
    #expect(record.events.map(\.type) == [.backSuccess, .ocrSuccess])
    guard case .ocrSuccess(let result)? = record.events.last else { return #expect(Bool(false)) }
    #expect(result.frontImage == nil && result.extractedData == ExtractedData() && result.distance == 0)
  }

  @Test func anOldCardsDataStayEmpty() {
    let files: [String: FakeImaging.File] = [
      "f": .pages([[FakeCard(face: .oldFront)]]), "b": .pages([[FakeCard(face: .oldBack, payload: number)]]),
    ]
    let imaging = FakeImaging(files)
    let record = scanner(imaging).scan(request()).record
    guard case .ocrSuccess(let result)? = record.events.last else { return #expect(Bool(false)) }
    #expect(result.documentType == .old && result.extractedData == ExtractedData())
    #expect(imaging.fronts.withLock { $0 } == 0)
  }

  @Test func swappedFilesArePutRight() {
    let record = scanner(FakeImaging(good)).scan(request(front: ["b"], back: ["f"])).record
    #expect(record.outcome == .matched)
    #expect(record.events.map(\.type) == [.frontSuccess, .backSuccess, .ocrSuccess])
    #expect(record.reasons.contains(.sidesSwapped))
  }

  /// A name composed and decomposed are two files, which Swift's strings would not tell apart.
  @Test func filesOfOneNameToUnicodeAreTwo() {
    let composed = "\u{00E9}", decomposed = "e\u{0301}"
    let imaging = FakeImaging(listed: [
      (composed, .pages([[FakeCard(face: .newBack)]])),
      (decomposed, .pages([[newFront(), FakeCard(face: .newBack, payload: number)]])),
    ])
    let record = scanner(imaging).scan(request(front: [composed], back: [decomposed])).record
    #expect(record.outcome == .matched)
    #expect(!record.reasons.contains(.sidesSwapped))
  }

  @Test func upsideDownCardsAreTurnedBeforeTheyAreRead() {
    var front = newFront()
    front.upsideDown = true
    let files: [String: FakeImaging.File] = [
      "f": .pages([[front]]), "b": .pages([[FakeCard(face: .newBack, payload: number, upsideDown: true)]]),
    ]
    let record = scanner(FakeImaging(files)).scan(request()).record
    guard case .ocrSuccess(let result)? = record.events.last else { return #expect(Bool(false)) }
    #expect(result.extractedData.name == "Specimen Person")
  }

  @Test func onePageWithBothSidesServesBoth() {
    let page: [String: FakeImaging.File] = [
      "p": .pages([[newFront(), FakeCard(face: .newBack, payload: number)]])
    ]
    let record = scanner(FakeImaging(page)).scan(request(front: ["p"], back: ["p"])).record
    #expect(record.outcome == .matched)
    #expect(!record.reasons.contains(.sidesSwapped))
  }

  /// A scanner's TIFF of two pages, given for both sides: neither page is a mistake.
  @Test func twoPagesOfOneFileServeBothSides() {
    let front = [newFront()], back = [FakeCard(face: .newBack, payload: number)]
    for pages in [[front, back], [back, front]] {
      let record = scanner(FakeImaging(["p": .pages(pages)])).scan(request(front: ["p"], back: ["p"])).record
      #expect(record.outcome == .matched && record.reasons.isEmpty && record.details.setAside.isEmpty)
    }
    let alone = scanner(FakeImaging(["p": .pages([front])])).scan(request(front: ["p"], back: ["p"])).record
    #expect(alone.reasons == [.wrongSide, .noBackFrame])
  }

  @Test func copiesOfOneCardOnAPageAreOnePerson() {
    let back = FakeCard(face: .newBack, payload: number)
    let page: [String: FakeImaging.File] = ["p": .pages([[newFront(), back, newFront(), back]])]
    #expect(scanner(FakeImaging(page)).scan(request(front: ["p"], back: ["p"])).record.outcome == .matched)
  }

  @Test func aFrontAndABackOfTwoPersonsOnAPageAreNotMixed() {
    let page: [String: FakeImaging.File] = ["p": .pages([[newFront(), FakeCard(face: .newBack, payload: other)]])]
    let record = scanner(FakeImaging(page)).scan(request(front: ["p"], back: ["p"])).record
    #expect(record.outcome == .noValidFrame && record.reasons.contains(.severalPersonsOnPage))
  }

  @Test func aSymbolOnAPageOfSeveralCardsIsNobodys() {
    let files: [String: FakeImaging.File] = [
      "f": .pages([[newFront()]]), "b": .pages([[FakeCard(face: nil), FakeCard(face: nil)]]),
    ]
    let record = scanner(FakeImaging(files, unfound: ["b": FakeCard(face: .newBack, payload: number)]))
      .scan(request()).record
    #expect(record.outcome == .noValidFrame)
  }

  /// Around print without an outline two cards may be guessed, one of them half outside the image.
  @Test func aCardGuessedHalfOutsideTheImageIsNoSecondOne() {
    var outside = FakeCard(face: nil)
    outside.quality.cutOff = 0.5
    let files: [String: FakeImaging.File] = [
      "f": .pages([[newFront()]]), "b": .pages([[FakeCard(face: nil), outside]]),
    ]
    let record = scanner(FakeImaging(files, unfound: ["b": FakeCard(face: .newBack, payload: number)]))
      .scan(request()).record
    #expect(record.outcome == .matched)
  }

  @Test func copiesOfAnOldCardAreOnePersonWhereItsNumberIsRead() {
    var front = FakeCard(face: .oldFront)
    let back = FakeCard(face: .oldBack, payload: number)
    let scan = { (front: FakeCard) in
      scanner(FakeImaging(["p": .pages([[front, back, front, back]])])).scan(request(front: ["p"], back: ["p"])).record
    }
    #expect(scan(front).outcome == .noValidFrame)
    front.data.identityNumber = IdentityNumber(number)
    #expect(scan(front).outcome == .matched)
  }

  @Test func aBackWithoutOutlineBesideItsFrontIsReadFromThePage() {
    let files: [String: FakeImaging.File] = ["p": .pages([[newFront()]])]
    let scan = { (payload: String) in
      scanner(FakeImaging(files, unfound: ["p": FakeCard(face: .newBack, payload: payload)]))
        .scan(request(front: ["p"], back: ["p"])).record
    }
    #expect(scan(number).outcome == .matched)
    let mixed = scan(other)
    #expect(mixed.outcome == .noValidFrame && mixed.reasons.contains(.severalPersonsOnPage))
  }

  @Test func twoPersonsOnOnePageAreNeverMixed() {
    var second = newFront()
    second.data.identityNumber = IdentityNumber(other)
    let page: [String: FakeImaging.File] = ["p": .pages([[newFront(), second]])]
    let record = scanner(FakeImaging(page)).scan(request(front: ["p"], back: ["p"])).record
    #expect(record.outcome == .noValidFrame)
    #expect(record.reasons.contains(.severalPersonsOnPage))
  }

  @Test func aFrameThatCannotBeReadIsSetAsideAndTheNextIsTried() {
    var blurred = newFront()
    blurred.quality.focus = 0
    var files = good
    files["blurred"] = .pages([[blurred]])
    files["empty"] = .pages([[]])
    files["broken"] = .failing(.imageDamaged)
    let record = scanner(FakeImaging(files)).scan(request(front: ["broken", "empty", "blurred", "f"])).record
    #expect(record.outcome == .matched)
    #expect(record.details.setAside.map(\.reason) == [.imageDamaged, .noCardFound, .blurred])
    #expect(record.details.setAside.map(\.file) == [0, 1, 2])
  }

  @Test func aBackWhoseOutlineIsNotFoundIsReadFromItsPage() {
    var files = good
    files["b"] = .pages([[]])
    let imaging = FakeImaging(files, unfound: ["b": FakeCard(face: .newBack, payload: number)])
    #expect(scanner(imaging).scan(request()).record.outcome == .matched)
    let askew = FakeImaging(files, unfound: ["b": FakeCard(face: .newBack, payload: number, isSymbolAskew: true)])
    #expect(scanner(askew).scan(request()).record.outcome == .matched)
    let several = FakeImaging(files, unfound: ["b": FakeCard(face: .newBack, isSymbolAskew: true, isAmongOthers: true)])
    let record = scanner(several).scan(request()).record
    #expect(record.outcome == .noValidFrame && record.reasons.contains(.severalPersonsOnPage))
  }

  @Test func aNewFrontThatCanBeReadIsNotSetAsideForItsLooks() {
    var glaring = newFront()
    glaring.quality.glare = 0.6
    var files = good
    files["f"] = .pages([[glaring]])
    #expect(scanner(FakeImaging(files)).scan(request()).record.outcome == .matched)
  }

  @Test func laterPagesOfAFileAreFrames() {
    let files: [String: FakeImaging.File] = [
      "t": .pages([[], [newFront()], [FakeCard(face: .newBack, payload: number)]])
    ]
    let record = scanner(FakeImaging(files)).scan(request(front: ["t"], back: ["t"])).record
    #expect(record.outcome == .matched)
  }

  @Test func withoutAValidFrameThereIsNoFinalEvent() {
    let files: [String: FakeImaging.File] = ["f": .pages([[]]), "b": good["b"] ?? .pages([])]
    let record = scanner(FakeImaging(files)).scan(request()).record
    #expect(record.events.isEmpty)
    #expect(record.outcome == .noValidFrame)
    #expect(record.reasons.contains(.noCardFound) && record.reasons.contains(.noFrontFrame))
  }

  @Test func filesThatCannotBeUsedMakeThePairFail() {
    let record = scanner(FakeImaging([:])).scan(request(back: [])).record
    #expect(record.outcome == .failed && record.reasons == [.fileMissing])
    let unwritten = scanner(FakeImaging(good), images: FakeImages(failing: true)).scan(request()).record
    #expect(unwritten.outcome == .failed && unwritten.reasons.contains(.outputNotWritten))
  }

  @Test func eachBackWithoutANumberPostsAFailureAndTheNextIsTried() {
    var files = good
    files["url"] = .pages([[FakeCard(face: .newBack, payload: "https://example.invalid")]])
    files["none"] = .pages([[FakeCard(face: .newBack)]])
    let record = scanner(FakeImaging(files)).scan(request(back: ["url", "none", "b"])).record
    #expect(
      record.events.map(\.type) == [
        .frontSuccess, .backSuccess, .ocrFailure, .backSuccess, .ocrFailure, .backSuccess, .ocrSuccess,
      ])
    #expect(record.outcome == .matched)
  }

  @Test func aRescanReadsTheBackAloneAndGivesTheSameResult() throws {
    var files = good
    files["none"] = .pages([[FakeCard(face: .newBack)]])
    let first = scanner(FakeImaging(files)).scan(request(back: ["none"])).record
    #expect(first.outcome == .rescanBack && first.events.last == .ocrFailure)
    let capture = try #require(first.frontCapture)

    let imaging = FakeImaging(good)
    let second = scanner(imaging).scan(request(reused: capture)).record
    #expect(imaging.opened.withLock { $0 } == ["b"])
    let undisturbed = scanner(FakeImaging(good)).scan(request()).record
    #expect(second.events == undisturbed.events)
  }

  @Test func aRecordNamesItsImagesAndTheNumberItWasComparedWith() throws {
    var files = good
    files["none"] = .pages([[FakeCard(face: .newBack)]])
    func names(_ record: PairRecord) -> [String] {
      record.events.compactMap { event in
        switch event {
        case .frontSuccess(let path), .backSuccess(let path): path.split(separator: "/").last.map(String.init)
        case .launchFailure, .ocrSuccess, .ocrFailure: nil
        }
      }
    }
    for request in [request(expected: other), request(back: ["none"]), request(back: [])] {
      let record = scanner(FakeImaging(files)).scan(request).record
      #expect(record.details.images == names(record) && !record.details.images.isEmpty)
      #expect(record.details.expectedNumber?.digits == request.expectedNumber)
    }
    #expect(scanner(FakeImaging(files)).scan(request(expected: nil)).record.details == PairDetails())
  }

  @Test func validityIsAskedForADayAndNeverForToday() {
    var front = newFront()
    front.data.dateOfExpiry = CardDate("01.01.2030")
    let files: [String: FakeImaging.File] = ["f": .pages([[front]]), "b": good["b"] ?? .pages([])]
    #expect(scanner(FakeImaging(files)).scan(request()).record.details.checks[.notExpired] == .notPerformed)
    let late = scanner(FakeImaging(files), asOf: CardDate("02.01.2030")).scan(request()).record
    #expect(late.details.checks[.notExpired] == .fail)
    let onTheDay = scanner(FakeImaging(files), asOf: CardDate("01.01.2030")).scan(request()).record
    #expect(onTheDay.details.checks[.notExpired] == .pass)
  }
}

/// Looks that mislead: what is read decides.
@Suite struct MisleadingLooksTests {
  @Test func aBackThatLooksLikeAFrontIsReadByItsBarcode() {
    var back = FakeCard(face: .newBack, payload: number)
    back.looks = .oldFront
    let files: [String: FakeImaging.File] = ["f": .pages([[newFront()]]), "b": .pages([[back]])]
    #expect(scanner(FakeImaging(files)).scan(request()).record.outcome == .matched)
  }

  @Test func aFrontThatLooksLikeABackIsReadByItsLayout() {
    var front = newFront()
    front.looks = .oldBack
    let files: [String: FakeImaging.File] = [
      "f": .pages([[front]]), "b": .pages([[FakeCard(face: .newBack, payload: number)]]),
    ]
    #expect(scanner(FakeImaging(files)).scan(request()).record.outcome == .matched)
  }

  @Test func theBacksBarcodeTellsTheTypeWhereTheFrontsLooksAlonePointElsewhere() {
    let files: [String: FakeImaging.File] = [
      "f": .pages([[FakeCard(face: .oldFront)]]), "b": .pages([[FakeCard(face: .newBack, payload: number)]]),
    ]
    let record = scanner(FakeImaging(files)).scan(request()).record
    guard case .ocrSuccess(let result)? = record.events.last else { return #expect(Bool(false)) }
    #expect(result.documentType == .new && record.reasons.contains(.documentTypesDiffer))
  }
}

/// Fronts whose outline is not found, or found wrong.
@Suite struct FrontsWithoutOutlineTests {
  private func scan(_ found: [FakeCard], back: CardFace = .newBack, hasLabels: Bool = true) -> PairRecord {
    let files: [String: FakeImaging.File] = [
      "f": .pages([found]), "b": .pages([[FakeCard(face: back, payload: number)]]),
    ]
    var front = newFront()
    front.hasLabels = hasLabels
    return scanner(FakeImaging(files, unfound: ["f": front])).scan(request()).record
  }

  /// A copy too light for its labels leaves the values and where they stand.
  @Test func rowsTellWhereAFrontWithoutLabelsLies() {
    let record = scan([FakeCard(face: nil)], hasLabels: false)
    #expect(record.outcome == .matched)
    guard case .ocrSuccess(let result)? = record.events.last else { return #expect(Bool(false)) }
    #expect(result.extractedData.name == "Specimen Person")
  }

  @Test(arguments: [
    [], [FakeCard(face: nil)], [FakeCard(face: nil, looks: .oldBack)], [FakeCard(face: nil, looks: .newFront)],
  ])
  func printTellsWhereTheFrontLies(_ found: [FakeCard]) {
    let record = scan(found)
    #expect(record.outcome == .matched)
    guard case .ocrSuccess(let result)? = record.events.last else { return #expect(Bool(false)) }
    #expect(result.extractedData.name == "Specimen Person")
  }

  /// What was taken for an outline for want of another may be the image's own edge: the front in it is read, but crooked.
  @Test(arguments: [(0.5, 5, "Specimen Person"), (0.5, 7, "Crooked"), (0.9, 5, "Crooked")])
  func printTellsHowAFrontLiesOfWhichLittleIsSure(_ outline: Double, _ surelyRead: Int, _ name: String) {
    var crooked = newFront()
    crooked.data.name = "Crooked"
    crooked.quality.outlineConfidence = outline
    crooked.surelyRead = surelyRead
    guard case .ocrSuccess(let result)? = scan([crooked]).events.last else { return #expect(Bool(false)) }
    #expect(result.extractedData.name == name)
  }

  /// Few phrases tell roughly where a card lies; on the card laid by them more are read.
  @Test(arguments: [(6, "Specimen Person"), (7, "Rough")])
  func printIsReadAgainOnACardThatWasLaidByFewPhrases(_ surelyRead: Int, _ name: String) {
    var rough = newFront()
    rough.data.name = "Rough"
    rough.surelyRead = surelyRead
    rough.closer = [newFront()]
    let files: [String: FakeImaging.File] = [
      "f": .pages([[]]), "b": .pages([[FakeCard(face: .newBack, payload: number)]]),
    ]
    let imaging = FakeImaging(files, unfound: ["f": rough])
    let record = scanner(imaging).scan(request()).record
    guard case .ocrSuccess(let result)? = record.events.last else { return #expect(Bool(false)) }
    #expect(result.extractedData.name == name)
    // Both on the page itself, whose colours the saved image shows; what is read is grey.
    #expect(imaging.channelsLaidOn.withLock { $0.allSatisfy { $0 == 3 } })
  }

  /// On a page that lies askew no line reads; in the outline that lost the card's upper side the others are level.
  @Test(arguments: [CardFace.newBack, .oldBack])
  func printWithinAWrongOutlineTellsWhereTheFrontLies(_ looks: CardFace) throws {
    var askew = newFront()
    askew.isAskew = true
    let wrong = FakeCard(
      face: nil, holdsPrint: true, looks: looks, corners: rectangle(0.1...0.9, 0.3...0.8))
    let files: [String: FakeImaging.File] = [
      "f": .pages([[wrong]]), "b": .pages([[FakeCard(face: .newBack, payload: number)]]),
    ]
    let imaging = FakeImaging(files, unfound: ["f": askew])
    let record = scanner(imaging).scan(request()).record
    guard case .ocrSuccess(let result)? = record.events.last else { return #expect(Bool(false)) }
    #expect(result.extractedData.name == "Specimen Person" && record.reasons.isEmpty)
    // The card reaches above the outline.
    let corner = try #require(imaging.placesLaid.withLock { $0.last?.first })
    #expect(abs(corner.x - 0.1) < 1e-9 && abs(corner.y - 0.2) < 1e-9)
  }

  /// An outline that lost a side may look like an old front; the back knows better, and the front's print shows where it lies.
  @Test func printIsAskedWhereTheBackSaysThatTheCardIsNew() {
    let record = scan([FakeCard(face: .oldFront)])
    guard case .ocrSuccess(let result)? = record.events.last else { return #expect(Bool(false)) }
    #expect(result.documentType == .new && result.extractedData.name == "Specimen Person")
    #expect(record.reasons.isEmpty)
    #expect(record.events.first == .frontSuccess(image: result.frontImage ?? ""))
  }

  @Test func ofSeveralFrontsOnAPageNoneTakesThePlaceOfOneThatLooksOld() {
    var two = newFront()
    two.printedFronts = 2
    let files: [String: FakeImaging.File] = [
      "f": .pages([[FakeCard(face: .oldFront)]]), "b": .pages([[FakeCard(face: .newBack, payload: number)]]),
    ]
    let record = scanner(FakeImaging(files, unfound: ["f": two])).scan(request()).record
    guard case .ocrSuccess(let result)? = record.events.last else { return #expect(Bool(false)) }
    #expect(result.extractedData.name == nil && record.reasons.contains(.documentTypesDiffer))
  }

  /// An old front has no labels; a copy of it neither an outline nor the looks of a card.
  @Test(arguments: [[], [FakeCard(face: nil)], [FakeCard(face: nil, looks: .oldBack)]])
  func theNumberTellsAnOldFrontWithoutOutline(_ found: [FakeCard]) {
    let files: [String: FakeImaging.File] = [
      "f": .pages([found]), "b": .pages([[FakeCard(face: .oldBack, payload: number)]]),
    ]
    var old = FakeCard(face: .oldFront)
    old.data.identityNumber = IdentityNumber(number)
    let record = scanner(FakeImaging(files, unfound: ["f": old])).scan(request()).record
    #expect(record.outcome == .matched)
    guard case .ocrSuccess(let result)? = record.events.last else { return #expect(Bool(false)) }
    #expect(result.documentType == .old)
  }

  @Test func aSymbolWithoutNumberOnAFrontMakesItNoBack() {
    var front = newFront()
    front.payload = "https://example.org"
    front.looks = .newBack
    let files: [String: FakeImaging.File] = [
      "f": .pages([[front]]), "b": .pages([[FakeCard(face: .newBack, payload: number)]]),
    ]
    #expect(scanner(FakeImaging(files)).scan(request()).record.outcome == .matched)
  }

  @Test func aPartOfABackIsNoSecondBack() {
    let part = FakeCard(face: nil, looks: .oldBack, looksProbability: 0.7)
    let files: [String: FakeImaging.File] = [
      "f": .pages([[FakeCard(face: .oldFront)]]), "b": .pages([[FakeCard(face: .oldBack, payload: number), part]]),
    ]
    #expect(scanner(FakeImaging(files)).scan(request()).record.outcome == .matched)
  }

  /// White paper around print may look like a back.
  @Test(arguments: [(0.45, Outcome.matched), (0.9, .noValidFrame)])
  func aGuessBesideABackThatIsReadIsNoSecondBack(_ outline: Double, _ outcome: Outcome) {
    var guess = FakeCard(face: nil, looks: .newBack, looksProbability: 0.97)
    guess.quality.outlineConfidence = outline
    let files: [String: FakeImaging.File] = [
      "f": .pages([[newFront()]]), "b": .pages([[FakeCard(face: .newBack, payload: number), guess]]),
    ]
    #expect(scanner(FakeImaging(files)).scan(request()).record.outcome == outcome)
  }

  /// Where the outline is not found, the parts of a PDF417 symbol may look like cards.
  @Test func whatLiesWithinTheSymbolIsNoCard() {
    func scan(_ found: [FakeCard]) -> PairRecord {
      let files: [String: FakeImaging.File] = ["f": .pages([[FakeCard(face: .oldFront)]]), "b": .pages([found])]
      return scanner(FakeImaging(files, unfound: ["b": FakeCard(face: .oldBack, payload: number)]))
        .scan(request()).record
    }
    var parts = [FakeCard(face: nil, looks: .oldBack), FakeCard(face: nil, looks: .oldBack, looksProbability: 0.7)]
    parts[0].corners = rectangle(0.1...0.4, 0.75...0.95)
    parts[1].corners = rectangle(0.5...0.8, 0.82...1)
    #expect(scan(parts).outcome == .matched)
    parts[0].corners = rectangle(0...0.8, 0.1...0.6)
    #expect(scan(parts).outcome == .matched, "one card, and a part of its symbol")
    parts[1].corners = rectangle(0...0.8, 0.2...0.7)
    #expect(scan(parts).outcome != .matched, "two cards: the symbol might be either's")
  }

  /// Where the outline is not found, print and paper may be taken for cards anywhere.
  @Test(arguments: [CardFace.oldBack, .newBack]) func whatIsTooSmallBesideTheSymbolIsNoCard(_ face: CardFace) {
    func scan(_ found: [FakeCard]) -> PairRecord {
      let files: [String: FakeImaging.File] = ["f": .pages([[FakeCard(face: .oldFront)]]), "b": .pages([found])]
      return scanner(FakeImaging(files, unfound: ["b": FakeCard(face: face, payload: number)])).scan(request()).record
    }
    let small = face == .oldBack ? 0.6 : 0.3
    let scraps = [0.0, 0.2].map { top in
      FakeCard(
        face: nil, looks: .newBack, looksProbability: 0.5, corners: rectangle(0...small, top...(top + 0.15)))
    }
    #expect(scan(scraps).outcome == .matched)
    let cards = [0.0, 0.4].map { top in
      FakeCard(face: nil, looks: .newBack, looksProbability: 0.5, corners: rectangle(0...0.8, top...(top + 0.4)))
    }
    #expect(scan(cards).outcome != .matched, "the symbol might be either's")
  }

  @Test func aBackWithoutItsBarcodeIsStillABack() {
    let files: [String: FakeImaging.File] = [
      "f": .pages([[newFront()]]), "b": .pages([[FakeCard(face: nil, looks: .newBack, looksProbability: 0.7)]]),
    ]
    let record = scanner(FakeImaging(files)).scan(request()).record
    #expect(record.outcome == .rescanBack)
    #expect(record.events.map(\.type) == [.frontSuccess, .backSuccess, .ocrFailure])
  }

  @Test func aPartOfABackThatIsLaidOutLikeAFrontIsNoFront() {
    let files: [String: FakeImaging.File] = [
      "f": .pages([[]]),
      "b": .pages([[FakeCard(face: .newBack, payload: number), FakeCard(face: .newFront, isOnlyLaidOut: true)]]),
    ]
    let record = scanner(FakeImaging(files)).scan(request()).record
    #expect(record.outcome == .noValidFrame)
  }

  /// A white copy's outline is never plain; its number is, and the print of a page costs a hundred times as much.
  @Test func anOldFrontWhoseNumberIsReadIsNotReadForPrint() {
    func scan(_ front: FakeCard) -> DocumentType? {
      guard case .ocrSuccess(let result)? = self.scan([front], back: .oldBack).events.last else { return nil }
      return result.documentType
    }
    var front = FakeCard(face: .oldFront)
    front.quality.outlineConfidence = 0.5
    #expect(scan(front) != .old, "the new front that the page's print shows was taken")
    front.data.identityNumber = IdentityNumber(number)
    #expect(scan(front) == .old)
  }

  @Test func anOldFrontInPlainViewIsNotReadForPrint() {
    let record = scan([FakeCard(face: .oldFront)], back: .oldBack)
    guard case .ocrSuccess(let result)? = record.events.last else { return #expect(Bool(false)) }
    #expect(result.documentType == .old && result.extractedData == ExtractedData())
  }
}
