internal import Glibc

/// What a worker says on descriptor 3 once it is ready: one line, then it closes the descriptor. Run by hand or by another
/// engine, a worker has no such descriptor and says nothing.
package struct WorkerGreeting: Sendable, Equatable {
  package var sandbox: SandboxState

  package init(sandbox: SandboxState) { self.sandbox = sandbox }

  static let descriptor: Int32 = 3
  /// Set by the supervisor, so that a stray descriptor 3 of another parent is never written to.
  static let variable = "CNICSCAN_GREETING"

  /// Announces that this worker is ready, where a supervisor waits for that.
  package func send() {
    guard getenv(Self.variable) != nil else { return }
    _ = writeAll(line, to: Self.descriptor)
    close(Self.descriptor)
  }

  var line: [UInt8] { Array("ready \(Self.word(sandbox.files)) \(Self.word(sandbox.calls))\n".utf8) }

  /// Reads what `send` wrote.
  init?(line: [UInt8]) {
    let words = String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
    guard words.count == 3, words[0] == "ready", let files = Self.part(words[1]), let calls = Self.part(words[2]) else {
      return nil
    }
    sandbox = SandboxState(files: files, calls: calls)
  }

  private static func word(_ part: SandboxState.Part) -> String {
    switch part {
    case .on: "on"
    case .off(let errno): "off:\(errno)"
    }
  }

  private static func part(_ word: Substring) -> SandboxState.Part? {
    if word == "on" { return .on }
    guard word.hasPrefix("off:"), let errno = Int32(word.dropFirst(4)) else { return nil }
    return .off(errno: errno)
  }
}
