package import CardModel
import CardReading

/// Reads the back of a card: its barcode decides, what is printed beside it is only held against it.
package struct BackReader: BackReadingCard {
  private let barcodes: any BarcodeDecoding
  private let text: any TextRecognising

  package init(barcodes: any BarcodeDecoding, text: any TextRecognising) {
    self.barcodes = barcodes
    self.text = text
  }

  package func read(_ card: Raster, likely: [Symbology]) -> BackReading {
    let decoded = barcodes.decode(card, likely: likely) { barcode in
      BarcodePayload.read(barcode.bytes, symbology: barcode.symbology).identityNumber != nil
    }
    return reading(of: decoded)
  }

  package func readPage(_ page: Raster) -> BackReading {
    // A Code 128's check character lets a misread pass that a second reading would not confirm.
    let decoded = barcodes.decodePage(page).filter { $0.symbology != .code128 }
    let numbers = Set(decoded.compactMap { BarcodePayload.read($0.bytes, symbology: $0.symbology).identityNumber })
    return numbers.count > 1 ? BackReading(reasons: [.severalPersonsOnPage]) : reading(of: decoded)
  }

  private func reading(of decoded: [DecodedBarcode]) -> BackReading {
    let readings = decoded.map { ($0, BarcodePayload.read($0.bytes, symbology: $0.symbology)) }
    // The payload that counts: one with a number, else one that may hold one, else any.
    guard
      let (barcode, payload) = readings.last(where: { $0.1.identityNumber != nil })
        ?? readings.first(where: { $0.1.kind == .ambiguous }) ?? readings.first
    else { return BackReading(reasons: [.barcodeNotFound]) }
    var fields = payload.fields
    if let candidate = payload.candidate { fields["candidateNumber"] = candidate.formatted }
    let reading = BarcodeReading(
      symbology: barcode.symbology, rung: barcode.rung, reader: barcode.reader, identityNumber: payload.identityNumber,
      fields: fields)
    let reasons: [Reason] =
      payload.identityNumber != nil ? [] : payload.kind == .ambiguous ? [.barcodeAmbiguous] : [.barcodeWithoutNumber]
    return BackReading(barcode: reading, symbolCorners: barcode.corners, reasons: reasons)
  }

  package func printedChecks(_ card: Raster, face: CardFace, barcode: BarcodeReading) -> [Check: CheckResult] {
    let printed = PrintedBack(card: card.grey(), text: text)
    guard face == .newBack, let number = barcode.identityNumber else {
      return [.backNumberMatchesBarcode: .notPerformed, .machineReadableZone: .notPerformed]
    }
    return [
      .backNumberMatchesBarcode: printed.numberCheck(against: number),
      .machineReadableZone: printed.machineReadableZoneCheck(against: number),
    ]
  }
}
