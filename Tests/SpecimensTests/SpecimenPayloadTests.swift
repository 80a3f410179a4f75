import BarcodeDecoding
import CardModel
import ScanPipeline
import Testing

@testable import Specimens

/// Payloads: their structure, and that a reader gets them back from the drawn card byte for byte.
@Suite struct SpecimenPayloadTests {
  private func pairs(_ change: (inout SpecimenOptions) -> Void, count: Int) throws -> [PairDrawing] {
    var options = SpecimenOptions()
    change(&options)
    let set = try SpecimenSet(seed: 41, count: count, level: .clean, options: options)
    return try (0..<count).map { try PairDrawing(set: set, index: $0) }
  }

  @Test func aNewCardsCodeHolds26DigitsWithTheNumberAtItsPlace() throws {
    for pair in try pairs({ ($0.oldShare, $0.overseasShare) = (0, 0) }, count: 10) {
      let code = try #require(pair.back.barcode)
      #expect(code.symbology == .qr && code.columns == 21)
      #expect(code.payload.count == 26 && code.payload.allSatisfy { (0x30...0x39).contains($0) })
      #expect(String(decoding: code.payload[12..<25], as: UTF8.self) == pair.person.number.digits)
    }
  }

  @Test func anOldCardsCodeHoldsSegmentsAndLowBytes() throws {
    for pair in try pairs({ ($0.newShare, $0.overseasShare) = (0, 0) }, count: 10) {
      let code = try #require(pair.back.barcode)
      #expect(code.symbology == .pdf417)
      let segments = code.payload.split(separator: 0x0D).map { String(decoding: $0, as: UTF8.self) }
      #expect(segments[0].count == 16, "letters, digits and a time stamp")
      #expect(segments[1] == pair.person.number.digits)
      #expect(segments[2] == pair.person.familyNumber)
      #expect(segments[3].count == 10 && segments[3].contains("/"))
      let low = code.payload.split(separator: 0x0D)[4]
      let text = String(
        String.UnicodeScalarView(low.compactMap { Unicode.Scalar($0 == 0x20 ? 0x20 : 0x600 + UInt32($0)) }))
      #expect(text == pair.person.nameUrdu)
    }
  }

  @Test func unusualPayloadsAreSaidToBeSo() throws {
    var options = SpecimenOptions()
    options.unusualPayloadPercent = 100
    let set = try SpecimenSet(seed: 8, count: 16, level: .hard, options: options)
    var shapes: Set<String> = []
    for index in 0..<16 {
      let truth = try set.specimen(at: index).truth
      let barcode = try #require(truth.back.barcode)
      shapes.insert(barcode.shape)
      if barcode.shape == PayloadShape.webAddress.rawValue { #expect(truth.barcodeNumber == nil) }
      if barcode.shape == PayloadShape.numberAlone.rawValue { #expect(truth.barcodeNumber == truth.identityNumber) }
    }
    #expect(shapes.count >= 3 && !shapes.contains("usual"))
  }

  @Test func aReaderGetsEveryPayloadBack() throws {
    let decoder = CardBarcodeDecoder()
    let set = try SpecimenSet(seed: 58, count: 14, level: .clean)
    for index in 0..<14 {
      let pair = try PairDrawing(set: set, index: index)
      let code = try #require(pair.back.barcode)
      let found = decoder.decode(try set.face(at: index, .back), likely: [code.symbology]) { $0.bytes == code.payload }
      #expect(found.last?.bytes == code.payload)
      #expect(found.last?.symbology == code.symbology)
    }
  }
}
