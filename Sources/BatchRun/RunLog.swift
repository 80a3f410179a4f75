internal import CardModel
internal import Foundation
internal import Glibc
internal import RecordFormats
internal import Synchronization

/// `log.ndjson`: what happened when. Pairs are named by their place; nothing of a card or of a path stands here.
/// It is kept for operators, not for the record: it is not synced, and a failure to write it stops nothing.
final class RunLog: Sendable {
  private struct State {
    var file: Int32 = -1
    /// Lines from before there was a folder.
    var early: [[UInt8]] = []
  }
  private let state = Mutex(State())
  private static let maximumEarlyLines = 1000

  init() {}

  /// Starts writing, what was said before included. A run that has nothing to do has no folder, and its lines are lost.
  func open(folder: String) {
    let descriptor = Glibc.open(folder + "/log.ndjson", O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    state.withLock { state in
      if state.file >= 0 { close(state.file) }
      state.file = descriptor
      if descriptor >= 0 { for line in state.early { _ = writeAll(line, to: descriptor) } }
      state.early = []
    }
  }

  func write(_ level: LogLine.Level, _ message: String, pair: Int? = nil, reason: Reason? = nil) {
    let line = LogLine(time: Date(), level: level, message: message, pair: pair, reason: reason).line + [0x0A]
    state.withLock { state in
      if state.file >= 0 {
        _ = writeAll(line, to: state.file)
      } else if state.early.count < Self.maximumEarlyLines {
        state.early.append(line)
      }
    }
  }

  deinit { state.withLock { if $0.file >= 0 { close($0.file) } } }
}
