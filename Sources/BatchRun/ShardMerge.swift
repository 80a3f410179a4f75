internal import CardModel
internal import Glibc
internal import RecordFormats
private import CProcess

/// `merge`: makes one output of the outputs of all shards, as if one machine had done the whole input.
///
/// The new output is built beside its place and put there by one rename, which does not replace a folder that holds anything: of
/// two merges the first one wins, and a second one with the same results is no error.
package struct ShardMerge {
  private let output: String
  private let shards: [OutputFolder]
  private let seals: [ShardSeal]

  /// Checks that the shards belong together.
  /// - Throws: `RunError(.noInput)` for a shard that is missing or not complete, `usage` for shards that do not fit together.
  package init(output: String, shards paths: [String]) throws(RunError) {
    self.output = output
    var shards: [OutputFolder] = []
    var seals: [ShardSeal] = []
    for path in paths {
      let folder = try OutputFolder(existing: path)
      shards.append(folder)
      seals.append(try ShardSeal(reading: folder))
    }
    guard let first = seals.first else { throw RunError(.usage, "merge needs the output folders of all shards") }
    for seal in seals {
      guard seal.shard.count == first.shard.count else {
        throw RunError(.usage, "the shards are parts of different divisions")
      }
      guard seal.inputDigest == first.inputDigest, seal.inputCount == first.inputCount else {
        throw RunError(.usage, "shard \(seal.shard.index) was made of another input than shard \(first.shard.index)")
      }
      guard seal.settings == first.settings, seal.delivery == first.delivery else {
        throw RunError(
          .usage, "shard \(seal.shard.index) was made by other settings or versions than shard \(first.shard.index)")
      }
    }
    let indices = seals.map(\.shard.index)
    for index in 0..<first.shard.count {
      switch indices.count(where: { $0 == index }) {
      case 0: throw RunError(.noInput, "shard \(index) of \(first.shard.count) is missing")
      case 1: continue
      default: throw RunError(.usage, "shard \(index) of \(first.shard.count) is given more than once")
      }
    }
    self.shards = shards
    self.seals = seals
  }

  /// Merges.
  /// - Returns: the merged run's folder.
  /// - Throws: `RunError`: `noInput` where pairs are missing or doubled, `cannotCreateOutput` where something else stands there.
  package func run() throws(RunError) -> RunOutcome {
    cprocess_harden()
    // A ledger and the files of a run are open of each shard, and there may be thousands.
    cprocess_open_many_files()
    let place = try finalPath()
    try Self.sweep(beside: place)
    let temporary = place + Self.buildingMark + String(getpid())
    let building = try OutputFolder(making: temporary)
    let lock = try OutputLock(building)
    defer { withExtendedLifetime(lock) {} }
    var isPublished = false
    defer { if !isPublished { removeTree(temporary) } }
    var outcome = try build(in: building, as: place)
    try syncFolder(building.path)
    if rename(temporary, place) == 0 {
      isPublished = true
    } else {
      guard errno == ENOTEMPTY || errno == EEXIST else {
        throw FileFailure.error("the merged output cannot be published", errno)
      }
      let other = try OutputFolder(existing: place)
      guard try Self.digest(of: other) == Self.digest(of: building) else {
        throw RunError(.cannotCreateOutput, "the output folder holds something else already")
      }
    }
    outcome.folder = outcome.folder.map { place + $0.dropFirst(temporary.count) }
    return outcome
  }

  /// Stands in the name of a folder that is being built, before its process's number.
  private static let buildingMark = ".merging-"

  /// Removes what merges that were killed left half built beside the output's place: it holds persons' data. One that is
  /// going on holds its lock.
  private static func sweep(beside place: String) throws(RunError) {
    guard let slash = place.utf8.lastIndex(of: 0x2F) else { return }
    let prefix = String(place[place.utf8.index(after: slash)...]) + buildingMark
    let parent = String(place[...slash])
    var left: [String] = []
    var empty: [String] = []
    try OutputFolder.eachName(in: parent) { name in
      let process = name.utf8.dropFirst(prefix.utf8.count)
      guard name.beginsExactly(with: prefix), process.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
      if OutputLock.isFree(parent + name) { left.append(parent + name) }
      if isLeftBeforeItsLock(parent + name, process: String(decoding: process, as: UTF8.self)) {
        empty.append(parent + name)
      }
    }
    for folder in left { removeTree(folder) }
    for folder in empty { ["/images", "/runs", ""].forEach { rmdir(folder + $0) } }
  }

  /// A merge that was killed before it locked its folder left nothing in it; one about to begin lives.
  private static func isLeftBeforeItsLock(_ folder: String, process: String) -> Bool {
    guard access(folder + "/.lock", F_OK) != 0, errno == ENOENT, let number = pid_t(process) else { return false }
    return kill(number, 0) != 0 && errno == ESRCH
  }

  /// The absolute path that the output will have; its parent is made.
  private func finalPath() throws(RunError) -> String {
    var path = output
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let slash = path.utf8.lastIndex(of: 0x2F)
    let parent = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
    let name = slash.map { String(path[path.utf8.index(after: $0)...]) } ?? path
    try OutputFolder.makeFolders(parent)
    guard let real = PathConfinement.realPath(parent), !name.isEmpty, name != ".", name != ".." else {
      throw RunError(.cannotCreateOutput, "the output folder cannot be made")
    }
    return (real == "/" ? "" : real) + "/" + name
  }

  private func build(in folder: OutputFolder, as place: String) throws(RunError) -> RunOutcome {
    let ledger = try Ledger(path: folder.ledger)
    // One connection is all there is: without a log beside it the folder can be renamed as it is.
    try ledger.database.execute("PRAGMA journal_mode=DELETE")
    let readers = try shards.map { shard throws(RunError) in try ShardReader(shard) }
    let runFolder = readers.map(\.newestRun).min() ?? "merged"
    var writer = try MergeWriter(folder, ledger: ledger, runFolder: runFolder)
    var next = ShardFront(readers)
    for (index, seal) in seals.enumerated() { try next.advance(index, seal) }
    for position in 0..<(seals.first?.inputCount ?? 0) {
      guard let index = next.take(position), let entry = readers[index].current else {
        throw RunError(.noInput, "pair \(position + 1) of the input is in no shard: nothing was merged")
      }
      let rewriter = ImageFolderRewriter(from: seals[index].imagesDirectory, to: place + "/images")
      try writer.add(entry, from: readers[index], rewriter: rewriter)
      try next.advance(index, seals[index])
    }
    if !next.isEmpty {
      throw RunError(.noInput, "a shard holds pairs that the input no longer has: run its shard again with --fresh")
    }
    try writer.finish(unpairedFrom: shards.first, seconds: readers.map(\.seconds).max() ?? 0)
    try folder.pointLatest(to: runFolder)
    return RunOutcome(
      status: writer.progress.outcomes[.failed, default: 0] > 0 ? .completeWithFailures : .complete,
      progress: writer.progress,
      folder: folder.run(runFolder))
  }

  /// Of an output's results, in the input's order.
  private static func digest(of folder: OutputFolder) throws(RunError) -> Digest {
    var builder = DigestBuilder()
    try ResultsExport.export(folder.path) { line in
      builder.add(line)
      builder.add([0x0A])
    }
    return builder.finish()
  }
}

/// Which shard holds the pair at a place of the input: where each of them stands, found without asking them all.
private struct ShardFront {
  private let readers: [ShardReader]
  private var holders: [Int: Int] = [:]

  init(_ readers: [ShardReader]) { self.readers = readers }

  var isEmpty: Bool { holders.isEmpty }

  /// Takes the shard that stands at a place.
  mutating func take(_ position: Int) -> Int? { holders.removeValue(forKey: position) }

  /// Has a shard go on.
  /// - Throws: `RunError(.noInput)` where two shards hold one pair.
  mutating func advance(_ index: Int, _ seal: ShardSeal) throws(RunError) {
    try readers[index].advance(seal)
    guard let position = readers[index].current?.position else { return }
    guard holders.updateValue(index, forKey: position) == nil else {
      throw RunError(.noInput, "pair \(position + 1) of the input is in two shards: nothing was merged")
    }
  }
}

/// Removes a folder with everything in it; what cannot be removed stays.
func removeTree(_ path: String) {
  var stat = FileStat()
  guard stat.look(at: path, followingLinks: false) == nil else { return }
  guard stat.isFolder else { return _ = unlink(path) }
  var names: [String] = []
  do throws(RunError) { try OutputFolder.eachName(in: path) { names.append($0) } } catch { return }
  for name in names { removeTree(path + "/" + name) }
  rmdir(path)
}
