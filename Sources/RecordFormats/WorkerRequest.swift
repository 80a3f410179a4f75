package import CardModel

/// A line that a worker reads: one pair to scan. A row of an NDJSON manifest is one too: only `id` must be there.
package struct WorkerRequest: Sendable, Equatable {
  package var pair: PairRequest
  /// The form of the response's `events`; `nil` leaves it to the worker's own setting, Android.
  package var delivery: Delivery?
  /// The absolute folder that the card images are saved in; `nil` leaves it to the worker's own setting.
  package var imagesDirectory: String?

  package init(pair: PairRequest, delivery: Delivery? = nil, imagesDirectory: String? = nil) {
    self.pair = pair
    self.delivery = delivery
    self.imagesDirectory = imagesDirectory
  }

  /// The request's line, without the line end.
  package var line: [UInt8] { JSONWriter.line(json) }

  /// The request as a JSON value.
  package var json: JSONValue {
    var builder = ObjectBuilder()
    builder.add("back", .array(pair.backFiles.map { .string($0) }))
    builder.add("delivery", text: delivery?.rawValue)
    builder.add("front", .array(pair.frontFiles.map { .string($0) }))
    builder.add("id", .string(pair.id))
    builder.add("identityNumber", pair.expectedNumber.map { .string($0) } ?? .null)
    builder.add("imageWidth", .int(pair.imageWidthPixels))
    builder.add("imagesDirectory", text: imagesDirectory)
    if let front = pair.reusedFront { builder.add("reusedFront", front.json) }
    builder.add("scanMode", .string(pair.scanMode.rawValue))
    return builder.value
  }

  /// A longer line is refused before it is read: 1 MiB, as for a manifest's row.
  package static let maximumBytes = 1 << 20

  private static let keys: Set<String> = [
    "back", "delivery", "front", "id", "identityNumber", "imageWidth", "imagesDirectory", "reusedFront", "scanMode",
  ]

  /// Reads a line of any origin.
  /// - Parameter defaults: what holds where the line has no `scanMode` or `imageWidth`.
  /// - Throws: `Refusal`, which is answered with `Reason.invalidRequest`; anything else that is wrong with the pair becomes its record.
  package init(line: some Collection<UInt8>, defaults: ManifestDefaults = ManifestDefaults()) throws(Refusal) {
    guard line.count <= Self.maximumBytes else {
      throw Refusal(id: nil, error: FormatError("longer than \(Self.maximumBytes) bytes"))
    }
    let json: JSONValue
    do throws(FormatError) { json = try JSONValue.parse(line: line) } catch { throw Refusal(id: nil, error: error) }
    do throws(FormatError) {
      let fields = try WireFields(json, known: Self.keys)
      let row = try ManifestRow(fields)
      pair = row.request(defaults)
      if let front = fields.value("reusedFront") {
        pair.reusedFront = try FrontCapture(json: front, path: "reusedFront")
      }
      delivery = try fields.optionalWord("delivery")
      imagesDirectory = try fields.optionalText("imagesDirectory")
      if let imagesDirectory, !imagesDirectory.hasPrefix("/") {
        throw FormatError("`imagesDirectory` is not an absolute path")
      }
    } catch {
      throw Refusal(id: json["id"]?.string, error: error)
    }
  }

  /// Why a line is no request, and the pair's id where the line gives one.
  package struct Refusal: Error, Sendable, Equatable {
    package var id: String?
    package var error: FormatError
    package init(id: String?, error: FormatError) {
      self.id = id
      self.error = error
    }
  }
}
