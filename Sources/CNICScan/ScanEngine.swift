package import CardModel
package import RecordFormats
package import ScanPipeline
internal import BarcodeDecoding
internal import Glibc
internal import Imaging
internal import TextRecognition

/// The wiring: the one place that knows every concrete adapter. It serves one pair at a time; each worker has one.
package final class ScanEngine {
  /// What shapes every pair of a worker's life.
  package struct Settings: Sendable {
    package var scanner: PairScanner.Settings
    /// `stock` reads with Debian's language data alone.
    package var model: TextModel
    /// The directory of our language data; `nil` looks in the usual places.
    package var modelsDirectory: String?
    /// The absolute folder for images where a request names none.
    package var imagesDirectory: String?
    package var delivery: Delivery
    package init(
      scanner: PairScanner.Settings = PairScanner.Settings(), model: TextModel = .card, modelsDirectory: String? = nil,
      imagesDirectory: String? = nil, delivery: Delivery = .android
    ) {
      self.scanner = scanner
      self.model = model
      self.modelsDirectory = modelsDirectory
      self.imagesDirectory = imagesDirectory
      self.delivery = delivery
    }
  }

  private let settings: Settings
  private let imaging: CardImager
  private let front: FrontReader
  private let back: BackReader

  /// Loads the language data and starts the libraries; nothing is opened later but images and, where print is read that
  /// ours do not know, Debian's language data.
  /// - Throws: what the text recogniser says of missing language data.
  package init(settings: Settings) throws {
    self.settings = settings
    imaging = CardImager()
    let tesseract = try TesseractReader(files: ModelFiles.locate(explicit: settings.modelsDirectory))
    if settings.model == .stock { try tesseract.startStock() }
    let text: any TextRecognising = settings.model == .stock ? StockReader(reader: tesseract) : tesseract
    front = FrontReader(text: text)
    back = BackReader(barcodes: CardBarcodeDecoder(), text: text)
  }

  /// Scans a pair with its images kept in a folder.
  package func scan(_ pair: PairRequest, imagesDirectory: String) -> PairScanner.Scan {
    scan(pair, images: ImageFolder(imaging: imaging, directory: imagesDirectory))
  }

  /// Scans a pair whose images are kept by somebody else.
  func scan(_ pair: PairRequest, images: any ImageStoring) -> PairScanner.Scan {
    let scanner = PairScanner(
      imaging: imaging, front: front, back: back, images: images, settings: settings.scanner, clock: threadNanoseconds)
    return scanner.scan(pair)
  }

  /// Answers a worker's line; every line gets an answer, whatever it holds.
  package func respond(to line: [UInt8]) -> WorkerResponse {
    let request: WorkerRequest
    do throws(WorkerRequest.Refusal) { request = try WorkerRequest(line: line) } catch { return WorkerResponse(error) }
    guard let directory = request.imagesDirectory ?? settings.imagesDirectory else {
      return WorkerResponse(
        WorkerRequest.Refusal(
          id: request.pair.id,
          error: FormatError("`imagesDirectory` is missing, and the worker was started without one")))
    }
    let scan = scan(request.pair, imagesDirectory: directory)
    let delivery = request.delivery ?? settings.delivery
    return WorkerResponse(
      scan.record, delivery: delivery, images: delivery == .ios ? jpegImages(scan, request.pair) : .init(),
      timings: scan.timings.milliseconds)
  }

  /// The captured cards as JPEG files' bytes at the launch width.
  /// - Parameter keptFront: a front that was captured by an earlier scan; without it such a front is read from its PNG.
  package func jpegImages(
    _ scan: PairScanner.Scan, _ pair: PairRequest, keptFront: CardPicture? = nil
  ) -> DelegateCall.JPEGImages {
    guard case .ocrSuccess(let result)? = scan.record.events.last else { return .init() }
    var images = DelegateCall.JPEGImages()
    if let path = result.frontImage { images.front = jpeg(scan.front ?? keptFront, path, pair) }
    if let path = result.backImage { images.back = jpeg(scan.back, path, pair) }
    return images
  }

  /// Writes an image of a test's own making, as a captured card's would be.
  func savePNG(_ image: Raster, to path: String) throws {
    try imaging.savePNG(CardPicture(whole: image), widthPixels: image.width, to: path)
  }

  private func jpeg(_ card: CardPicture?, _ path: String, _ pair: PairRequest) -> [UInt8] {
    do throws(ImageFailure) {
      if let card { return try imaging.encodeJPEG(card, widthPixels: pair.imageWidthPixels) }
      let saved = try imaging.loadPage(0, of: path, limits: settings.scanner.limits)
      return try imaging.encodeJPEG(CardPicture(whole: saved), widthPixels: pair.imageWidthPixels)
    } catch {
      // The saved PNG stands; a delegate's image is empty where it cannot be encoded, as for an absent side.
      return []
    }
  }
}

/// Reads everything with Debian's language data (`--model stock`).
private struct StockReader: TextRecognising {
  let reader: TesseractReader
  func recogniseLine(_ line: Raster, model: TextModel) -> RecognisedLine { reader.recogniseLine(line, model: .stock) }
  func recognisePage(_ image: Raster) -> [RecognisedLine] { reader.recognisePage(image) }
}

extension StageTimings {
  /// Milliseconds a stage, by the stage's name.
  package var milliseconds: [String: Double] {
    Dictionary(uniqueKeysWithValues: nanoseconds.map { ($0.key.rawValue, Double($0.value) / 1e6) })
  }
}

/// CPU time of this thread in nanoseconds: other load on the machine leaves it alone.
@Sendable package func threadNanoseconds() -> UInt64 {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}
