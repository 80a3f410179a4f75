package import CardModel
package import ScanPipeline

/// Everything that shapes a run, validated by whoever makes it (the command). A run changes none of it.
package struct RunSettings: Sendable {
  package var input: InputSource
  /// The folder `OUT`; made where it does not exist.
  package var output: String
  /// Worker processes, at least 1.
  package var jobs: Int
  package var scanMode: ScanMode = .frontAndBack
  package var imageWidthPixels: Int = PairRequest.defaultImageWidthPixels
  package var delivery: Delivery = .android
  package var shard: Shard?
  /// Forgets what the ledger knows: every pair is scanned again.
  package var fresh = false
  /// Scans again what ended as `failed`, though nothing of it changed.
  package var retryFailed = false
  /// Reads the input, decides, and scans nothing; `RunOutcome` says what a run would do.
  package var dryRun = false
  /// Lets paths of a manifest leave their input root.
  package var allowOutside = false
  /// Further folders that paths of a manifest may point into.
  package var inputRoots: [String] = []
  /// Outcomes that turn exit status 0 into 3.
  package var failOn: Set<Outcome> = [.failed]
  /// A file of a directory that changed less than this long ago may still be being copied; it is waited for.
  package var settleSeconds: Double = 2
  package var limits = ImageLimits()
  package var worker: WorkerCommand
  package var workerLimits = WorkerLimits()
  /// Names everything that shapes a result beside the pair itself: program, engines, language data, thresholds. A ledger
  /// entry made under other versions is done again.
  package var versions: [String: String]
  /// The pipeline definition's settings that shape a result, in a stable form; as `versions`.
  package var definition: String = ""
  /// Prometheus' text file, replaced at least every ten seconds and at the end.
  package var metricsFile: String?
  /// A file that is touched at least every ten seconds while the run goes on.
  package var heartbeatFile: String?
  /// Reacts to SIGINT, SIGTERM and SIGHUP; off where the caller's process is not ours.
  package var handlesSignals = true

  package init(input: InputSource, output: String, jobs: Int, worker: WorkerCommand, versions: [String: String]) {
    self.input = input
    self.output = output
    self.jobs = max(1, jobs)
    self.worker = worker
    self.versions = versions
  }
}

/// Where pairs come from.
package enum InputSource: Sendable, Equatable {
  /// A CSV or NDJSON manifest.
  case manifest(path: String)
  /// A directory tree; pairs are found by name.
  case directory(path: String, patterns: NamePatterns = .standard, identities: String? = nil)

  /// The path as it was given.
  package var path: String {
    switch self {
    case .manifest(let path), .directory(let path, _, _): path
    }
  }
}

/// The program that is started for each worker.
package struct WorkerCommand: Sendable, Equatable {
  /// Program and arguments; the program by its absolute path.
  package var arguments: [String]
  /// Set beside what every worker gets (one thread, no backtraces).
  package var environment: [String: String]
  /// Whether it writes a `WorkerGreeting` line to descriptor 3 when it is ready; a bare stub does not.
  package var announcesReadiness: Bool
  /// Refuses to go on where a worker could not sandbox itself.
  package var requireSandbox: Bool
  /// Lets a worker's stderr through, for debugging; libraries may write anything to it.
  package var showsDiagnostics: Bool

  package init(
    arguments: [String], environment: [String: String] = [:], announcesReadiness: Bool = true,
    requireSandbox: Bool = false,
    showsDiagnostics: Bool = false
  ) {
    self.arguments = arguments
    self.environment = environment
    self.announcesReadiness = announcesReadiness
    self.requireSandbox = requireSandbox
    self.showsDiagnostics = showsDiagnostics
  }
}

/// Bounds on one worker.
package struct WorkerLimits: Sendable, Equatable {
  /// From handing over a pair to its answer; then the worker's process group is killed. Time that the worker stood in line for a
  /// processor does not count (`WorkerDeadline`).
  package var pairSeconds: Double = 20
  /// From start to readiness, counted likewise. A start takes a second; networks on a slow drive may take their time.
  package var startSeconds: Double = 120
  /// Resident memory at which a worker is killed. RLIMIT_AS is twice that, since libraries map more than they touch.
  package var memoryBytes: Int = 2 << 30
  /// A worker is replaced after this many pairs.
  package var recyclePairs: Int = 5000
  /// A worker is replaced once its memory has grown by this much since its first answer.
  package var recycleGrowthBytes: Int = 256 << 20
  /// A longer answer is as good as none. iOS answers carry two JPEG files in Base64.
  package var answerBytes: Int = 64 << 20

  package init() {}
}

/// One part of an input that is divided among machines: pairs whose id's hash falls on `index`.
package struct Shard: Sendable, Hashable {
  /// 0-based.
  package var index: Int
  package var count: Int

  /// - Returns: `nil` unless `0 <= index < count`.
  package init?(index: Int, count: Int) {
    guard count >= 1, (0..<count).contains(index) else { return nil }
    self.index = index
    self.count = count
  }

  /// Whether a pair belongs to this shard: by a hash of its id alone, never by its place.
  package func contains(id: String) -> Bool {
    count == 1 || Int(Digest.of(Array(id.utf8)).prefix64 % UInt64(count)) == index
  }
}
