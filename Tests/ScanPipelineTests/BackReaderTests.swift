import CardModel
import Testing

@testable import ScanPipeline

/// Gives what it was told, in order, until the caller accepts, as the port promises.
private struct ScriptedBarcodes: BarcodeDecoding {
  var symbols: [DecodedBarcode]

  func decode(_ image: Raster, likely: [Symbology], accept: (DecodedBarcode) -> Bool) -> [DecodedBarcode] {
    var out: [DecodedBarcode] = []
    for symbol in symbols {
      out.append(symbol)
      if accept(symbol) { break }
    }
    return out
  }

  func decodePage(_ page: Raster) -> [DecodedBarcode] { symbols }
}

/// Reads the same text from everything.
private struct ScriptedText: TextRecognising {
  var card = ""
  var second = ""

  func recogniseLine(_ line: Raster, model: TextModel) -> RecognisedLine {
    let text = model == .card ? card : second
    return RecognisedLine(
      text: text, confidence: 1, symbols: [], box: PixelBox(x: 0, y: 0, width: line.width, height: line.height))
  }
  func recognisePage(_ image: Raster) -> [RecognisedLine] { [] }
}

@Suite struct BackReaderTests {
  private let blank = Raster(width: 8, height: 5, channels: 1, samples: [UInt8](repeating: 255, count: 40))

  private func symbol(_ text: String, _ symbology: Symbology, at x: Double = 0.84, _ y: Double = 0.27) -> DecodedBarcode
  {
    let corners = [(-0.1, -0.1), (0.1, -0.1), (0.1, 0.1), (-0.1, 0.1)].map { FractionPoint(x: x + $0.0, y: y + $0.1) }
    return DecodedBarcode(symbology: symbology, bytes: Array(text.utf8), corners: corners, rung: "r", reader: "zxing")
  }

  private func read(_ symbols: [DecodedBarcode]) -> BackReading {
    BackReader(barcodes: ScriptedBarcodes(symbols: symbols), text: ScriptedText()).read(blank, likely: [.qr])
  }

  @Test func aNumberComesWithItsFieldsAndPlace() throws {
    let reading = read([symbol("73051288640142101000000171", .qr)])
    #expect(reading.barcode?.identityNumber?.formatted == "42101-0000001-7")
    #expect(reading.barcode?.fields["serial"] == "730512886401")
    #expect(reading.reasons.isEmpty)
    let centre = try #require(reading.symbolCentre)
    #expect(abs(centre.x - 0.84) < 1e-9)
    #expect(abs(centre.y - 0.27) < 1e-9)
  }

  @Test func aPagesNumberCountsWhereNoSymbolGivesAnother() {
    func read(_ symbols: [DecodedBarcode]) -> BackReading {
      BackReader(barcodes: ScriptedBarcodes(symbols: symbols), text: ScriptedText()).readPage(blank)
    }
    let mine = symbol("73051288640142101000000171", .qr), same = symbol("4210100000017", .qr)
    let other = symbol("73051288640135202000000181", .qr)
    #expect(read([mine, same]).barcode?.identityNumber?.formatted == "42101-0000001-7")
    #expect(read([mine, other]) == BackReading(reasons: [.severalPersonsOnPage]))
    #expect(read([symbol("4210100000017", .code128)]).barcode == nil, "read once, which may be a misreading")
    #expect(read([]).reasons == [.barcodeNotFound])
  }

  @Test func nothingDecodedIsNotFound() {
    #expect(read([]) == BackReading(reasons: [.barcodeNotFound]))
  }

  @Test func decodedWithoutANumberIsToldApart() {
    let reading = read([symbol("https://example.org", .qr)])
    #expect(reading.reasons == [.barcodeWithoutNumber])
    #expect(reading.barcode?.identityNumber == nil)
  }

  @Test func anAmbiguousPayloadNamesItsCandidateAndGivesNoNumber() {
    let reading = read([symbol("https://example.org", .qr), symbol("421010000001702", .code128)])
    #expect(reading.reasons == [.barcodeAmbiguous])
    #expect(reading.barcode?.identityNumber == nil)
    #expect(reading.barcode?.fields["candidateNumber"] == "42101-0000001-7")
  }

  @Test func aPayloadWithoutANumberDoesNotEndTheSearch() {
    let reading = read([symbol("https://example.org", .qr), symbol("4210100000017", .code128)])
    #expect(reading.barcode?.symbology == .code128)
    #expect(reading.barcode?.identityNumber?.digits == "4210100000017")
  }

  // MARK: The printed number

  /// A white card with a dark bar where the number is printed, 15 characters long in proportion.
  private var cardWithNumber: Raster {
    var samples = [UInt8](repeating: 240, count: 1518 * 957)
    for y in 60..<90 {
      for x in stride(from: 1100, to: 1400, by: 1) where x % 20 < 12 { samples[y * 1518 + x] = 20 }
    }
    return Raster(width: 1518, height: 957, channels: 1, samples: samples)
  }

  private func check(card: String, second: String) -> CheckResult? {
    let reading = BarcodeReading(
      symbology: .qr, rung: "r", reader: "zxing", identityNumber: IdentityNumber("4210100000017"))
    let reader = BackReader(barcodes: ScriptedBarcodes(symbols: []), text: ScriptedText(card: card, second: second))
    return reader.printedChecks(cardWithNumber, face: .newBack, barcode: reading)[.backNumberMatchesBarcode]
  }

  @Test func thePrintedNumberPassesWhereItIsTheBarcodes() {
    #expect(check(card: "42101-0000001-7", second: "junk") == .pass)
    #expect(check(card: "42101-00000l-7", second: "42101-0000001-7") == .pass)
  }

  @Test func aDifferentNumberFailsOnlyWhereBothNetworksReadIt() {
    #expect(check(card: "42101-0000002-7", second: "42101-0000002-7") == .fail)
    #expect(check(card: "42101-0000002-7", second: "42101-0000001-7") == .notPerformed)
    #expect(check(card: "42101-00000l-7", second: "42101-0000002-7") == .notPerformed)
    #expect(check(card: "words", second: "42101-0000001-7") == .notPerformed, "no number stands there")
    #expect(check(card: "", second: "") == .notPerformed)
  }

  @Test func oldBacksHaveNeitherCheck() {
    let reading = BarcodeReading(
      symbology: .pdf417, rung: "r", reader: "zxing", identityNumber: IdentityNumber("4210100000017"))
    let reader = BackReader(barcodes: ScriptedBarcodes(symbols: []), text: ScriptedText())
    let checks = reader.printedChecks(cardWithNumber, face: .oldBack, barcode: reading)
    #expect(checks == [.backNumberMatchesBarcode: .notPerformed, .machineReadableZone: .notPerformed])
  }
}
