package import CardModel
import Foundation
package import ScanPipeline

/// A line that `cnicscan decode` writes: one barcode found in an image.
package struct DecodeLine: Sendable, Equatable {
  /// As given on the command line.
  package var file: String
  /// 0-based.
  package var page: Int
  package var barcode: DecodedBarcode
  /// What the payload's structure gives; `nil` number where it gives none, with the reason beside it.
  package var reading: BarcodeReading
  package var reasons: [Reason]

  package init(file: String, page: Int, barcode: DecodedBarcode, reading: BarcodeReading, reasons: [Reason]) {
    self.file = file
    self.page = page
    self.barcode = barcode
    self.reading = reading
    self.reasons = reasons
  }

  /// The line's bytes, without the line end.
  package var line: [UInt8] { JSONWriter.line(json) }

  /// The line as a JSON value. The payload's exact bytes stand in Base64.
  package var json: JSONValue {
    let corners = barcode.corners.map { JSONValue.object([.init("x", .double($0.x)), .init("y", .double($0.y))]) }
    return .object([
      .init("bytes", .string(Data(barcode.bytes).base64EncodedString())), .init("corners", .array(corners)),
      .init("fields", .object(reading.fields.map { .init($0.key, .string($0.value)) })), .init("file", .string(file)),
      .init("identityNumber", reading.identityNumber.map { .string($0.formatted) } ?? .null), .init("page", .int(page)),
      .init("reader", .string(barcode.reader)), .init("reasons", .array(reasons.map { .string($0.rawValue) })),
      .init("rung", .string(barcode.rung)), .init("symbology", .string(barcode.symbology.rawValue)),
    ])
  }
}
