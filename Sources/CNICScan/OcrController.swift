public import CardModel
internal import Glibc
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
/// A controller is used from one thread at a time. Card images are kept in a folder of its own, removed with it.
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
  private let folder: TemporaryFolder
  private weak var delegate: (any OcrControllerDelegate)?
  private var front: FrontCapture?

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
    folder = try TemporaryFolder()
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
    let scan = engine.scan(request, imagesDirectory: folder.path)
    front = scan.record.frontCapture
    // The first call of a pair is the controller's beginning, and that was told by `init`.
    for call in DelegateCall.calls(for: scan.record, images: engine.jpegImages(scan, request)).dropFirst() {
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

/// A folder under the system's folder for temporary files, mode 0700; removed with its owner.
final class TemporaryFolder {
  struct CannotCreate: Error { let errno: Int32 }
  let path: String

  init() throws(CannotCreate) {
    let base = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array((base + "/cnicscan-XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw CannotCreate(errno: errno) }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    if let entries = opendir(path) {
      while let entry = readdir(entries) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) {
          $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { unlink(path + "/" + name) }
      }
      closedir(entries)
    }
    rmdir(path)
  }
}
