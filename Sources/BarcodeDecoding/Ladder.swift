import CardModel
import ScanPipeline

/// Climbs rungs over one image. Pictures that several rungs share are made once.
final class Ladder {
  private let given: GreyImage
  private let zbar: ZBarReader
  private var regions: [Rung.Region: [GreyImage]] = [:]
  private var scaled: [Key: [GreyImage]] = [:]
  private struct Key: Hashable {
    var region: Rung.Region
    var scale: Double
  }

  init(_ image: GreyImage, zbar: ZBarReader) {
    given = image
    self.zbar = zbar
  }

  /// Every distinct payload read, the accepted one last.
  /// - Parameter needsSecondReading: payloads that count only once two rungs have read them alike.
  func climb(
    _ rungs: [Rung], needsSecondReading: (DecodedBarcode) -> Bool, accept: (DecodedBarcode) -> Bool
  ) -> [DecodedBarcode] {
    var decoded: [DecodedBarcode] = []
    var unconfirmed: [DecodedBarcode] = []
    for rung in rungs {
      for symbol in read(rung) {
        // A payload seen before was refused before.
        if decoded.contains(where: { $0.isSamePayload(as: symbol) }) { continue }
        if needsSecondReading(symbol), !unconfirmed.contains(where: { $0.isSamePayload(as: symbol) }) {
          unconfirmed.append(symbol)
          continue
        }
        decoded.append(symbol)
        if accept(symbol) { return decoded }
      }
    }
    return decoded
  }

  private func read(_ rung: Rung) -> [DecodedBarcode] {
    var symbols: [DecodedBarcode] = []
    for picture in pictures(rung) {
      var prepared: GreyImage? = picture
      for filter in rung.filters { prepared = prepared?.filtered(filter) }
      guard let prepared else { continue }
      switch rung.reader {
      case .zxing(let effort):
        if let symbol = ZXingReader.read(prepared, rung.symbologies, effort) {
          append(barcode(symbol, in: prepared, rung: rung.name, reader: "zxing"), to: &symbols)
        }
      case .zbar:
        for symbol in zbar.read(prepared) {
          append(barcode(symbol, in: prepared, rung: rung.name, reader: "zbar"), to: &symbols)
        }
      }
    }
    return symbols
  }

  /// One rung reads a payload once: its several pictures of one symbol are no second reading.
  private func append(_ symbol: DecodedBarcode, to symbols: inout [DecodedBarcode]) {
    if !symbols.contains(where: { $0.isSamePayload(as: symbol) }) { symbols.append(symbol) }
  }

  private func pictures(_ rung: Rung) -> [GreyImage] {
    let key = Key(region: rung.region, scale: rung.scale)
    if let known = scaled[key] { return known }
    let originals: [GreyImage]
    if let known = regions[rung.region] {
      originals = known
    } else {
      switch rung.region {
      case .whole: originals = [given]
      case .bands: originals = given.bands(tilted: false, limit: 2)
      case .tiltedBands: originals = given.bands(tilted: true, limit: 4)
      }
      regions[rung.region] = originals
    }
    let pictures = rung.scale == 1 ? originals : originals.compactMap { $0.scaled(by: rung.scale) }
    scaled[key] = pictures
    return pictures
  }

  private func barcode(_ symbol: ReadSymbol, in picture: GreyImage, rung: String, reader: String) -> DecodedBarcode {
    let corners = symbol.corners.map { corner in
      let place = picture.toGiven(corner.x, corner.y)
      return FractionPoint(x: place.x / Double(given.width), y: place.y / Double(given.height))
    }
    return DecodedBarcode(
      symbology: symbol.symbology, bytes: symbol.bytes, corners: corners, rung: rung, reader: reader)
  }
}

extension DecodedBarcode {
  func isSamePayload(as other: DecodedBarcode) -> Bool { symbology == other.symbology && bytes == other.bytes }
}
