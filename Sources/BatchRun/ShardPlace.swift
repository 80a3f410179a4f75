internal import Glibc

/// `--publish DIR`: where the tasks of an array job put their shards, though a scheduler may run one shard twice at once.
///
/// A task that is started again may find the first one still alive: a node that lost its scheduler goes on working. File locks do not
/// reach over every shared file system, so no two tasks share a folder. Each works in an attempt's folder of its own, and the one
/// that is complete first is published as `DIR/I` by symlink(2), which never replaces. A later one with the same results is no error.
/// An attempt is taken up again, and resumed, only where its task is known to have ended: it said so, or it ran under this very
/// kernel, whose lock on the folder is free.
package struct ShardPlace: Sendable {
  private let directory: String
  private let shard: Shard

  /// What a task finds when it begins.
  package enum Beginning: Sendable, Equatable {
    /// Another task has published this shard: there is nothing to do.
    case published
    /// The folder to work in.
    case attempt(String)
  }

  /// - Parameter directory: absolute; made where it is missing.
  /// - Throws: `RunError(.cannotCreateOutput)`.
  package init(directory: String, shard: Shard) throws(RunError) {
    try OutputFolder.makeFolders(directory)
    guard let real = PathConfinement.realPath(directory) else {
      throw RunError(.cannotCreateOutput, "the folder of shards cannot be opened (errno \(errno))")
    }
    self.directory = real
    self.shard = shard
  }

  private var published: String { "\(directory)/\(shard.index)" }
  private var prefix: String { "\(shard.index).attempt-" }
  private static let owner = "owner"
  private static let ended = "ended"

  /// Looks whether the shard is there, else for an attempt to take up, else makes a new one.
  /// - Throws: `RunError(.usage)` where what was published is a part of another division.
  package func begin() throws(RunError) -> Beginning {
    if access(published, F_OK) == 0 {
      let seal = try ShardSeal(reading: try OutputFolder(existing: published))
      guard seal.shard == shard else {
        throw RunError(.usage, "shard \(shard.index) was published as one of \(seal.shard.count) before")
      }
      return .published
    }
    var names: [String] = []
    try OutputFolder.eachName(in: directory) { if $0.hasPrefix(prefix) { names.append($0) } }
    for name in names.sorted() where isOurs(directory + "/" + name) {
      try own(directory + "/" + name)
      return .attempt(directory + "/" + name)
    }
    let template = directory + "/" + prefix + "XXXXXX"
    var bytes = template.utf8CString
    guard bytes.withUnsafeMutableBufferPointer({ $0.baseAddress.flatMap { mkdtemp($0) } }) != nil else {
      throw FileFailure.error("an attempt's folder cannot be made", errno)
    }
    let path = bytes.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? template }
    try own(path)
    return .attempt(path)
  }

  /// Says what came of an attempt: publishes it where the run is complete, or leaves it to be taken up.
  /// - Throws: `RunError(.internalError)` where the shard was published with other results.
  package func end(_ attempt: String, _ status: ExitStatus) throws(RunError) {
    guard status == .complete || status == .completeWithFailures else {
      return try replaceFile(attempt + "/" + Self.ended, with: [])
    }
    let seal = try ShardSeal(reading: try OutputFolder(existing: attempt))
    let name = attempt.split(separator: "/").last.map(String.init) ?? attempt
    if symlink(name, published) == 0 { return try syncFolder(directory) }
    guard errno == EEXIST else { throw FileFailure.error("the shard cannot be published", errno) }
    guard PathConfinement.realPath(published) != PathConfinement.realPath(attempt) else { return }
    let first = try ShardSeal(reading: try OutputFolder(existing: published))
    guard seal.saysTheSame(as: first) else {
      throw RunError(.internalError, "this shard was published before with other results")
    }
    removeTree(attempt)
  }

  /// Whether no other task can be at work in an attempt's folder.
  private func isOurs(_ attempt: String) -> Bool {
    // Removing the sign is what claims it: of two tasks one succeeds.
    if unlink(attempt + "/" + Self.ended) == 0 { return true }
    guard let boot = Self.boot, Self.text(of: attempt + "/" + Self.owner) == boot else { return false }
    return OutputLock.isFree(attempt)
  }

  private func own(_ attempt: String) throws(RunError) {
    try replaceFile(attempt + "/" + Self.owner, with: Array((Self.boot ?? "unknown").utf8))
  }

  /// Names this kernel since its start; containers of one machine share it.
  private static let boot: String? = text(of: "/proc/sys/kernel/random/boot_id")

  private static func text(of path: String) -> String? {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(file, &bytes, bytes.count)
    return count > 0 ? String(decoding: bytes[..<count].prefix { $0 != 0x0A }, as: UTF8.self) : nil
  }
}

extension ShardSeal {
  /// Whether two seals are of the same results, wherever the images of each lie.
  func saysTheSame(as other: ShardSeal) -> Bool {
    var other = other
    other.imagesDirectory = imagesDirectory
    return self == other
  }
}
