import CardModel
import Testing

@testable import CardReading

/// Payload shapes of facts/cards.md, its traps, and their neighbours. Every number is made up.
@Suite struct BarcodePayloadTests {
  private var number: IdentityNumber? { IdentityNumber("4210100000017") }

  private func read(_ text: String, _ symbology: Symbology = .pdf417) -> BarcodePayload {
    BarcodePayload.read(Array(text.utf8), symbology: symbology)
  }

  // MARK: New cards

  @Test func aQRCodeOf26DigitsHoldsTheNumberAt12() {
    let payload = read("73051288640142101000000171", .qr)
    #expect(payload.kind == .qr26)
    #expect(payload.identityNumber == number)
    #expect(payload.fields == ["serial": "730512886401", "trailingDigit": "1"])
  }

  @Test func theNumbersPlaceIn26DigitsIsFixedEvenWhenAnotherWindowLooksLikeOne() {
    // [0..<13], [1..<14] and [13..<26] hold other well-formed numbers.
    let payload = read("42101000000173520200000021", .qr)
    #expect(payload.identityNumber?.digits == "7352020000002")
    #expect(payload.candidate == nil)
  }

  @Test func twentySixDigitsWithAnImpossibleRegionHoldNoNumber() {
    #expect(read("73051288640192101000000171", .qr) == BarcodePayload(kind: .withoutNumber))
    #expect(read("73051288640102101000000171", .qr) == BarcodePayload(kind: .withoutNumber))
  }

  @Test(arguments: [Symbology.pdf417, .code128]) func twentySixDigitsOutsideAQRCodeAreNoNewCard(_ symbology: Symbology)
  {
    #expect(read("73051288640142101000000171", symbology).identityNumber == nil)
  }

  @Test(arguments: ["7305128864014210100000017", "730512886401421010000001712", "7305128864014210100000017A"])
  func aQRCodeOfAnotherLengthOrWithALetterIsNotANewCards(_ text: String) {
    #expect(read(text, .qr).identityNumber == nil)
  }

  // MARK: The number alone

  @Test(arguments: [
    "4210100000017", "42101-0000001-7", " 4210100000017\r\n", "4210100000017\0\0", "۴۲۱۰۱۰۰۰۰۰۰۱۷", "٤٢١٠١-٠٠٠٠٠٠١-٧",
  ]) func theNumberAloneIsTheNumber(_ text: String) {
    for symbology in Symbology.allCases {
      #expect(read(text, symbology) == BarcodePayload(kind: .plainNumber, identityNumber: number))
    }
  }

  @Test(arguments: [
    "0210100000017", "9210100000017", "421010000001", "4210-10000001-7", "42101-00000017", "4210100000O17",
  ])
  func whatIsNotANumberOfAKnownRegionIsNone(_ text: String) {
    #expect(read(text, .code128).identityNumber == nil)
  }

  // MARK: Code 128 with digits around the number

  @Test(arguments: ["421010000001702", "024210100000017"]) func digitsBeforeOrAfterTheNumberAreAmbiguous(_ text: String)
  {
    for symbology in Symbology.allCases {
      #expect(read(text, symbology) == BarcodePayload(kind: .ambiguous, candidate: number))
    }
  }

  @Test func aRunOfDigitsWithoutAPossibleNumberIsWithoutNumber() {
    #expect(read("00000000000000", .code128) == BarcodePayload(kind: .withoutNumber))
    #expect(read(String(repeating: "4", count: 27), .code128) == BarcodePayload(kind: .withoutNumber))
  }

  // MARK: What is no card's

  @Test(arguments: [
    "https://example.org/4210100000017", "NDIxMDEwMDAwMDAxNw==", "HELLO", "12345", "", "\r\r\n",
    "4210100000017,3520200000021",
    "BEGIN:VCARD\nTEL:4210100000017\nEND:VCARD", "PK4210100000017X",
  ]) func otherContentIsDecodedWithoutANumber(_ text: String) {
    for symbology in Symbology.allCases {
      #expect(read(text, symbology) == BarcodePayload(kind: .withoutNumber))
    }
  }

  @Test func binaryContentIsWithoutNumber() {
    #expect(BarcodePayload.read(Array(0...255), symbology: .pdf417).identityNumber == nil)
    #expect(BarcodePayload.read([0xFF, 0xFE, 0x00], symbology: .qr) == BarcodePayload(kind: .withoutNumber))
  }

  @Test func aNumberOnALineOfPlainTextIsAmbiguousNotTrusted() {
    let payload = read("hello there\n4210100000017\nmore text to read", .qr)
    #expect(payload == BarcodePayload(kind: .ambiguous, candidate: number))
  }
}
