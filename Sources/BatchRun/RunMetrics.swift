internal import CardModel
internal import Glibc

/// A run in the text format of Prometheus' node exporter (textfile collector): gauges without time stamps, nothing of a card.
struct RunMetrics {
  var progress: RunProgress
  /// `nil` while the run goes on.
  var outcome: RunOutcome?
  /// When a run last ended well, seconds since 1970, as the file said before.
  var before: Double?

  private static let lastSuccessName = "cnicscan_last_success_timestamp_seconds"

  var text: String {
    var text = ""
    func gauge(_ name: String, _ help: String, _ samples: [(labels: String, value: String)]) {
      text += "# HELP \(name) \(help)\n# TYPE \(name) gauge\n"
      for sample in samples { text += "\(name)\(sample.labels) \(sample.value)\n" }
    }
    gauge(
      "cnicscan_pairs", "Pairs of the last or current run by outcome.",
      Outcome.allCases.map { ("{outcome=\"\($0.rawValue)\"}", String(progress.outcomes[$0] ?? 0)) })
    gauge("cnicscan_pairs_skipped", "Pairs already done and unchanged.", [("", String(progress.skipped))])
    gauge("cnicscan_pairs_found", "Pairs of the input seen so far.", [("", String(progress.found))])
    if let total = progress.total {
      gauge(
        "cnicscan_backlog_pairs", "Pairs of the input that are still to be seen.",
        [("", String(max(0, total - progress.found)))])
    }
    gauge(
      "cnicscan_run_duration_seconds", "Wall time of the last or current run.",
      [("", Self.number(progress.secondsSinceStart))])
    gauge(
      "cnicscan_workers_replaced", "Workers that crashed, hung or were stopped.",
      [("", String(progress.workersReplaced))])
    gauge("cnicscan_run_active", "1 while a run goes on.", [("", outcome == nil ? "1" : "0")])
    if let outcome {
      gauge("cnicscan_exit_status", "Exit status of the last run.", [("", String(outcome.status.rawValue))])
    }
    let isSuccess = outcome.map { $0.status == .complete || $0.status == .completeWithFailures } ?? false
    if let success = isSuccess ? WallClock.now().rounded() : before {
      gauge(Self.lastSuccessName, "When a run last completed.", [("", Self.number(success))])
    }
    return text
  }

  private static func number(_ value: Double) -> String {
    let thousandths = Int((value * 1000).rounded())
    let fraction = String(thousandths % 1000 + 1000).dropFirst()
    return "\(thousandths / 1000).\(fraction)"
  }

  /// Reads the time of the last success out of an earlier file, so that a failing run does not forget it.
  static func lastSuccess(in path: String) -> Double? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var lines = LineReader(descriptor: descriptor, maximumLineBytes: 1 << 12)
    while case .line(let line) = lines.next() {
      let text = String(decoding: line, as: UTF8.self)
      if text.hasPrefix(lastSuccessName + " ") { return Double(text.dropFirst(lastSuccessName.count + 1)) }
    }
    return nil
  }
}
