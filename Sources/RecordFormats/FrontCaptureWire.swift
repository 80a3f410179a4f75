package import CardModel

// A captured front on its way through the ledger: a worker's response gives it for `rescanBack`, a later request hands it back.

extension FrontCapture {
  /// The capture as a JSON value.
  package var json: JSONValue {
    var builder = ObjectBuilder()
    builder.add("boxes", unlessEmpty: object(boxes) { $0.wire })
    builder.add("confidence", unlessEmpty: object(confidence) { .double($0) })
    builder.add("documentType", .string(documentType.rawValue))
    builder.add("extractedData", extractedData.wire)
    builder.add("image", .string(image))
    builder.add("lifetime", flag: lifetime)
    if let quality { builder.add("quality", quality.wire) }
    builder.add("reasons", unlessEmpty: .array(reasons.map { .string($0.rawValue) }))
    return builder.value
  }

  /// Reads a capture's JSON value.
  package init(json: JSONValue, path: String = "frontCapture") throws(FormatError) {
    let fields = try WireFields(json, path: path)
    guard let data = fields.value("extractedData") else {
      throw FormatError("`\(fields.pathOf("extractedData"))` is missing")
    }
    self.init(
      image: try fields.text("image"), documentType: try fields.word("documentType"),
      extractedData: try ExtractedData(wire: data, path: fields.pathOf("extractedData")),
      confidence: try fields.fractions("confidence"), boxes: try fields.boxes("boxes"),
      lifetime: try fields.optionalBool("lifetime"),
      quality: try fields.fields("quality").map { fields throws(FormatError) in try FrameQuality(wire: fields) },
      reasons: try fields.words("reasons"))
  }
}
