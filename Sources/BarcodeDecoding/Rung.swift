import CardModel

/// One step of a ladder: where to look, how to prepare the picture, and which reader to ask.
struct Rung: Sendable {
  enum Region: Sendable, Hashable {
    /// The image as given.
    case whole
    /// Regions dense in upright strokes, cut out straight.
    case bands
    /// The same, rows in any direction.
    case tiltedBands
  }
  enum Reader: Sendable, Equatable {
    case zxing(ZXingReader.Effort)
    case zbar
  }

  var name: String
  var region: Region
  var scale: Double
  var filters: [Filter]
  var reader: Reader
  /// What this rung can read; others are not asked of it.
  var symbologies: Set<Symbology>

  init(
    _ name: String, _ region: Region = .whole, scale: Double = 1, _ filters: [Filter] = [],
    _ binarizer: ZXingReader.Binarizer = .localAverage, rotated: Bool = false, downscaled: Bool = false,
    pure: Bool = false,
    reads symbologies: Set<Symbology> = Set(Symbology.allCases)
  ) {
    self.name = name
    self.region = region
    self.scale = scale
    self.filters = filters
    reader = .zxing(ZXingReader.Effort(binarizer: binarizer, rotated: rotated, downscaled: downscaled, pure: pure))
    self.symbologies = symbologies
  }

  /// A rung of the second reader.
  static func zbar(_ name: String, scale: Double = 1, _ filters: [Filter] = []) -> Rung {
    var rung = Rung(name, scale: scale, filters, reads: [.qr, .code128])
    rung.reader = .zbar
    return rung
  }
}
