public import CardModel
internal import RecordFormats
internal import ScanPipeline

/// What a scan tells its owner, in the SDK's words.
public protocol OcrControllerDelegate: AnyObject {
  /// The scan completed. Images are Base64-encoded JPEG, empty where the scan mode has no such side; `identityNumber` is
  /// the barcode's number, `nil` for front-only scans, whose `distance` is 1; else `distance` is 0 where the barcode's
  /// number is the expected one and 1 where it differs.
  func handleResponse(
    identityNumber: String?, frontImage: String, backImage: String, documentType: DocumentType, distance: Double,
    extractedData: ExtractedData)
  /// The images are not available: `no_camera`.
  func handleError(code: String)
  /// `Ocr initialized` when the controller is made, `Ocr closed` when a scan ends without a result.
  func handleInfo(message: String)
}

/// Scans one card from image files and tells a delegate: the SDK's controller with files in place of its camera.
///
/// ```swift
/// let controller = try OcrController(identityNumber: "42101-0000001-7", delegate: delegate)
/// controller.scan(front: ["front.jpg"], back: ["back.jpg"])
/// ```
///
/// A controller is used from one thread at a time. It writes no file: card images are kept in memory.
public final class OcrController {
  /// The SDK's launch failure: there is no controller without a number to expect.
  public struct LaunchFailure: Error, Sendable, Equatable {
    /// `expectedNumberMissing` or `expectedNumberInvalid`.
    public let reason: Reason
  }

  private let expected: IdentityNumber
  private let scanMode: ScanMode
  private let imageWidthPixels: Int
  private let engine: ScanEngine
  private weak var delegate: (any OcrControllerDelegate)?
  /// The front of a scan whose back must be scanned again, and its card.
  private var front: FrontCapture?
  private var frontCard: CardPicture?

  /// Starts the engines, and calls `handleInfo` with `Ocr initialized`.
  /// - Parameter identityNumber: with or without dashes, in Latin, Urdu or Arabic-Indic digits.
  /// - Parameter scanMode: which sides are scanned.
  /// - Parameter imageWidthPixels: of the delivered images, 64...8000.
  /// - Parameter delegate: is told what comes of it, on the thread that scans; it is held weakly.
  /// - Throws: `LaunchFailure` for a number that is missing or not a number; otherwise what hinders an engine, e.g. missing
  ///   language data.
  public init(
    identityNumber: String?, scanMode: ScanMode = .frontAndBack,
    imageWidthPixels: Int = PairRequest.defaultImageWidthPixels, delegate: any OcrControllerDelegate
  ) throws {
    guard let text = identityNumber, text.contains(where: { !$0.isWhitespace }) else {
      throw LaunchFailure(reason: .expectedNumberMissing)
    }
    guard let number = IdentityNumber(text) else { throw LaunchFailure(reason: .expectedNumberInvalid) }
    expected = number
    self.scanMode = scanMode
    let range = PairRequest.imageWidthRange
    self.imageWidthPixels = min(max(imageWidthPixels, range.lowerBound), range.upperBound)
    self.delegate = delegate
    engine = try ScanEngine(settings: ScanEngine.Settings(delivery: .ios))
    deliver(.initialized)
  }

  /// Scans the files of each side in their order until one of each is valid; then calls the delegate once.
  ///
  /// When the back's barcode gave no number, only the back need be offered again: the front is kept.
  /// - Parameter frontFiles: images of the front; none, to keep the front of the scan before.
  /// - Parameter backFiles: images of the back.
  /// - Returns: how the scan ended.
  @discardableResult
  public func scan(front frontFiles: [String], back backFiles: [String]) -> Outcome {
    let request = PairRequest(
      id: "scan", frontFiles: frontFiles, backFiles: backFiles, expectedNumber: expected.digits, scanMode: scanMode,
      imageWidthPixels: imageWidthPixels, reusedFront: frontFiles.isEmpty ? front : nil)
    let scan = engine.scan(request, images: NoImageFiles())
    let images = engine.jpegImages(scan, request, keptFront: frontCard)
    front = scan.record.frontCapture
    frontCard = front == nil ? nil : scan.front ?? frontCard
    // The first call of a pair is the controller's beginning, and that was told by `init`.
    for call in DelegateCall.calls(for: scan.record, images: images).dropFirst() {
      deliver(call)
    }
    return scan.record.outcome
  }

  private func deliver(_ call: DelegateCall) {
    switch call {
    case .handleInfo(let message): delegate?.handleInfo(message: message)
    case .handleError(let code): delegate?.handleError(code: code)
    case .handleResponse(let response):
      delegate?.handleResponse(
        identityNumber: response.identityNumber?.formatted, frontImage: DelegateCall.base64(response.frontImage),
        backImage: DelegateCall.base64(response.backImage), documentType: response.documentType,
        distance: response.distance, extractedData: response.extractedData)
    }
  }
}

/// Keeps no image: a controller hands its images to the delegate from memory, so that nothing of a card is ever on a disk, however
/// its process ends.
private struct NoImageFiles: ImageStoring {
  func save(
    _ card: CardPicture, as side: CardSide, pair id: String, source: FrameSource, widthPixels: Int
  ) throws(ImageFailure) -> String { side.rawValue }
}
