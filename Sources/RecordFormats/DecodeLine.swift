package import CardModel
package import ScanPipeline

/// A line that `cnicscan decode` writes: an image file and every barcode found in it.
package struct DecodeLine: Sendable, Equatable {
  /// As given on the command line.
  package var file: String
  package var barcodes: [Barcode]
  /// Why the file, or what remained of it, could not be looked at.
  package var reason: Reason?

  /// One decoded symbol.
  package struct Barcode: Sendable, Equatable {
    /// 0-based.
    package var page: Int
    package var symbol: DecodedBarcode
    package var identityNumber: IdentityNumber?
    /// Further fields of a card's payload, in the payload's own words.
    package var fields: [String: String]
    /// Why the payload gives no number, e.g. `barcodeAmbiguous`.
    package var reasons: [Reason]
    package init(
      page: Int, symbol: DecodedBarcode, identityNumber: IdentityNumber?, fields: [String: String] = [:],
      reasons: [Reason] = []
    ) {
      self.page = page
      self.symbol = symbol
      self.identityNumber = identityNumber
      self.fields = fields
      self.reasons = reasons
    }

    /// The payload as text: UTF-8 where it is that, else one character a byte (ISO 8859-1).
    package var text: String {
      String(validating: symbol.bytes, as: UTF8.self)
        ?? String(String.UnicodeScalarView(symbol.bytes.map { Unicode.Scalar($0) }))
    }

    var json: JSONValue {
      .object([
        .init("bytes", .string(Self.hexadecimal(symbol.bytes))),
        .init("fields", .object(fields.sorted { $0.key < $1.key }.map { .init($0.key, .string($0.value)) })),
        .init("identityNumber", identityNumber.map { .string($0.formatted) } ?? .null), .init("page", .int(page)),
        .init("reader", .string(symbol.reader)), .init("reasons", .array(reasons.map { .string($0.rawValue) })),
        .init("rung", .string(symbol.rung)), .init("symbology", .string(symbol.symbology.rawValue)),
        .init("text", .string(text)),
      ])
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
      let digits = Array("0123456789abcdef".utf8)
      return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
  }

  package init(file: String, barcodes: [Barcode], reason: Reason? = nil) {
    self.file = file
    self.barcodes = barcodes
    self.reason = reason
  }

  /// The line's bytes, without the line end.
  package var line: [UInt8] { JSONWriter.line(json) }

  /// The line as a JSON value. The payload's exact bytes stand in hexadecimal.
  package var json: JSONValue {
    var builder = ObjectBuilder()
    builder.add("barcodes", .array(barcodes.map(\.json)))
    builder.add("file", .string(file))
    builder.add("reason", text: reason?.rawValue)
    return builder.value
  }
}
