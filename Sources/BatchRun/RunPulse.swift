internal import CardModel
internal import Glibc

/// Tells the observer, the heartbeat file and the metrics file how a run goes. It belongs to the writing thread.
final class RunPulse {
  private let settings: RunSettings
  private let observer: any RunObserver
  private let start = MonotonicClock.now()
  private var lastProgress = 0.0
  private var lastFiles: Double

  static let progressSeconds = 0.1
  static let fileSeconds = 10.0

  init(_ settings: RunSettings, observer: any RunObserver) {
    self.settings = settings
    self.observer = observer
    lastFiles = start - Self.fileSeconds
  }

  /// Since the run began.
  var seconds: Double { MonotonicClock.now() - start }

  /// Called often; does something rarely.
  func beat(_ progress: RunProgress, total: Int?, replaced: Int) {
    let now = MonotonicClock.now()
    guard now - lastProgress >= Self.progressSeconds else { return }
    lastProgress = now
    var progress = progress
    progress.total = total
    progress.workersReplaced = replaced
    progress.secondsSinceStart = now - start
    observer.runDidProgress(progress)
    guard now - lastFiles >= Self.fileSeconds else { return }
    lastFiles = now
    writeFiles(progress, outcome: nil)
  }

  /// The run is over.
  func end(_ outcome: RunOutcome) {
    var progress = outcome.progress
    progress.secondsSinceStart = MonotonicClock.now() - start
    observer.runDidProgress(progress)
    writeFiles(progress, outcome: outcome)
  }

  /// Neither file is worth stopping a run for: the observer hears of a failure.
  private func writeFiles(_ progress: RunProgress, outcome: RunOutcome?) {
    do throws(RunError) {
      if let file = settings.heartbeatFile {
        try replaceFile(file, with: Array("\(getpid())\n".utf8), isDurable: false)
      }
      if let file = settings.metricsFile {
        let text = RunMetrics(progress: progress, outcome: outcome, before: RunMetrics.lastSuccess(in: file)).text
        try replaceFile(file, with: Array(text.utf8), isDurable: false)
        chmod(file, 0o644)
      }
    } catch {
      observer.runDidWarn("metrics or heartbeat: \(error.message)")
    }
  }
}
