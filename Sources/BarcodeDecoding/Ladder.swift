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
  func climb(_ rungs: [Rung], accept: (DecodedBarcode) -> Bool) -> [DecodedBarcode] {
    var decoded: [DecodedBarcode] = []
    for rung in rungs {
      for symbol in read(rung) {
        // A payload seen before was refused before.
        guard !decoded.contains(where: { $0.symbology == symbol.symbology && $0.bytes == symbol.bytes }) else {
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
          symbols.append(barcode(symbol, in: prepared, rung: rung.name, reader: "zxing"))
        }
      case .zbar:
        for symbol in zbar.read(prepared) {
          symbols.append(barcode(symbol, in: prepared, rung: rung.name, reader: "zbar"))
        }
      }
    }
    return symbols
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
