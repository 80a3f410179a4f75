internal import CardModel
internal import Glibc
internal import RecordFormats

/// Turns a path of the input into the real path of a regular file below one of the roots, or says why that cannot be.
/// A folder's real path is remembered, since most files of an input share a few folders.
struct PathConfinement {
  private let base: String
  private let roots: [String]
  private let allowOutside: Bool
  private var folders: [ExactText: String] = [:]

  /// - Parameter base: what relative paths start from.
  /// - Parameter roots: folders that files must lie in.
  init(base: String, roots: [String], allowOutside: Bool) {
    self.base = Self.realPath(base) ?? base
    self.roots = roots.map { Self.realPath($0) ?? $0 }.map { $0.hasSuffix("/") ? $0 : $0 + "/" }
    self.allowOutside = allowOutside
  }

  enum Place: Equatable {
    case file(path: String, stat: FileStat)
    /// Nothing is there, or it may not be looked at; the path is where it should be.
    case absent(path: String, Reason)
    /// It must not be read.
    case refused(Reason)
  }

  /// - Parameter path: absolute, or relative to the base.
  mutating func place(_ path: String) -> Place {
    let full = path.hasPrefix("/") ? path : base + "/" + path
    guard !path.utf8.contains(0), full.utf8.count < Int(PATH_MAX) else { return .absent(path: "", .fileMissing) }
    guard let slash = full.utf8.lastIndex(of: 0x2F) else { return .refused(.invalidRequest) }
    let name = String(full[full.utf8.index(after: slash)...])
    if name.isEmpty || name == "." || name == ".." { return .refused(.notARegularFile) }
    guard let folder = realFolder(slash == full.startIndex ? "/" : String(full[..<slash])) else {
      // A folder that is not there cannot be judged by its real path: its written one must lie inside too.
      guard allowOutside || isInside(Self.lexicallyResolved(full)) else { return .refused(.pathOutsideInput) }
      return .absent(path: full, errno == EACCES ? .permissionDenied : .fileMissing)
    }
    var real = folder == "/" ? "/" + name : folder + "/" + name
    var stat = FileStat()
    if let code = stat.look(at: real, followingLinks: false) {
      guard allowOutside || isInside(real) else { return .refused(.pathOutsideInput) }
      return .absent(path: real, code == EACCES ? .permissionDenied : .fileMissing)
    }
    if stat.isLink {
      guard let target = Self.realPath(real) else {
        return .absent(path: real, errno == EACCES ? .permissionDenied : .fileMissing)
      }
      real = target
      if stat.look(at: real, followingLinks: false) != nil { return .absent(path: real, .fileMissing) }
    }
    guard allowOutside || isInside(real) else { return .refused(.pathOutsideInput) }
    guard stat.isRegular else { return .refused(.notARegularFile) }
    return .file(path: real, stat: stat)
  }

  private func isInside(_ path: String) -> Bool { roots.contains { path.beginsExactly(with: $0) } }

  private mutating func realFolder(_ folder: String) -> String? {
    let key = ExactText(folder)
    if let known = folders[key] { return known }
    guard let real = Self.realPath(folder) else { return nil }
    if folders.count >= 1024 { folders.removeAll(keepingCapacity: true) }
    folders[key] = real
    return real
  }

  /// `realpath(3)`; `nil` with errno set.
  static func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Without `.` and `..`, as far as the text alone tells.
  static func lexicallyResolved(_ path: String) -> String {
    var parts: [Substring] = []
    for part in path.split(separator: "/") where part != "." {
      if part == ".." { _ = parts.popLast() } else { parts.append(part) }
    }
    return "/" + parts.joined(separator: "/")
  }
}

/// What the file system says of a file.
struct FileStat: Sendable, Equatable {
  var size = 0
  var inode: UInt64 = 0
  var device: UInt64 = 0
  var modified: Int64 = 0
  /// When content or metadata last changed, in nanoseconds: unlike `modified` nobody can set it back.
  var changed: Int64 = 0
  private var mode: UInt32 = 0

  init() {}

  var isRegular: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFREG) }
  var isLink: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFLNK) }
  var isFolder: Bool { mode & UInt32(S_IFMT) == UInt32(S_IFDIR) }

  /// - Returns: errno, `nil` where it succeeded.
  mutating func look(at path: String, followingLinks: Bool) -> Int32? {
    var info = Glibc.stat()
    let code = followingLinks ? stat(path, &info) : lstat(path, &info)
    guard code == 0 else { return errno }
    take(info)
    return nil
  }

  mutating func look(at descriptor: Int32) -> Int32? {
    var info = Glibc.stat()
    guard fstat(descriptor, &info) == 0 else { return errno }
    take(info)
    return nil
  }

  private mutating func take(_ info: stat) {
    size = Int(info.st_size)
    inode = UInt64(info.st_ino)
    device = UInt64(info.st_dev)
    modified = Int64(info.st_mtim.tv_sec) * 1_000_000_000 + Int64(info.st_mtim.tv_nsec)
    changed = Int64(info.st_ctim.tv_sec) * 1_000_000_000 + Int64(info.st_ctim.tv_nsec)
    mode = info.st_mode
  }
}
