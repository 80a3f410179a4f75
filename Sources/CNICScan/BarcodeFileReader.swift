internal import BarcodeDecoding
internal import CardModel
internal import CardReading
internal import Imaging
package import RecordFormats
package import ScanPipeline

/// Reads the barcodes of image files, cards or not: what `cnicscan decode` prints.
package struct BarcodeFileReader {
  private let imaging = CardImager()
  private let decoder = CardBarcodeDecoder()
  private let limits: ImageLimits

  package init(limits: ImageLimits = ImageLimits()) { self.limits = limits }

  /// Every distinct barcode of every page: on the cards that are found, where damaged ones read best, and on the page as
  /// it is. It never throws: a file that cannot be used is a line with its reason.
  package func read(_ path: String, named name: String) -> DecodeLine {
    var barcodes: [DecodeLine.Barcode] = []
    do throws(ImageFailure) {
      for page in 0..<(try imaging.pageCount(of: path, limits: limits)) {
        var symbols = try imaging.findCards(in: path, page: page, limits: limits).flatMap { decode($0.image) }
        symbols += ImageBarcodeReader().read(
          try imaging.loadPage(page, of: path, limits: limits), thorough: symbols.isEmpty)
        for symbol in symbols where !barcodes.contains(where: { $0.page == page && $0.symbol.bytes == symbol.bytes }) {
          barcodes.append(line(of: symbol, page: page))
        }
      }
    } catch {
      return DecodeLine(file: name, barcodes: barcodes, reason: error.reason)
    }
    return DecodeLine(file: name, barcodes: barcodes, reason: barcodes.isEmpty ? .barcodeNotFound : nil)
  }

  private func decode(_ image: Raster) -> [DecodedBarcode] {
    decoder.decode(image, likely: Symbology.allCases) { symbol in
      BarcodePayload.read(symbol.bytes, symbology: symbol.symbology).identityNumber != nil
    }
  }

  private func line(of symbol: DecodedBarcode, page: Int) -> DecodeLine.Barcode {
    let payload = BarcodePayload.read(symbol.bytes, symbology: symbol.symbology)
    var fields = payload.fields
    if let candidate = payload.candidate { fields["candidateNumber"] = candidate.formatted }
    let reasons: [Reason] =
      payload.identityNumber != nil ? [] : payload.kind == .ambiguous ? [.barcodeAmbiguous] : [.barcodeWithoutNumber]
    return DecodeLine.Barcode(
      page: page, symbol: symbol, identityNumber: payload.identityNumber, fields: fields, reasons: reasons)
  }
}
