internal import Glibc

/// The folder `OUT` and what lies in it.
struct OutputFolder: Sendable {
  /// Absolute, links resolved.
  let path: String

  var ledger: String { path + "/ledger.sqlite" }
  var images: String { path + "/images" }
  var runs: String { path + "/runs" }
  func run(_ folder: String) -> String { runs + "/" + folder }

  /// Makes the folder and its parts (0700) where they are missing.
  /// - Throws: `RunError(.cannotCreateOutput)`.
  init(making path: String) throws(RunError) {
    try Self.makeFolders(path)
    guard let real = PathConfinement.realPath(path) else {
      throw RunError(.cannotCreateOutput, "the output folder cannot be opened (errno \(errno))")
    }
    self.path = real
    try Self.makeFolders(images)
    try Self.makeFolders(runs)
    guard access(real, R_OK | W_OK | X_OK) == 0 else {
      throw RunError(.cannotCreateOutput, "the output folder cannot be written (errno \(errno))")
    }
  }

  /// - Throws: `RunError(.noInput)` where no ledger lies there.
  init(existing path: String) throws(RunError) {
    guard let real = PathConfinement.realPath(path), access(real + "/ledger.sqlite", R_OK) == 0 else {
      throw RunError(.noInput, "no ledger.sqlite lies in the output folder named")
    }
    self.path = real
  }

  static func makeFolders(_ path: String) throws(RunError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST && isFolder(path) { return }
    guard errno == ENOENT, let slash = path.utf8.lastIndex(of: 0x2F), slash > path.startIndex else {
      throw RunError(
        errno == ENOSPC ? .outputFailure : .cannotCreateOutput, "the output folder cannot be made (errno \(errno))")
    }
    try makeFolders(String(path[..<slash]))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST && isFolder(path) else {
      throw RunError(
        errno == ENOSPC ? .outputFailure : .cannotCreateOutput, "the output folder cannot be made (errno \(errno))")
    }
  }

  private static func isFolder(_ path: String) -> Bool {
    let before = errno
    defer { errno = before }
    var stat = FileStat()
    return stat.look(at: path, followingLinks: true) == nil && stat.isFolder
  }

  /// Points `latest` to a run's folder, replacing the link at once.
  func pointLatest(to folder: String) throws(RunError) {
    let temporary = path + "/.latest.new"
    unlink(temporary)
    guard symlink("runs/" + folder, temporary) == 0, rename(temporary, path + "/latest") == 0 else {
      throw FileFailure.error("the link `latest` cannot be made", errno)
    }
  }

  /// Removes what an interrupted run left under temporary names: half-written images, and files that were to be renamed.
  func sweep() throws(RunError) {
    // SQLite removes its temporary files' names as soon as it has made them; a kill may come between.
    try Self.eachName(in: path) { name in
      if name.hasSuffix(".new") || name.hasPrefix("etilqs_") { unlink(path + "/" + name) }
    }
    try sweepImages()
    try Self.eachName(in: runs) { folder throws(RunError) in
      try Self.eachName(in: run(folder)) { name in
        if name.hasSuffix(".new") { unlink(run(folder) + "/" + name) }
        if name.hasSuffix(".tmp") { Self.removeUnheld(run(folder) + "/" + name) }
      }
    }
    try Self.eachName(in: path + "/review") { name in
      if name.hasSuffix(".tmp") { Self.removeUnheld(path + "/review/" + name) }
    }
  }

  /// Removes half-written images. Called where no worker is at work.
  func sweepImages() throws(RunError) {
    try Self.eachName(in: images) { name in if !Self.isImageName(name) { unlink(images + "/" + name) } }
  }

  /// Removes a half-written page, unless whoever writes it is still there: `report` and `review` work beside a run.
  private static func removeUnheld(_ path: String) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return }
    defer { close(file) }
    if flock(file, LOCK_EX | LOCK_NB) == 0 { unlink(path) }
  }

  /// Calls `body` with the name of each card image, in no order.
  func eachImage(_ body: (_ name: String) -> Void) throws(RunError) {
    try Self.eachName(in: images) { if Self.isImageName($0) { body($0) } }
  }

  /// `front_<uuid>.png` or `back_<uuid>.png`.
  static func isImageName(_ name: String) -> Bool {
    guard name.hasSuffix(".png") else { return false }
    let stem = name.dropLast(4)
    guard let prefix = ["front_", "back_"].first(where: stem.hasPrefix) else { return false }
    let uuid = stem.dropFirst(prefix.count).utf8
    return uuid.count == 36
      && uuid.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x66).contains($0) || (0x41...0x46).contains($0) || $0 == 0x2D
      }
  }

  /// Calls `body` with every name in a folder but `.` and `..`, in no order; a folder that does not exist has none.
  static func eachName(in folder: String, _ body: (String) throws(RunError) -> Void) throws(RunError) {
    guard let stream = opendir(folder) else {
      if errno == ENOENT || errno == ENOTDIR { return }
      throw FileFailure.error("a folder of the output cannot be read", errno)
    }
    defer { closedir(stream) }
    while let entry = readdir(stream) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != "." && name != ".." { try body(name) }
    }
  }
}

/// What an errno of writing means for a run.
enum FileFailure {
  static func error(_ what: String, _ code: Int32) -> RunError {
    switch code {
    case ENOSPC, EDQUOT: RunError(.outputFailure, "\(what): the disk is full; run again once there is room")
    case EROFS, EACCES, EPERM: RunError(.cannotCreateOutput, "\(what): writing is not allowed (errno \(code))")
    default: RunError(.outputFailure, "\(what) (errno \(code))")
    }
  }
}
