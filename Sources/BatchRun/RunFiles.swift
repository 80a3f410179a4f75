internal import Glibc

/// A file that only grows: lines are gathered, then written and synced together.
final class GrowingFile {
  private let descriptor: Int32
  private(set) var durable: Int
  private var gathered: [UInt8] = []

  /// Opens the file and cuts off what stands behind its acknowledged length.
  /// - Throws: `RunError`; `Damage` where the file is shorter than that.
  init(path: String, acknowledged: Int) throws(RunError) {
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    durable = acknowledged
    guard descriptor >= 0 else { throw FileFailure.error("a file of the run cannot be opened", errno) }
    guard ftruncate(descriptor, off_t(acknowledged)) == 0 else {
      throw FileFailure.error("a file of the run cannot be cut", errno)
    }
  }

  deinit { close(descriptor) }

  /// Where the next byte will stand.
  var end: Int { durable + gathered.count }

  /// Gathers bytes.
  func append(_ bytes: [UInt8]) { gathered.append(contentsOf: bytes) }

  /// Writes and syncs what was gathered. After a failure the file is cut back by the next run.
  func sync() throws(RunError) {
    guard !gathered.isEmpty else { return }
    let code = gathered.withUnsafeBytes { buffer -> Int32 in
      var done = 0
      while done < buffer.count {
        let count = pwrite(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done, off_t(durable + done))
        if count < 0 && errno == EINTR { continue }
        if count < 0 { return errno }
        if count == 0 { return ENOSPC }
        done += count
      }
      return fdatasync(descriptor) == 0 ? 0 : errno
    }
    guard code == 0 else { throw FileFailure.error("the results cannot be written", code) }
    durable += gathered.count
    gathered.removeAll(keepingCapacity: gathered.count < 1 << 22)
  }
}

/// The files of a run's folder that grow with it.
final class RunFiles {
  let folder: String
  let results: GrowingFile
  let events: GrowingFile
  let rescan: GrowingFile
  let timings: GrowingFile

  /// Makes the folder and files where they are missing, and cuts them to their acknowledged lengths.
  init(folder: String, lengths: RunLengths) throws(RunError) {
    self.folder = folder
    try OutputFolder.makeFolders(folder)
    results = try GrowingFile(path: folder + "/results.ndjson", acknowledged: lengths.results)
    events = try GrowingFile(path: folder + "/events.ndjson", acknowledged: lengths.events)
    rescan = try GrowingFile(path: folder + "/rescan.csv", acknowledged: lengths.rescan)
    timings = try GrowingFile(path: folder + "/timings.ndjson", acknowledged: lengths.timings)
    try syncFolder(folder)
  }

  /// Whether every file is at least as long as the ledger says; if not, somebody else cut or removed them.
  static func areWhole(folder: String, lengths: RunLengths) -> Bool {
    let wanted = [
      ("results.ndjson", lengths.results), ("events.ndjson", lengths.events), ("rescan.csv", lengths.rescan),
    ]
    return wanted.allSatisfy { name, length in
      var stat = FileStat()
      return length == 0 || stat.look(at: folder + "/" + name, followingLinks: false) == nil && stat.size >= length
    }
  }

  var lengths: RunLengths {
    RunLengths(results: results.durable, events: events.durable, rescan: rescan.durable, timings: timings.durable)
  }

  /// Writes and syncs everything gathered.
  func sync() throws(RunError) {
    try results.sync()
    try events.sync()
    try rescan.sync()
    try timings.sync()
  }
}

/// Syncs a folder, so that the names in it last.
func syncFolder(_ path: String) throws(RunError) {
  let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
  guard descriptor >= 0 else { throw FileFailure.error("a folder of the output cannot be opened", errno) }
  defer { close(descriptor) }
  guard fsync(descriptor) == 0 else { throw FileFailure.error("a folder of the output cannot be synced", errno) }
}

/// Syncs a file that somebody else wrote.
/// - Returns: `false` where it is not there.
func syncFile(_ path: String) throws(RunError) -> Bool {
  let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
  if descriptor < 0 && errno == ENOENT { return false }
  guard descriptor >= 0 else { throw FileFailure.error("a card image cannot be opened", errno) }
  defer { close(descriptor) }
  guard fdatasync(descriptor) == 0 else { throw FileFailure.error("a card image cannot be synced", errno) }
  return true
}

/// Replaces a file at once: temporary name, sync, rename.
func replaceFile(_ path: String, with bytes: [UInt8], isDurable: Bool = true) throws(RunError) {
  let temporary = path + ".new"
  let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
  guard descriptor >= 0 else { throw FileFailure.error("a file cannot be made", errno) }
  var code = writeAll(bytes, to: descriptor) ?? 0
  if code == 0, isDurable, fsync(descriptor) != 0 { code = errno }
  close(descriptor)
  if code == 0, rename(temporary, path) != 0 { code = errno }
  guard code == 0 else {
    unlink(temporary)
    throw FileFailure.error("a file cannot be written", code)
  }
}
