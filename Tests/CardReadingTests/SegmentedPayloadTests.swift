import CardModel
import Testing

@testable import CardReading

/// Old cards' PDF417 payloads. Every number and name is made up.
@Suite struct SegmentedPayloadTests {
  private var number: IdentityNumber? { IdentityNumber("4210100000017") }
  private let urdu = "محمد علی"

  private func payload(_ segments: [[UInt8]], divider: String = "\r") -> BarcodePayload {
    BarcodePayload.read(Array(segments.joined(separator: Array(divider.utf8))), symbology: .pdf417)
  }

  private func oldCard(number: String = "4210100000017", emptySegment: Bool = true) throws -> [[UInt8]] {
    let name = try #require(LowByteUrdu.encode(urdu))
    let father = try #require(LowByteUrdu.encode("غلام رسول"))
    let address = try #require(LowByteUrdu.encode("مکان ۱۲، گلی ۳، کراچی"))
    let head = ["A0X1200801021234"] + (emptySegment ? [""] : []) + [number, "R0X00M", "01/01/1970"]
    return head.map { Array($0.utf8) } + [name, father, address]
  }

  @Test(arguments: ["\r", "\n", "\r\n", "<CR>", "<CR><LF>", "\u{1D}", "\r\r"], [true, false])
  func theSegmentWithTheNumberWinsOverTheStamp(_ divider: String, _ emptySegment: Bool) throws {
    let payload = payload(try oldCard(emptySegment: emptySegment), divider: divider)
    #expect(payload.kind == .segmented)
    #expect(payload.identityNumber == number)
    #expect(
      payload.fields == [
        "controlNumber": "A0X1200801021234", "familyNumber": "R0X00M", "dateOfBirth": "01.01.1970", "name": urdu,
        "fatherName": "غلام رسول", "address": "مکان ۱۲، گلی ۳، کراچی",
      ])
  }

  @Test func aNumberWithDashesIsTheSame() throws {
    #expect(payload(try oldCard(number: "42101-0000001-7")).identityNumber == number)
  }

  @Test func aControlNumberAloneHoldsNoNumber() {
    #expect(payload([Array("A0X1200801021234".utf8)]).identityNumber == nil)
    #expect(payload([Array("A0X1200801021234".utf8), Array("R0X00M".utf8)]).identityNumber == nil)
  }

  @Test func aNumberThatLooksLikeAStampIsTrustedInItsOwnSegment() throws {
    let payload = payload(try oldCard(number: "4200801021234"))
    #expect(payload.identityNumber?.digits == "4200801021234")
  }

  @Test func theNumberMayStandBeforeTheControlNumber() {
    for number in ["4210100000017", "4200801021234"] {
      let payload = payload([number, "A0X1200801021234", "R0X00M", "01/01/1970"].map { Array($0.utf8) })
      #expect(payload.kind == .segmented)
      #expect(payload.identityNumber?.digits == number)
      #expect(payload.fields["controlNumber"] == "A0X1200801021234")
    }
  }

  @Test func aControlNumberNeedsNoRealDateInItsOwnSegment() {
    let payload = payload(["A0X3999999999999", "4210100000017", "0D6SQJ", "01/01/1970"].map { Array($0.utf8) })
    #expect(payload.identityNumber == number)
    #expect(payload.fields["controlNumber"] == "A0X3999999999999")
  }

  @Test func aStampInTheControlNumbersPlaceIsNotTrusted() {
    let segments = ["1200801021234", "R0X00M", "01/01/1970"].map { Array($0.utf8) }
    #expect(payload(segments).kind == .ambiguous)
    #expect(payload(segments).identityNumber == nil)
  }

  @Test func twoDifferentNumbersAreAmbiguousAndTwoEqualOnesAreNot() {
    func read(_ second: String) -> BarcodePayload {
      payload(["A0X1200801021234", "4210100000017", second, "01/01/1970"].map { Array($0.utf8) })
    }
    #expect(read("3520200000021").kind == .ambiguous)
    #expect(read("3520200000021").identityNumber == nil)
    #expect(read("3520200000021").candidate == number)
    #expect(read("4210100000017").identityNumber == number)
  }

  @Test func lettersThatLookLikeDigitsAfterTheDateAreNoNumber() throws {
    // REH, ZAIN, SEEN ... AIN are the bytes of "2".."9": thirteen of them would pass for a number.
    let letters = "شزدرسزررررررس"
    #expect(LowByteUrdu.encode(letters)?.count == 13)
    let segments = ["A0X1200801021234", "R0X00M", "01/01/1970"].map { Array($0.utf8) }
    #expect(payload(segments + [Array("4210100000017".utf8)]).identityNumber == nil)
  }

  // MARK: No delimiters

  private func undelimited(_ text: String) -> BarcodePayload {
    BarcodePayload.read(Array(text.utf8), symbology: .pdf417)
  }

  @Test func withoutDelimitersTheNumberFollowsTheStamp() throws {
    let name = try #require(LowByteUrdu.encode(urdu))
    let bytes = Array("A0X12008010212344210100000017R0X00M01/01/1970".utf8) + name
    let payload = BarcodePayload.read(bytes, symbology: .pdf417)
    #expect(payload.identityNumber == number)
    #expect(payload.fields["controlNumber"] == "A0X1200801021234")
    #expect(payload.fields["familyNumber"] == "R0X00M")
    #expect(payload.fields["dateOfBirth"] == "01.01.1970")
    #expect(payload.fields["text"] == urdu)
  }

  @Test(arguments: [
    // The family number begins with a digit: where the number ends is a guess.
    "A0X1200801021234421010000001770X00M01/01/1970",
    // Two stamps fit one inside the other.
    "A0X120082008010212344210100000017R0X00M",
    // No control number.
    "4210100000017R0X00M01/01/1970",
    // The stamp's run and two runs after it.
    "A0X1200801021234R4210100000017R3520200000021",
  ]) func withoutDelimitersDoubtIsAmbiguousOrNothing(_ text: String) {
    #expect(undelimited(text).identityNumber == nil)
    #expect(undelimited(text).kind != .segmented)
  }

  @Test func withoutDelimitersTheStampNeverWins() {
    for text in [
      "A0X1200801021234", "A0X1200801021234R0X00M", "A0X1200801021234R0X00M01/01/1970",
      "A0X12008010212349210100000017R",
    ] {
      #expect(undelimited(text).identityNumber == nil)
      #expect(undelimited(text).candidate == nil)
    }
  }

  @Test func anUndelimitedPayloadOfAnotherSymbologyIsNoCards() {
    let bytes = Array("A0X12008010212344210100000017R0X00M01/01/1970".utf8)
    #expect(BarcodePayload.read(bytes, symbology: .qr) == BarcodePayload(kind: .withoutNumber))
  }
}

@Suite struct LowByteUrduTests {
  @Test func everyLetterOfUrduComesBack() throws {
    let text = "ابپتٹثجچحخدڈذرڑزژسشصضطظعغفقکگلمنںوہھءیےئآ۔، ۰۱۲۳۴۵۶۷۸۹"
    #expect(LowByteUrdu.decode(try #require(LowByteUrdu.encode(text))) == text)
  }

  @Test func whatHasNoPlaceIsRefusedByTheWriter() {
    #expect(LowByteUrdu.encode("A") == nil)
    #expect(LowByteUrdu.encode("\u{0620}") == nil)
    #expect(LowByteUrdu.encode("\r") == nil)
  }

  @Test func paddingAndBlanksAroundAreDropped() {
    #expect(LowByteUrdu.decode([0x00, 0x20, 0x39, 0x44, 0xCC, 0x20, 0x00]) == "علی")
    #expect(LowByteUrdu.decode([UInt8]()).isEmpty)
  }

  @Test func textThatIsUTF8AlreadyStaysAsItIs() {
    #expect(LowByteUrdu.decode(Array("علی".utf8)) == "علی")
  }
}
