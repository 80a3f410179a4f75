import CardModel
private import CZXing

/// One symbol as a reader gave it, in the pixels of the picture it was given.
struct ReadSymbol {
  var symbology: Symbology
  var bytes: [UInt8]
  var corners: [(x: Double, y: Double)]
}

/// ZXing, through its C shim: one symbol a call.
enum ZXingReader {
  enum Binarizer: Int32, Sendable { case localAverage = 0, globalHistogram = 1, fixed = 2 }

  /// What a call is to try.
  struct Effort: Sendable, Equatable {
    var binarizer: Binarizer = .localAverage
    var rotated = false
    var downscaled = false
    var pure = false
  }

  static func read(_ image: GreyImage, _ symbologies: Set<Symbology>, _ effort: Effort) -> ReadSymbol? {
    var formats = 0
    for symbology in symbologies { formats |= bit(symbology) }
    var hints = czxing_hints(
      formats: Int32(formats), binarizer: effort.binarizer.rawValue, try_harder: 1, try_rotate: effort.rotated ? 1 : 0,
      try_downscale: effort.downscaled ? 1 : 0, is_pure: effort.pure ? 1 : 0)
    var symbol = czxing_symbol()
    let found = image.samples.withUnsafeBufferPointer {
      czxing_read($0.baseAddress, Int32(image.width), Int32(image.height), Int32(image.width), &hints, &symbol)
    }
    // -1, the library threw, is no reading either: this rung's chance is gone, the next may do better.
    guard found == 1, let payload = symbol.bytes, let symbology = symbology(Int(symbol.format)) else { return nil }
    defer { czxing_free(&symbol) }
    let c = symbol.corners
    let corners = [(c.0, c.1), (c.2, c.3), (c.4, c.5), (c.6, c.7)].map { (x: Double($0.0), y: Double($0.1)) }
    return ReadSymbol(
      symbology: symbology, bytes: Array(UnsafeBufferPointer(start: payload, count: symbol.length)), corners: corners)
  }

  private static func bit(_ symbology: Symbology) -> Int {
    switch symbology {
    case .qr: Int(CZXING_QR)
    case .pdf417: Int(CZXING_PDF417)
    case .code128: Int(CZXING_CODE128)
    }
  }

  private static func symbology(_ bit: Int) -> Symbology? {
    Symbology.allCases.first { self.bit($0) == bit }
  }
}
