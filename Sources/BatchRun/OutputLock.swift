internal import Glibc

/// Keeps two runs off one output folder. The kernel lets go of it when the process ends, however it ends.
///
/// A lock belongs to the open file, which a fork shares until it executes a worker: closing alone would leave the folder locked
/// for as long as that takes, so that it is unlocked in words.
final class OutputLock {
  private let file: Int32

  /// - Throws: `RunError(.temporaryFailure)` naming the process that holds the folder.
  init(_ folder: OutputFolder) throws(RunError) {
    file = open(folder.path + "/.lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw FileFailure.error("the output folder cannot be locked", errno) }
    let code = Self.tryLock(file)
    guard code == 0 else {
      var text = [UInt8](repeating: 0, count: 32)
      let count = pread(file, &text, text.count, 0)
      close(file)
      guard code == EWOULDBLOCK else { throw FileFailure.error("the output folder cannot be locked", code) }
      let holder = String(decoding: text[..<max(0, count)].prefix { $0 != 0x0A }, as: UTF8.self)
      throw RunError(
        .temporaryFailure, "another run holds the output folder (process \(holder.isEmpty ? "unknown" : holder))")
    }
    // Whoever is refused reads this; that it may be missing on a full disk harms nobody.
    _ = ftruncate(file, 0)
    let pid = Array("\(getpid())\n".utf8)
    _ = pwrite(file, pid, pid.count, 0)
  }

  /// Whether nobody holds a folder's lock. Without a lock's file a run may be about to begin: then it is not said to be free.
  static func isFree(_ folder: String) -> Bool {
    let file = open(folder + "/.lock", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return false }
    defer { release(file) }
    return tryLock(file) == 0
  }

  /// - Returns: zero, or why not.
  private static func tryLock(_ file: Int32) -> Int32 {
    var code = flock(file, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
    // A killed run's last fork may hold it for some milliseconds more, until it executes its worker or dies.
    for _ in 0..<20 where code == EWOULDBLOCK {
      usleep(10_000)
      code = flock(file, LOCK_EX | LOCK_NB) == 0 ? 0 : errno
    }
    return code
  }

  private static func release(_ file: Int32) {
    _ = flock(file, LOCK_UN)
    close(file)
  }

  deinit { Self.release(file) }
}
