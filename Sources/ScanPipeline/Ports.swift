package import CardModel

// The ports of one pair's scan. Each stands here, with its consumer; a real adapter and a test fake exist for each.

/// Bounds on what is decoded, checked before any pixel is.
package struct ImageLimits: Sendable, Equatable {
  package var fileBytes: Int
  package var pixels: Int
  package var pages: Int
  package var allowPDF: Bool
  package init(fileBytes: Int = 64 << 20, pixels: Int = 120_000_000, pages: Int = 50, allowPDF: Bool = false) {
    self.fileBytes = fileBytes
    self.pixels = pixels
    self.pages = pages
    self.allowPDF = allowPDF
  }
}

/// Why a file or page gave no image. `reason` is one of the file codes of `Reason`; `diagnostic` is the library's own
/// words for the log of a developer: it never holds a path or anything read from a card, and nothing branches on it.
package struct ImageFailure: Error, Sendable, Equatable {
  package var reason: Reason
  package var diagnostic: String
  package init(_ reason: Reason, diagnostic: String = "") {
    self.reason = reason
    self.diagnostic = diagnostic
  }
}

/// A card in its file's colours, as it lies there: rendered upright at whatever width is asked, and not before. All reading is done
/// in grey, so that colours are unwarped once, at the width of the saved image.
package struct CardPicture: Sendable {
  /// RGB or grey; at least the part of a page that holds the card.
  package var pixels: Raster
  /// In fractions of `pixels`, clockwise from the upright card's top left; they may lie outside.
  package var corners: [FractionPoint]

  package init(pixels: Raster, corners: [FractionPoint]) {
    self.pixels = pixels
    self.corners = corners
  }

  /// An image that is a card from edge to edge.
  package init(whole image: Raster) { self.init(pixels: image, corners: Self.wholeCorners) }

  package var isWhole: Bool { corners == Self.wholeCorners }

  /// The same card after clockwise quarter turns.
  package func turned(quarters: Int) -> CardPicture {
    let first = (4 - quarters % 4) % 4
    return CardPicture(pixels: pixels, corners: Array(corners[first...] + corners[..<first]))
  }

  private static let wholeCorners = [(0, 0), (1, 0), (1, 1), (0, 1)].map { FractionPoint(x: $0.0, y: $0.1) }
}

/// A card found on a page: unwarped, landscape, right side up up to a half turn.
package struct FoundCard: Sendable {
  /// What is read: grey, ID-1 proportions (85.60 : 53.98); `Self.widthPixels` wide, or 1012 where a front has no more to show.
  package var image: Raster
  /// What is shown and saved.
  package var picture: CardPicture
  /// The card's corners on the page in fractions of it, clockwise from the corner that became the top left.
  package var corners: [FractionPoint]
  package var quality: FrameQuality
  /// How much it looks like each face, either way up; probabilities, best first.
  package var appearance: [FaceAppearance]
  /// - Parameter picture: `image` itself where nothing is given.
  package init(
    image: Raster, picture: CardPicture? = nil, corners: [FractionPoint], quality: FrameQuality,
    appearance: [FaceAppearance]
  ) {
    self.image = image
    self.picture = picture ?? CardPicture(whole: image)
    self.corners = corners
    self.quality = quality
    self.appearance = appearance
  }
  /// 450 dpi on the card: 1518 x 957.
  package static let widthPixels = 1518
  package static let heightPixels = 957
}

/// The probability that an image shows a face, upright or upside down, from its looks alone.
package struct FaceAppearance: Sendable, Equatable {
  package var face: CardFace
  package var upsideDown: Bool
  package var probability: Double
  package init(face: CardFace, upsideDown: Bool, probability: Double) {
    self.face = face
    self.upsideDown = upsideDown
    self.probability = probability
  }
}

/// Loads images safely and finds the cards in them.
package protocol CardImaging {
  /// The number of pages that may be asked for, 1 for single images.
  /// - Throws: `ImageFailure` for a file that is missing, refused by `limits`, of a blocked format, or damaged.
  func pageCount(of path: String, limits: ImageLimits) throws(ImageFailure) -> Int
  /// Every card on a page, largest first; empty when there is none.
  func findCards(in path: String, page: Int, limits: ImageLimits) throws(ImageFailure) -> [FoundCard]
  /// A whole page, upright, as it is: no card is looked for.
  /// - Parameter longSidePixels: it is reduced or, threefold at most, enlarged into that range; `nil` for the file's own pixels.
  func loadPage(
    _ page: Int, of path: String, limits: ImageLimits, longSidePixels: ClosedRange<Int>?
  ) throws(ImageFailure) -> Raster
  /// The card whose corners somebody else has found on a loaded page.
  /// - Parameter corners: in fractions of the page, clockwise from the card's top left; they may lie outside the page.
  /// - Returns: `nil` where they make no quadrilateral.
  func card(on page: Raster, corners: [FractionPoint]) -> FoundCard?
  /// Writes the card as a PNG of that width, aspect kept, mode 0600, under a temporary name and then renamed.
  /// - Throws: `ImageFailure(.outputNotWritten)`.
  func savePNG(_ card: CardPicture, widthPixels: Int, to path: String) throws(ImageFailure)
  /// The card as a JPEG file's bytes at that width (iOS delivery).
  func encodeJPEG(_ card: CardPicture, widthPixels: Int) throws(ImageFailure) -> [UInt8]
}

extension CardImaging {
  package func loadPage(_ page: Int, of path: String, limits: ImageLimits) throws(ImageFailure) -> Raster {
    try loadPage(page, of: path, limits: limits, longSidePixels: nil)
  }
}

/// The network that reads a line.
package enum TextModel: Sendable, Equatable {
  /// Our model, fine-tuned on card values.
  case card
  /// Our second model, trained on other lines: its mistakes are mostly others.
  case second
  /// Debian's `eng`.
  case stock
}

/// One symbol of a recognised line. `left` and `right` are pixels in the line's image, as is `middle`, the height of its word's middle:
/// of a line that rises or falls, other than the line's own.
package struct RecognisedSymbol: Sendable, Equatable {
  package var text: String
  package var confidence: Double
  package var left: Int
  package var right: Int
  package var middle: Int
  package init(text: String, confidence: Double, left: Int, right: Int, middle: Int) {
    self.text = text
    self.confidence = confidence
    self.left = left
    self.right = right
    self.middle = middle
  }
}

/// A recognised line. `confidence` is the reader's own, 0...1, not calibrated. `text` may be empty.
package struct RecognisedLine: Sendable, Equatable {
  package var text: String
  package var confidence: Double
  package var symbols: [RecognisedSymbol]
  /// Where the line stands in the image given.
  package var box: PixelBox
  package init(text: String, confidence: Double, symbols: [RecognisedSymbol], box: PixelBox) {
    self.text = text
    self.confidence = confidence
    self.symbols = symbols
    self.box = box
  }
}

/// Reads text from pixels. It never fails: what cannot be read is empty text.
package protocol TextRecognising {
  /// One line of text that fills its image, cut tightly (grey).
  func recogniseLine(_ line: Raster, model: TextModel) -> RecognisedLine
  /// Every line on an image, top to bottom, with the stock model.
  func recognisePage(_ image: Raster) -> [RecognisedLine]
}

/// A barcode as decoded, before anything is made of its payload.
package struct DecodedBarcode: Sendable, Equatable {
  package var symbology: Symbology
  /// The exact payload.
  package var bytes: [UInt8]
  /// The symbol's corners in fractions of the image given, in the symbol's own order from its top left.
  package var corners: [FractionPoint]
  package var rung: String
  /// `zxing` or `zbar`.
  package var reader: String
  package init(symbology: Symbology, bytes: [UInt8], corners: [FractionPoint], rung: String, reader: String) {
    self.symbology = symbology
    self.bytes = bytes
    self.corners = corners
    self.rung = rung
    self.reader = reader
  }
}

/// Decodes barcodes: a ladder of attempts, the likeliest first.
package protocol BarcodeDecoding {
  /// Climbs the ladder until a payload satisfies `accept`.
  /// - Parameter image: a card's back, either way up, or any other image.
  /// - Parameter likely: symbologies in the order they are to be expected; all are tried.
  /// - Returns: every distinct payload decoded on the way, the accepted one last; empty when nothing decodes.
  func decode(_ image: Raster, likely: [Symbology], accept: (DecodedBarcode) -> Bool) -> [DecodedBarcode]

  /// Looks for symbols anywhere on a page, however they lie.
  /// - Returns: every distinct one, in the order in which they were read. A Code 128 may have been read once only.
  func decodePage(_ page: Raster) -> [DecodedBarcode]
}
