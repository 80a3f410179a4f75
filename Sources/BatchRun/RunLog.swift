internal import CardModel
internal import Foundation
internal import Glibc
internal import RecordFormats
internal import Synchronization

/// `log.ndjson`: what happened when. Pairs are named by their place; nothing of a card or of a path stands here.
/// It is kept for operators, not for the record: it is not synced, and a failure to write it stops nothing.
final class RunLog: Sendable {
  private let file: Mutex<Int32> = Mutex(-1)

  init() {}

  /// Starts writing; lines before that are lost on purpose, since without a run there is no folder for them.
  func open(folder: String) {
    let descriptor = Glibc.open(folder + "/log.ndjson", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    file.withLock { current in
      if current >= 0 { close(current) }
      current = descriptor
    }
  }

  func write(_ level: LogLine.Level, _ message: String, pair: Int? = nil, reason: Reason? = nil) {
    let line = LogLine(time: Date(), level: level, message: message, pair: pair, reason: reason).line + [0x0A]
    file.withLock { descriptor in
      if descriptor >= 0 { _ = writeAll(line, to: descriptor) }
    }
  }

  deinit { file.withLock { if $0 >= 0 { close($0) } } }
}
