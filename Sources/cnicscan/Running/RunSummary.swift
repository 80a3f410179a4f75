internal import BatchRun
internal import CardModel
internal import Foundation
internal import RecordFormats

/// What is said at the end of a run: a table for whoever watches, or a short message that tells what to do.
enum RunSummary {
  /// The counts, and where everything lies.
  static func table(_ outcome: RunOutcome, output: String, format: PipelineDefinition.LogFormat) -> String {
    if format == .json { return LogText.line(sentence(outcome, output: output), level: "info", format: .json) }
    let end = sentence(outcome, output: output) + "\n"
    guard let folder = outcome.folder else { return end }
    do {
      let bytes = try Data(contentsOf: URL(fileURLWithPath: folder + "/summary.json"))
      return try Summary(text: bytes).table + end
    } catch {
      // The run's own counts stand in for a summary that cannot be read.
      return counts(outcome) + end
    }
  }

  private static func counts(_ outcome: RunOutcome) -> String {
    let progress = outcome.progress
    var rows: [(String, Int)] = [("pairs found", progress.found), ("already done", progress.skipped)]
    rows += Outcome.allCases.compactMap { kind in progress.outcomes[kind].map { (kind.rawValue, $0) } }
    return rows.map { "  " + $0.0.padded(to: 20) + String($0.1) + "\n" }.joined()
  }

  /// For a run that needs somebody: what happened, and what to do.
  static func problem(_ outcome: RunOutcome, output: String, format: PipelineDefinition.LogFormat) -> String {
    let status = outcome.status
    let what = outcome.message.isEmpty ? status.meaning : outcome.message
    let level = status == .completeWithFailures ? "warning" : "error"
    var lines = ["cnicscan run: " + what, "exit status \(status.rawValue): " + status.remedy]
    if status == .completeWithFailures { lines.insert(sentence(outcome, output: output), at: 1) }
    return lines.map { LogText.line($0, level: format == .json ? level : "info", format: format) }.joined()
  }

  /// What a run would do.
  static func dryRun(_ outcome: RunOutcome) -> String {
    let progress = outcome.progress
    let new = progress.found - progress.skipped
    var text = "pairs found: \(progress.found)\nalready done: \(progress.skipped)\nto be scanned: \(new)\n"
    if outcome.unpairedFiles > 0 { text += "files of no pair: \(outcome.unpairedFiles)\n" }
    if outcome.duplicateGroups > 0 { text += "duplicates: \(outcome.duplicateGroups)\n" }
    return text
  }

  /// One line that stands alone in a log.
  static func sentence(_ outcome: RunOutcome, output: String) -> String {
    let progress = outcome.progress
    guard let folder = outcome.folder else { return "nothing new: \(progress.skipped) pairs are done in \(output)" }
    return "\(progress.done) pairs; results: \(folder)"
  }
}
