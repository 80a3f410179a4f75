package import CardModel

/// How far a run is. Counts add up: `found == skipped + outcomes' sum` once it is complete.
package struct RunProgress: Sendable, Equatable {
  /// Pairs of the input seen so far (of this shard).
  package var found = 0
  /// All pairs of the input (of this shard), once known.
  package var total: Int?
  /// Already done and unchanged.
  package var skipped = 0
  /// Done by this run, those before a resume included.
  package var outcomes: [Outcome: Int] = [:]
  /// Pairs whose line was already in this run when it was resumed.
  package var resumed = 0
  package var workersReplaced = 0
  package var secondsSinceStart: Double = 0

  package init() {}

  /// Pairs done by this run.
  package var done: Int { outcomes.values.reduce(0, +) }
}

/// What a run came to.
package struct RunOutcome: Sendable {
  package var status: ExitStatus
  /// For people; empty where the status says it all.
  package var message: String
  package var progress: RunProgress
  /// The run's folder, `nil` where no run was started (nothing new, or it could not start).
  package var folder: String?
  /// Files of a directory that belong to no pair.
  package var unpairedFiles = 0
  /// Groups of pairs with the same images under different ids.
  package var duplicateGroups = 0

  package init(status: ExitStatus, message: String = "", progress: RunProgress = RunProgress(), folder: String? = nil) {
    self.status = status
    self.message = message
    self.progress = progress
    self.folder = folder
  }
}

/// Watches a run, e.g. to draw a bar. Called on the emitter's queue, at most ten times a second: it must be quick.
package protocol RunObserver: Sendable {
  func runDidStart(folder: String, resumed: Bool)
  func runDidProgress(_ progress: RunProgress)
  /// A sentence for the operator, e.g. that workers run without a sandbox. Never anything of a card.
  func runDidWarn(_ message: String)
}

/// Watches nothing.
package struct SilentObserver: RunObserver {
  package init() {}
  package func runDidStart(folder: String, resumed: Bool) {}
  package func runDidProgress(_ progress: RunProgress) {}
  package func runDidWarn(_ message: String) {}
}
