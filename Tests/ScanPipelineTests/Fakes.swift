import CardModel
import CardReading
import Synchronization

@testable import ScanPipeline

/// What a fake frame shows: the fakes below read it from the first pixel of the image instead of looking at it.
struct FakeCard: Sendable {
  var face: CardFace?
  var payload: String? = nil
  var upsideDown = false
  /// Whether its symbol is read only where symbols that lie anyhow are looked for.
  var isSymbolAskew = false
  /// Whether its page holds symbols of several numbers.
  var isAmongOthers = false
  /// Whether the layout of a new front fits though nothing reads as one.
  var isOnlyLaidOut = false
  /// Whether its labels can be read on a page; its rows are seen all the same.
  var hasLabels = true
  /// Whether it lies so askew that on its page neither labels nor rows are seen.
  var isAskew = false
  /// Whether its outline lost a side of a new front, whose print stands level in it all the same.
  var holdsPrint = false
  /// What it looks like where that is not what it is.
  var looks: CardFace? = nil
  var looksProbability = 0.95
  var quality = FrameQuality(
    focus: 0.9, glare: 0, brightness: 0.7, cutOff: 0, cardWidthPixels: 1012, outlineConfidence: 0.9)
  var data = ExtractedData()
  /// How many of its values are sure.
  var surelyRead = FieldName.allCases.count
  /// How many fronts its page's print shows.
  var printedFronts = 1
  /// What it is when its print is looked for on the card itself: laid better.
  var closer: [FakeCard] = []
  var corners: [FractionPoint] = []
}

/// A rectangle's corners.
func rectangle(_ x: ClosedRange<Double>, _ y: ClosedRange<Double>) -> [FractionPoint] {
  [
    (x.lowerBound, y.lowerBound), (x.upperBound, y.lowerBound), (x.upperBound, y.upperBound),
    (x.lowerBound, y.upperBound),
  ]
  .map { FractionPoint(x: $0.0, y: $0.1) }
}

/// Frames by path: pages of cards, or a failure.
final class FakeImaging: CardImaging, FrontReadingCard, BackReadingCard {
  enum File: Sendable {
    case pages([[FakeCard]])
    case failing(Reason)
  }
  /// By the path's bytes: names that Unicode holds for equal are two files.
  private let files: [[UInt8]: File]
  let opened = Mutex<[String]>([])
  let fronts = Mutex<Int>(0)
  private let cards: Mutex<[FakeCard]> = Mutex([])
  private let laid: Mutex<Set<Int>> = Mutex([])
  /// Of each page that a card was laid on.
  let channelsLaidOn = Mutex<[Int]>([])
  /// The corners of each card that was laid.
  let placesLaid = Mutex<[[FractionPoint]]>([])

  /// Cards that stand on a page but whose outline is not found.
  let unfound: [String: FakeCard]

  init(_ files: [String: File], unfound: [String: FakeCard] = [:]) {
    self.files = Dictionary(uniqueKeysWithValues: files.map { (Array($0.key.utf8), $0.value) })
    self.unfound = unfound
  }

  init(listed files: [(String, File)]) {
    self.files = Dictionary(uniqueKeysWithValues: files.map { (Array($0.0.utf8), $0.1) })
    unfound = [:]
  }

  func pageCount(of path: String, limits: ImageLimits) throws(ImageFailure) -> Int {
    switch files[Array(path.utf8)] {
    case .pages(let pages): return pages.count
    case .failing(let reason): throw ImageFailure(reason)
    case nil: throw ImageFailure(.fileMissing)
    }
  }

  func findCards(in path: String, page: Int, limits: ImageLimits) throws(ImageFailure) -> [FoundCard] {
    opened.withLock { $0.append(path) }
    guard case .pages(let pages) = files[Array(path.utf8)] else { throw ImageFailure(.fileMissing) }
    return pages[page].map { card in
      let index = cards.withLock { all in
        all.append(card)
        return all.count - 1
      }
      var samples: [UInt8] = [UInt8(index), 0, 0, 255, 255, 255]
      if card.upsideDown { samples = [255, 255, 255, UInt8(index), 0, 0] }
      let looks =
        (card.looks ?? card.face).map {
          [FaceAppearance(face: $0, upsideDown: card.upsideDown, probability: card.looksProbability)]
        }
        ?? []
      return FoundCard(
        image: Raster(width: 2, height: 1, channels: 3, samples: samples), corners: card.corners, quality: card.quality,
        appearance: looks)
    }
  }

  /// The last card drawn outside any outline, where the fake page has one.
  func loadPage(
    _ page: Int, of path: String, limits: ImageLimits, longSidePixels: ClosedRange<Int>?
  ) throws(ImageFailure) -> Raster {
    guard let hidden = unfound[path] else { return Raster(width: 1, height: 1, channels: 3, samples: [254, 0, 0]) }
    let index = cards.withLock { all in
      all.append(hidden)
      return all.count - 1
    }
    return Raster(width: 2, height: 1, channels: 3, samples: [UInt8(index), 0, 0, 255, 255, 255])
  }

  func savePNG(_ card: CardPicture, widthPixels: Int, to path: String) throws(ImageFailure) {}
  func encodeJPEG(_ card: CardPicture, widthPixels: Int) throws(ImageFailure) -> [UInt8] { [] }

  private func card(_ image: Raster) -> FakeCard {
    let index = image.samples[0] == 255 ? image.samples[3] : image.samples[0]
    return cards.withLock { $0.indices.contains(Int(index)) ? $0[Int(index)] : FakeCard(face: nil) }
  }

  private func layoutFit(_ image: Raster) -> Double {
    card(image).face == .newFront && image.samples[0] != 255 ? 0.9 : 0.1
  }

  /// A fake card's print is its index, so that what was observed can be decided later.
  func observe(_ image: Raster, leastFit: Double) -> FrontObservation {
    guard layoutFit(image) >= leastFit else { return FrontObservation(layoutFit: layoutFit(image)) }
    fronts.withLock { $0 += 1 }
    let isLegible = image.samples[0] != 255 && card(image).quality.focus > 0.3
    let number = card(image).data.identityNumber.map {
      ObservedLine(first: ReadText($0.formatted), second: ReadText($0.formatted))
    }
    return FrontObservation(
      layoutFit: layoutFit(image),
      fields: number.map { [FieldObservation(field: .identityNumber, lines: [$0])] } ?? [],
      texts: [String(image.samples[0])],
      labelsRead: !card(image).isOnlyLaidOut && isLegible && card(image).face == .newFront ? 8 : 0)
  }

  func decide(_ observation: FrontObservation, barcodeNumber: IdentityNumber?) -> FrontReading {
    guard observation.labelsRead > 0, let index = observation.texts.first.flatMap({ Int($0) }) else {
      return FrontReading()
    }
    let card = cards.withLock { $0[index] }
    let sure = FieldName.allCases.prefix(card.surelyRead).map { ($0, 1.0) }
    return FrontReading(data: card.data, confidence: Dictionary(uniqueKeysWithValues: sure))
  }

  func oldFrontsNumber(_ image: Raster) -> IdentityNumber? { card(image).data.identityNumber }

  /// A page whose only card has no outline but print.
  func findFronts(on page: Raster) -> PrintedFronts {
    let card = card(page)
    let isOld = card.face == .oldFront && card.data.identityNumber != nil
    return PrintedFronts(
      new: fronts(on: page, withLabels: true), oldsTurn: isOld ? (card.upsideDown ? 2 : 0) : nil)
  }
  func guessFronts(on page: Raster, leastWidth: Double) -> [[FractionPoint]] { fronts(on: page, withLabels: false) }

  private func fronts(on page: Raster, withLabels: Bool) -> [[FractionPoint]] {
    let card = card(page)
    if card.holdsPrint, withLabels { return [rectangle(0...1, -0.2...1)] }
    return card.face == .newFront && card.hasLabels == withLabels && !card.isAskew
      ? Array(repeating: rectangle(0...1, 0...1), count: card.printedFronts) : []
  }

  func card(on page: Raster, corners: [FractionPoint]) -> FoundCard? {
    let (index, quality) = (Int(page.samples[0]), card(page).quality)
    let isFirst = laid.withLock { $0.insert(index).inserted }
    channelsLaidOn.withLock { $0.append(page.channels) }
    placesLaid.withLock { $0.append(corners) }
    guard !isFirst, let closer = card(page).closer.first else {
      // What is read is grey.
      let image = Raster(width: 2, height: 1, channels: 1, samples: [page.samples[0], 255])
      return FoundCard(
        image: image, picture: CardPicture(pixels: page, corners: corners), corners: corners, quality: quality,
        appearance: [])
    }
    let samples = cards.withLock { all in
      all.append(closer)
      return [UInt8(all.count - 1), 0, 0, 255, 255, 255]
    }
    return FoundCard(
      image: Raster(width: 2, height: 1, channels: 3, samples: samples), corners: corners, quality: quality,
      appearance: [])
  }

  func read(_ image: Raster, likely: [Symbology]) -> BackReading {
    card(image).isSymbolAskew ? BackReading(reasons: [.barcodeNotFound]) : readPage(image)
  }

  func readPage(_ image: Raster) -> BackReading {
    let card = card(image)
    if card.isAmongOthers { return BackReading(reasons: [.severalPersonsOnPage]) }
    guard let face = card.face, let payload = card.payload else { return BackReading(reasons: [.barcodeNotFound]) }
    // A front's own stands where chips stand; here the outline lost the card's left edge.
    let qr = face != .oldBack
    let corners =
      face.side == .front
      ? rectangle(0...0.12, 0.1...0.3) : qr ? rectangle(0.75...0.93, 0.14...0.4) : rectangle(0.1...0.9, 0.8...1)
    let placed = card.upsideDown ? corners.map { FractionPoint(x: 1 - $0.x, y: 1 - $0.y) } : corners
    let number = IdentityNumber(payload)
    return BackReading(
      barcode: BarcodeReading(symbology: qr ? .qr : .pdf417, rung: "fake", reader: "zxing", identityNumber: number),
      symbolCorners: placed, reasons: number == nil ? [.barcodeWithoutNumber] : [])
  }

  func printedChecks(_ card: Raster, face: CardFace, barcode: BarcodeReading) -> [Check: CheckResult] { [:] }
}

struct FakeImages: ImageStoring {
  var failing = false
  func save(_ card: CardPicture, as side: CardSide, pair id: String, source: FrameSource, widthPixels: Int)
    throws(ImageFailure)
    -> String
  {
    if failing { throw ImageFailure(.outputNotWritten) }
    return "/out/\(side.rawValue)_\(source.path)_\(source.page)_\(source.card)"
  }
}

func scanner(_ imaging: FakeImaging, images: FakeImages = FakeImages(), asOf: CardDate? = nil) -> PairScanner {
  PairScanner(
    imaging: imaging, front: imaging, back: imaging, images: images, settings: PairScanner.Settings(asOf: asOf),
    clock: { 0 })
}
