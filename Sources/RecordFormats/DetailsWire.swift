import CardModel

// What batch work adds to the SDK's payload, as it stands under `batch` in a result line.

extension PairDetails {
  var wire: JSONValue {
    var builder = ObjectBuilder()
    if let barcode { builder.add("barcode", barcode.wire) }
    builder.add("boxes", unlessEmpty: object(boxes) { $0.wire })
    builder.add("checks", unlessEmpty: object(checks) { .string($0.rawValue) })
    builder.add("confidence", unlessEmpty: object(confidence) { .double($0) })
    builder.add("expectedNumber", text: expectedNumber?.formatted)
    builder.add("frames", unlessEmpty: .array(setAside.map(\.wire)))
    builder.add("images", unlessEmpty: .array(images.map { .string($0) }))
    builder.add("lifetime", flag: lifetime)
    builder.add("quality", unlessEmpty: object(quality) { $0.wire })
    return builder.value
  }

  init(wire fields: WireFields) throws(FormatError) {
    self.init()
    confidence = try fields.fractions("confidence")
    boxes = try fields.boxes("boxes")
    barcode = try fields.fields("barcode").map { fields throws(FormatError) in try BarcodeReading(wire: fields) }
    checks = try fields.known("checks") { value, path throws(FormatError) in
      guard let result = value.string.flatMap(CheckResult.init(rawValue:)) else {
        throw FormatError("`\(path)` is no check's result")
      }
      return result
    }
    quality = try fields.known("quality") { value, path throws(FormatError) in
      try FrameQuality(wire: WireFields(value, path: path))
    }
    for frame in try fields.optional("frames", "is not a list", { $0.array }) ?? [] {
      // A frame with a later version's reason is passed over.
      guard let frame = try SetAsideFrame(wire: WireFields(frame, path: fields.pathOf("frames"))) else { continue }
      setAside.append(frame)
    }
    lifetime = try fields.optionalBool("lifetime")
    expectedNumber = try fields.identityNumber("expectedNumber")
    images = try fields.strings("images")
  }
}

extension WireFields {
  /// A list of texts; empty where it is absent.
  func strings(_ key: String) throws(FormatError) -> [String] {
    try optional(key, "is not a list of texts") { value -> [String]? in
      guard let elements = value.array else { return nil }
      let texts = elements.compactMap(\.string)
      return texts.count == elements.count ? texts : nil
    } ?? []
  }

  /// Numbers 0...1, one a field of the card.
  func fractions(_ key: String) throws(FormatError) -> [FieldName: Double] {
    try known(key) { value, path throws(FormatError) in
      guard let number = value.double, (0...1).contains(number) else {
        throw FormatError("`\(path)` is not a number 0...1")
      }
      return number
    }
  }

  /// Boxes in fractions of the saved image, one a field of the card.
  func boxes(_ key: String) throws(FormatError) -> [FieldName: FractionBox] {
    try known(key) { value, path throws(FormatError) in
      let box = try WireFields(value, path: path)
      return FractionBox(
        x: try box.number("x"), y: try box.number("y"), width: try box.number("width"), height: try box.number("height")
      )
    }
  }
}

extension FractionBox {
  var wire: JSONValue {
    .object([
      .init("height", .double(height)), .init("width", .double(width)), .init("x", .double(x)), .init("y", .double(y)),
    ])
  }
}

extension BarcodeReading {
  var wire: JSONValue {
    var builder = ObjectBuilder()
    builder.add("fields", unlessEmpty: .object(fields.map { .init($0.key, .string($0.value)) }))
    builder.add("identityNumber", text: identityNumber?.formatted)
    builder.add("reader", .string(reader))
    builder.add("rung", .string(rung))
    builder.add("symbology", .string(symbology.rawValue))
    return builder.value
  }

  init(wire fields: WireFields) throws(FormatError) {
    let own = try fields.fields("fields")
    guard let texts = own.map(\.texts) ?? [:] else {
      throw FormatError("`\(fields.pathOf("fields"))` holds something other than texts")
    }
    self.init(
      symbology: try fields.word("symbology"), rung: try fields.text("rung"), reader: try fields.text("reader"),
      identityNumber: try fields.identityNumber("identityNumber"), fields: texts)
  }
}

extension FrameQuality {
  var wire: JSONValue {
    .object([
      .init("brightness", .double(brightness)), .init("cardWidthPixels", .int(cardWidthPixels)),
      .init("cutOff", .double(cutOff)),
      .init("focus", .double(focus)), .init("glare", .double(glare)),
      .init("outlineConfidence", .double(outlineConfidence)),
    ])
  }

  init(wire fields: WireFields) throws(FormatError) {
    self.init(
      focus: try fields.number("focus"), glare: try fields.number("glare"), brightness: try fields.number("brightness"),
      cutOff: try fields.number("cutOff"), cardWidthPixels: try fields.int("cardWidthPixels"),
      outlineConfidence: try fields.number("outlineConfidence"))
  }
}

extension SetAsideFrame {
  var wire: JSONValue {
    .object([
      .init("file", .int(file)), .init("page", .int(page)), .init("reason", .string(reason.rawValue)),
      .init("side", .string(side.rawValue)),
    ])
  }

  /// `nil` where the reason is not known here.
  init?(wire fields: WireFields) throws(FormatError) {
    guard let reason = Reason(rawValue: try fields.text("reason")) else { return nil }
    self.init(side: try fields.word("side"), file: try fields.int("file"), page: try fields.int("page"), reason: reason)
  }
}
