import CardModel
private import CZBar

/// ZBar as second reader for QR and Code 128; it cannot read PDF417.
///
/// *Ownership*: owns one scanner, freed in `deinit`. Not shared between threads.
final class ZBarReader {
  private let scanner: OpaquePointer?

  init() {
    scanner = zbar_image_scanner_create()
    _ = zbar_image_scanner_set_config(scanner, ZBAR_NONE, ZBAR_CFG_ENABLE, 0)
    for kind in [ZBAR_QRCODE, ZBAR_CODE128] {
      _ = zbar_image_scanner_set_config(scanner, kind, ZBAR_CFG_ENABLE, 1)
    }
    // Without this a QR's bytes are guessed to be some text encoding and rewritten.
    _ = zbar_image_scanner_set_config(scanner, ZBAR_QRCODE, ZBAR_CFG_BINARY, 1)
  }

  deinit { zbar_image_scanner_destroy(scanner) }

  /// Every QR and Code 128 symbol in the picture; a symbol that ZBar splits into parts is left to ZXing.
  func read(_ image: GreyImage) -> [ReadSymbol] {
    guard let scanner, let zbarImage = zbar_image_create() else { return [] }
    defer { zbar_image_destroy(zbarImage) }
    zbar_image_set_format(zbarImage, 0x3030_3859)  // The four characters Y800: 8-bit grey.
    zbar_image_set_size(zbarImage, UInt32(image.width), UInt32(image.height))
    return image.samples.withUnsafeBufferPointer { samples in
      // The samples outlive the scan, and the image is told to free nothing.
      zbar_image_set_data(zbarImage, samples.baseAddress, UInt(samples.count), nil)
      defer { zbar_image_set_data(zbarImage, nil, 0, nil) }
      guard zbar_scan_image(scanner, zbarImage) > 0 else { return [] }
      var symbols: [ReadSymbol] = []
      var symbol = zbar_image_first_symbol(zbarImage)
      while let current = symbol {
        if let read = Self.copy(current) { symbols.append(read) }
        symbol = zbar_symbol_next(current)
      }
      return symbols
    }
  }

  private static func copy(_ symbol: OpaquePointer) -> ReadSymbol? {
    let symbology: Symbology
    switch zbar_symbol_get_type(symbol) {
    case ZBAR_QRCODE: symbology = .qr
    case ZBAR_CODE128: symbology = .code128
    default: return nil
    }
    guard let data = zbar_symbol_get_data(symbol) else { return nil }
    let length = Int(zbar_symbol_get_data_length(symbol))
    let bytes = UnsafeRawBufferPointer(start: data, count: length)
    let count = zbar_symbol_get_loc_size(symbol)
    let points = (0..<count).map {
      (x: Double(zbar_symbol_get_loc_x(symbol, $0)), y: Double(zbar_symbol_get_loc_y(symbol, $0)))
    }
    return ReadSymbol(symbology: symbology, bytes: Array(bytes), corners: Self.corners(points, symbology: symbology))
  }

  /// Four corners: a QR's points go counter-clockwise from its top left; a linear symbol's are one point a scan line.
  private static func corners(_ points: [(x: Double, y: Double)], symbology: Symbology) -> [(x: Double, y: Double)] {
    if symbology == .qr, points.count == 4 { return [points[0], points[3], points[2], points[1]] }
    guard let first = points.first else { return [] }
    var (x0, y0, x1, y1) = (first.x, first.y, first.x, first.y)
    for point in points {
      (x0, y0, x1, y1) = (min(x0, point.x), min(y0, point.y), max(x1, point.x), max(y1, point.y))
    }
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]
  }
}
