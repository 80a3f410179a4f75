internal import BatchRun
internal import CardModel
internal import Foundation
internal import Synchronization

/// Shows a run on standard error: a bar on a terminal, warnings everywhere, and nothing else.
final class ProgressBar: RunObserver {
  private let settings: Settings
  private let drawnWidth = Mutex(0)

  struct Settings: Sendable {
    var showsBar: Bool
    var hasColour: Bool
    var logFormat: PipelineDefinition.LogFormat
    var columns: Int
  }

  init(_ settings: Settings) { self.settings = settings }

  func runDidStart(folder: String, resumed: Bool) {
    guard resumed, settings.showsBar else { return }
    say("resuming the run in \(folder)", level: "info")
  }

  func runDidWarn(_ message: String) { say(message, level: "warning") }

  func runDidProgress(_ progress: RunProgress) {
    guard settings.showsBar else { return }
    let text = Self.line(progress, columns: settings.columns, hasColour: settings.hasColour)
    drawnWidth.withLock { $0 = text.count }
    Terminal.writeError("\r\u{1B}[K" + text)
  }

  /// Takes the bar off the screen.
  func clear() {
    let drawn = drawnWidth.withLock { width in
      defer { width = 0 }
      return width
    }
    if drawn > 0 { Terminal.writeError("\r\u{1B}[K") }
  }

  private func say(_ message: String, level: String) {
    clear()
    Terminal.writeError(LogText.line(message, level: level, format: settings.logFormat))
  }

  /// `[####....]  412/1000  38.2/s  ETA 0:15  matched 400  rescanBack 12`, cut to the terminal's width.
  static func line(_ progress: RunProgress, columns: Int, hasColour: Bool) -> String {
    let done = progress.done + progress.skipped
    var parts: [String] = []
    if let total = progress.total {
      let width = 20
      let filled = total == 0 ? width : min(width, done * width / total)
      parts.append("[" + String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled) + "]")
      parts.append("\(done)/\(total)")
    } else {
      parts.append("\(done) pairs")
    }
    let fresh = progress.done - progress.resumed
    if progress.secondsSinceStart > 0.5, fresh > 0 {
      let rate = Double(fresh) / progress.secondsSinceStart
      parts.append(String(format: "%.1f/s", rate))
      if let total = progress.total { parts.append("ETA " + duration(Double(total - done) / rate)) }
    }
    for outcome in Outcome.allCases {
      guard let count = progress.outcomes[outcome], count > 0 else { continue }
      parts.append("\(outcome.rawValue) \(count)")
    }
    let text = String(parts.joined(separator: "  ").prefix(max(20, columns - 1)))
    guard hasColour, let failed = progress.outcomes[.failed], failed > 0 else { return text }
    return text.replacing("failed \(failed)", with: "\u{1B}[31mfailed \(failed)\u{1B}[0m")
  }

  /// `0:15`, `12:03` or `3:04:05`.
  static func duration(_ seconds: Double) -> String {
    let whole = Int(max(0, seconds).rounded())
    let (hours, minutes, rest) = (whole / 3600, whole / 60 % 60, whole % 60)
    return hours > 0 ? String(format: "%d:%02d:%02d", hours, minutes, rest) : String(format: "%d:%02d", minutes, rest)
  }
}

/// A line said to people, or to the program that collects them.
enum LogText {
  static func line(_ message: String, level: String, format: PipelineDefinition.LogFormat) -> String {
    switch format {
    case .text: level == "info" ? message + "\n" : "\(level): \(message)\n"
    case .json:
      // Message and level are ours: no control character can be in them, quotes and backslashes are escaped.
      "{\"level\":\"\(level)\",\"message\":\"" + message.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        + "\"}\n"
    }
  }
}
