package import CardModel
import Foundation

/// A call of iOS's `OcrControllerDelegate`, and the lines of `events.ndjson` in that form:
/// `{"id":…,"method":"handleResponse","arguments":{…}}`.
///
/// What the contract leaves to a batch: each pair stands for one controller on one screen. So its calls are
/// - `handleInfo` `Ocr initialized` first, and then one of
/// - `handleResponse` where the scan completed,
/// - `handleError` `no_camera` where none of the pair's images could be had at all: they are the camera here,
/// - `handleInfo` `Ocr closed` where no frame is left and the screen closes without a result (`noValidFrame`, `rescanBack`, a crash).
///
/// The per-side events have no call. Neither has `OCR_FAILURE`: "the iOS SDK prompts the user to scan again without calling a
/// delegate method". Nor has `LAUNCH_FAILURE`: the SDK fails to start, no controller is made, and so that pair has no line at all.
package enum DelegateCall: Sendable, Equatable {
  case handleInfo(message: String)
  case handleError(code: String)
  case handleResponse(Response)

  /// The arguments of `handleResponse`. Images are JPEG files' bytes.
  package struct Response: Sendable, Equatable {
    package var identityNumber: IdentityNumber?
    package var frontImage: [UInt8]
    package var backImage: [UInt8]
    package var documentType: DocumentType
    package var distance: Double
    package var extractedData: ExtractedData

    /// The result in iOS's rules: absent images are empty, an absent distance is 1.
    package init(_ result: OcrResult, images: JPEGImages) {
      identityNumber = result.identityNumber
      frontImage = result.frontImage == nil ? [] : images.front
      backImage = result.backImage == nil ? [] : images.back
      documentType = result.documentType
      distance = result.distance.map(Double.init) ?? 1
      extractedData = result.extractedData
    }
  }

  /// The saved card images as JPEG files' bytes; a side that was not captured is empty.
  package struct JPEGImages: Sendable, Equatable {
    package var front: [UInt8]
    package var back: [UInt8]
    package init(front: [UInt8] = [], back: [UInt8] = []) {
      self.front = front
      self.back = back
    }
  }

  package static let initialized = DelegateCall.handleInfo(message: "Ocr initialized")
  package static let closed = DelegateCall.handleInfo(message: "Ocr closed")
  package static let noCamera = DelegateCall.handleError(code: "no_camera")

  /// Reasons that mean that an image could not be had at all.
  package static let sourceUnavailable: Set<Reason> = [
    .fileMissing, .fileUnreadable, .permissionDenied, .pathOutsideInput, .notARegularFile,
  ]

  /// The calls of one pair, in order; empty for a launch failure.
  package static func calls(for record: PairRecord, images: JPEGImages) -> [DelegateCall] {
    switch record.outcome {
    case .launchFailure: return []
    case .failed where !record.reasons.isEmpty && record.reasons.allSatisfy(sourceUnavailable.contains):
      return [initialized, noCamera]
    case .matched, .mismatched, .unverified, .rescanBack, .noValidFrame, .failed:
      guard case .ocrSuccess(let result)? = record.events.last else { return [initialized, closed] }
      return [initialized, .handleResponse(Response(result, images: images))]
    }
  }

  /// The call as a JSON value.
  package func json(id: String) -> JSONValue {
    .object([.init("arguments", arguments), .init("id", .string(id)), .init("method", .string(method))])
  }

  /// The call's line, without the line end.
  package func line(id: String) -> [UInt8] { JSONWriter.line(json(id: id)) }

  /// The delegate's method, as the contract names it.
  package var method: String {
    switch self {
    case .handleInfo: "handleInfo"
    case .handleError: "handleError"
    case .handleResponse: "handleResponse"
    }
  }

  private var arguments: JSONValue {
    switch self {
    case .handleInfo(let message): .object([.init("message", .string(message))])
    case .handleError(let code): .object([.init("code", .string(code))])
    case .handleResponse(let response):
      .object([
        .init("backImage", .string(Self.base64(response.backImage))), .init("distance", .double(response.distance)),
        .init("documentType", .string(response.documentType.rawValue)),
        .init("extractedData", response.extractedData.wire),
        .init("frontImage", .string(Self.base64(response.frontImage))),
        .init("identityNumber", response.identityNumber.map { .string($0.formatted) } ?? .null),
      ])
    }
  }

  /// The form in which images travel in a call.
  package static func base64(_ bytes: [UInt8]) -> String { Data(bytes).base64EncodedString() }
}
