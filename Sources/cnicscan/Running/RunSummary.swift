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
    let meaning = status == .completeWithFailures ? whoIsNeeded(outcome) : status.meaning
    let what = outcome.message.isEmpty ? meaning : outcome.message
    let level = status == .completeWithFailures ? "warning" : "error"
    var lines = ["cnicscan run: " + what, "exit status \(status.rawValue): " + status.remedy]
    if status == .completeWithFailures { lines.insert(sentence(outcome, output: output), at: 1) }
    return lines.map { LogText.line($0, level: format == .json ? level : "info", format: format) }.joined()
  }

  /// How many pairs ended otherwise than well, and how: a mail from cron says it without a look at any file.
  private static func whoIsNeeded(_ outcome: RunOutcome) -> String {
    let bad = Outcome.allCases.filter { $0 != .matched && $0 != .unverified }.compactMap { kind in
      outcome.progress.outcomes[kind].flatMap { $0 > 0 ? (kind.rawValue, $0) : nil }
    }
    let list = bad.map { "\($0.1) \($0.0)" }.joined(separator: ", ")
    return "complete, but \(bad.reduce(0) { $0 + $1.1 }) of \(outcome.progress.done) pairs need a person: \(list)"
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
