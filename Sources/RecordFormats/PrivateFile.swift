internal import Glibc

/// Files that only their owner may read: everything that is written about a run.
enum PrivateFile {
  /// Writes a file whole or not at all: under a temporary name beside it, synced, then renamed.
  /// - Throws: `FormatError` naming the system's reason, not the path.
  static func write(_ text: String, to path: String) throws(FormatError) {
    let temporary = path + ".tmp"
    unlink(temporary)
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw failure("cannot be made") }
    // Who sweeps what killed programs left sees by the lock that this one lives.
    _ = flock(descriptor, LOCK_EX | LOCK_NB)
    var text = text
    let isWritten = text.withUTF8 { bytes -> Bool in
      var done = 0
      while done < bytes.count {
        let count = Glibc.write(descriptor, bytes.baseAddress.map { $0 + done }, bytes.count - done)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        done += count
      }
      return fsync(descriptor) == 0
    }
    guard isWritten else {
      let error = failure("cannot be written")
      close(descriptor)
      unlink(temporary)
      throw error
    }
    close(descriptor)
    guard rename(temporary, path) == 0 else {
      let error = failure("cannot be put in place")
      unlink(temporary)
      throw error
    }
  }

  /// Makes a folder, mode 0700, where there is none.
  static func makeFolder(_ path: String) throws(FormatError) {
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else { throw failure("its folder cannot be made") }
  }

  /// Removes numbered files from a number on, up to the first that is not there.
  static func removeSeries(from first: Int, _ path: (Int) -> String) {
    var number = first
    while unlink(path(number)) == 0 { number += 1 }
  }

  private static func failure(_ what: String) -> FormatError {
    FormatError(what + ": " + String(cString: strerror(errno)))
  }
}
