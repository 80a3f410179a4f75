internal import Glibc
internal import RecordFormats

/// `shard.json`: says that a shard is complete, of which input, under which settings. `merge` takes nothing without it.
///
/// It is written under a temporary name, synced, and published by link(2), which never replaces: of two tasks that did the same
/// shard (a scheduler may start one twice) the first one wins, and a second one with the same bytes is no error.
struct ShardSeal: Sendable, Equatable {
  var shard: Shard
  /// Of the whole input: ids, paths as written, expected numbers, modes.
  var inputDigest: String
  /// Pairs of the whole input.
  var inputCount: Int
  /// Settings and versions.
  var settings: String
  var delivery: String
  /// Where the results' images lay when they were written.
  var imagesDirectory: String
  /// Of the shard's result lines, without the folder that they stand in.
  var resultsDigest: String
  var pairs: Int

  static let name = "shard.json"

  /// Publishes the seal in an output folder.
  /// - Throws: `RunError(.internalError)` where another one stands there.
  func publish(in folder: OutputFolder) throws(RunError) {
    let path = folder.path + "/" + Self.name
    let temporary = folder.path + "/.shard.\(getpid()).new"
    try replaceFile(temporary, with: bytes)
    defer { unlink(temporary) }
    if link(temporary, path) == 0 { return try syncFolder(folder.path) }
    guard errno == EEXIST else { throw FileFailure.error("the shard cannot be published", errno) }
    guard try ShardSeal(reading: folder) == self else {
      throw RunError(.internalError, "this shard was published before with other results")
    }
  }

  /// Takes a seal away: its shard is about to change.
  static func remove(from folder: OutputFolder) { unlink(folder.path + "/" + name) }

  /// The seal in a folder, `nil` where there is none that can be read.
  static func existing(in folder: OutputFolder) -> ShardSeal? {
    do throws(RunError) { return try ShardSeal(reading: folder) } catch { return nil }
  }

  private var bytes: [UInt8] {
    JSONWriter.line(
      .object([
        .init("count", .int(shard.count)), .init("delivery", .string(delivery)),
        .init("imagesDirectory", .string(imagesDirectory)),
        .init("index", .int(shard.index)), .init("inputCount", .int(inputCount)),
        .init("inputDigest", .string(inputDigest)),
        .init("pairs", .int(pairs)), .init("resultsDigest", .string(resultsDigest)), .init("schemaVersion", .int(1)),
        .init("settings", .string(settings)),
      ])) + [0x0A]
  }

  init(
    shard: Shard, inputDigest: String, inputCount: Int, settings: String, delivery: String, imagesDirectory: String,
    resultsDigest: String, pairs: Int
  ) {
    (self.shard, self.inputDigest, self.inputCount, self.settings) = (shard, inputDigest, inputCount, settings)
    (self.delivery, self.imagesDirectory, self.resultsDigest, self.pairs) = (
      delivery, imagesDirectory, resultsDigest, pairs
    )
  }

  /// - Throws: `RunError(.noInput)` where there is none.
  init(reading folder: OutputFolder) throws(RunError) {
    let descriptor = open(folder.path + "/" + Self.name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard descriptor >= 0 else { throw RunError(.noInput, "a shard is not complete: its folder has no \(Self.name)") }
    defer { close(descriptor) }
    var lines = LineReader(descriptor: descriptor, maximumLineBytes: 1 << 16)
    let bad = RunError(.noInput, "a shard's \(Self.name) cannot be read")
    guard case .line(let line) = lines.next() else { throw bad }
    let json: JSONValue
    do throws(FormatError) { json = try JSONValue.parse(line: line) } catch { throw bad }
    guard json["schemaVersion"]?.int == 1, let index = json["index"]?.int, let count = json["count"]?.int,
      let shard = Shard(index: index, count: count), let inputDigest = json["inputDigest"]?.string,
      let inputCount = json["inputCount"]?.int, let settings = json["settings"]?.string,
      let delivery = json["delivery"]?.string,
      let imagesDirectory = json["imagesDirectory"]?.string, let resultsDigest = json["resultsDigest"]?.string,
      let pairs = json["pairs"]?.int
    else { throw bad }
    self.init(
      shard: shard, inputDigest: inputDigest, inputCount: inputCount, settings: settings, delivery: delivery,
      imagesDirectory: imagesDirectory, resultsDigest: resultsDigest, pairs: pairs)
  }
}

/// Turns the folder that images lie in into another one, in lines of JSON.
struct ImageFolderRewriter {
  private let from: [UInt8]
  private let to: [UInt8]

  /// - Parameter from: absolute folder without a slash at its end.
  init(from: String, to: String) {
    self.from = Self.quoted(from)
    self.to = Self.quoted(to)
  }

  /// How a path in that folder begins in JSON: the quote, and no quote at the end.
  private static func quoted(_ folder: String) -> [UInt8] { JSONWriter.line(.string(folder + "/")).dropLast() }

  /// Replaces every string that begins with the one folder by one that begins with the other. A path in the images' folder
  /// stands in image keys alone; a card's text cannot begin so, since no card knows where its images will lie.
  func rewrite(_ line: [UInt8]) -> [UInt8] {
    guard from != to, line.count >= from.count else { return line }
    var out: [UInt8] = []
    out.reserveCapacity(line.count + 64)
    var index = 0
    while index < line.count {
      if line[index] == 0x22, index + from.count <= line.count, line[index..<(index + from.count)].elementsEqual(from) {
        out += to
        index += from.count
      } else {
        out.append(line[index])
        index += 1
      }
    }
    return out
  }
}
