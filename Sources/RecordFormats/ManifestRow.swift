package import CardModel

/// What holds for a pair whose manifest row leaves it open.
package struct ManifestDefaults: Sendable, Equatable {
  package var scanMode: ScanMode
  package var imageWidthPixels: Int
  package init(scanMode: ScanMode = .frontAndBack, imageWidthPixels: Int = PairRequest.defaultImageWidthPixels) {
    self.scanMode = scanMode
    self.imageWidthPixels = imageWidthPixels
  }
}

/// A row of a manifest: one pair, as the manifest names it. Paths are as written, relative to the manifest or absolute.
package struct ManifestRow: Sendable, Equatable {
  package var id: String
  package var front: [String]
  package var back: [String]
  /// As written; whether it is a number is the pipeline's to say, for a bad one is a `LAUNCH_FAILURE`. `nil` where it is empty.
  package var identityNumber: String?
  package var scanMode: ScanMode?
  package var imageWidthPixels: Int?
  /// 1-based place among the manifest's rows, without the header; blank lines do not count. 0 where the row is not from a file.
  package var number: Int

  package init(
    id: String, front: [String] = [], back: [String] = [], identityNumber: String? = nil, scanMode: ScanMode? = nil,
    imageWidthPixels: Int? = nil, number: Int = 0
  ) {
    self.id = id
    self.front = front
    self.back = back
    self.identityNumber = identityNumber
    self.scanMode = scanMode
    self.imageWidthPixels = imageWidthPixels
    self.number = number
  }

  /// The keys of a row, in the order that a CSV manifest is written in.
  package static let columns = ["id", "front", "back", "identityNumber", "scanMode", "imageWidth"]
  /// The columns that a CSV manifest must have.
  package static let requiredColumns = ["id", "front", "back", "identityNumber"]

  /// The pair to scan; paths stay as the manifest has them.
  package func request(_ defaults: ManifestDefaults) -> PairRequest {
    PairRequest(
      id: id, frontFiles: front, backFiles: back, expectedNumber: identityNumber,
      scanMode: scanMode ?? defaults.scanMode,
      imageWidthPixels: imageWidthPixels ?? defaults.imageWidthPixels)
  }

  /// The row as an NDJSON manifest has it.
  package var json: JSONValue {
    var builder = ObjectBuilder()
    builder.add("back", .array(back.map { .string($0) }))
    builder.add("front", .array(front.map { .string($0) }))
    builder.add("id", .string(id))
    builder.add("identityNumber", identityNumber.map { .string($0) } ?? .null)
    builder.add("imageWidth", number: imageWidthPixels)
    builder.add("scanMode", text: scanMode?.rawValue)
    return builder.value
  }

  /// Reads the keys of a row out of an object; the caller refuses unknown ones.
  init(_ fields: WireFields, number: Int = 0) throws(FormatError) {
    let scanMode: ScanMode? = try fields.optionalWord("scanMode")
    let width = try fields.optionalInt("imageWidth")
    let frames: (JSONValue) -> [String]? = { value in
      if let list = value.string { return FrameList.split(list) }
      guard let elements = value.array else { return nil }
      let paths = elements.compactMap(\.string)
      return paths.count == elements.count ? paths : nil
    }
    let expectation = "is neither a list of texts nor a text"
    self.init(
      id: try fields.text("id"), front: try fields.optional("front", expectation, frames) ?? [],
      back: try fields.optional("back", expectation, frames) ?? [],
      identityNumber: try fields.optionalText("identityNumber"),
      scanMode: scanMode, imageWidthPixels: width, number: number)
    try validate()
  }

  /// Reads the cells of a CSV row, already known to be as many as the header's.
  init(cells: [String: String], number: Int) throws(FormatError) {
    func filled(_ column: String) -> String? { cells[column].flatMap { $0.isEmpty ? nil : $0 } }
    self.init(
      id: cells["id"] ?? "", front: FrameList.split(cells["front"] ?? ""), back: FrameList.split(cells["back"] ?? ""),
      identityNumber: filled("identityNumber"), number: number)
    if let text = filled("scanMode") {
      guard let mode = ScanMode(rawValue: text) else {
        throw FormatError("`scanMode` is none of \(ScanMode.allCases.map(\.rawValue).joined(separator: ", "))")
      }
      scanMode = mode
    }
    if let text = filled("imageWidth") {
      guard let width = Int(text) else { throw FormatError("`imageWidth` is not a whole number") }
      imageWidthPixels = width
    }
    try validate()
  }

  private func validate() throws(FormatError) {
    guard !id.isEmpty else { throw FormatError("`id` is empty") }
    guard id.utf8.count <= 1024 else { throw FormatError("`id` is longer than 1024 bytes") }
    if let width = imageWidthPixels, !PairRequest.imageWidthRange.contains(width) {
      let range = PairRequest.imageWidthRange
      throw FormatError("`imageWidth` is not within \(range.lowerBound)...\(range.upperBound)")
    }
    guard !id.utf8.contains(0) else { throw FormatError("`id` holds a NUL") }
    for (column, paths) in [("front", front), ("back", back)] {
      guard !paths.contains(where: { $0.utf8.contains(0) }) else { throw FormatError("`\(column)` holds a NUL") }
      guard !paths.contains(where: \.isEmpty) else { throw FormatError("`\(column)` names an empty path") }
      guard paths.count <= Self.maximumFrames else {
        throw FormatError("`\(column)` names more than \(Self.maximumFrames) files")
      }
    }
  }

  /// More files for one side of one card are a mistake in the manifest.
  package static let maximumFrames = 1000
}
