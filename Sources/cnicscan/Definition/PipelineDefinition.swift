internal import CardModel

/// A pipeline definition: every setting of a run that a file or the command line can make. `nil` is "not said here".
/// Defaults < definition < flags.
struct PipelineDefinition: Equatable, Sendable {
  var input: String?
  var manifest: String?
  var identities: String?
  var output: String?
  var scanMode: ScanMode?
  var imageWidth: Int?
  var delivery: Delivery?
  var jobs: Int?
  var failOn: [Outcome]?
  /// Front and back patterns that belong together, e.g. `{id}_front.*` and `{id}_back.*`.
  var patterns: [PatternPair]?
  var bothSidesExtensions: [String]?
  var settleSeconds: Int?
  var retryFailed: Bool?
  var inputRoots: [String]?
  var fileMegabytes: Int?
  var megapixels: Int?
  var pages: Int?
  var secondsPerPair: Int?
  var workerMegabytes: Int?
  var allowPDF: Bool?
  var sandbox: Sandbox?
  var asOf: CardDate?
  var metrics: String?
  var heartbeat: String?
  var logFormat: LogFormat?
  var unmaskedReport: Bool?

  struct PatternPair: Equatable, Sendable {
    var front: String
    var back: String
  }

  /// What happens where the kernel cannot confine a worker.
  enum Sandbox: String, CaseIterable, Sendable { case required, whenAvailable, off }

  /// The form of log lines on stderr.
  enum LogFormat: String, CaseIterable, Sendable { case text, json }

  /// This definition with everything that `other` says put over it.
  func overlaid(with other: PipelineDefinition) -> PipelineDefinition {
    var out = self
    for setting in Setting.all { setting.shape.copy(from: other, to: &out) }
    return out
  }
}

/// One key of a definition: its place, what it takes and where the value goes. The table is the whole format.
struct Setting: Sendable {
  /// The dotted path of the key.
  let path: String
  let shape: Shape
  let help: String

  init(_ path: String, _ shape: Shape, _ help: String) {
    (self.path, self.shape, self.help) = (path, shape, help)
  }

  typealias Target<Value> = WritableKeyPath<PipelineDefinition, Value?> & Sendable

  enum Shape: Sendable {
    /// Relative to the definition's own folder.
    case path(Target<String>)
    case paths(Target<[String]>)
    case texts(Target<[String]>)
    case patterns(Target<[PipelineDefinition.PatternPair]>)
    case integer(ClosedRange<Int>, Target<Int>)
    case truth(Target<Bool>)
    case scanMode(Target<ScanMode>)
    case delivery(Target<Delivery>)
    case outcomes(Target<[Outcome]>)
    case sandbox(Target<PipelineDefinition.Sandbox>)
    case logFormat(Target<PipelineDefinition.LogFormat>)
    case date(Target<CardDate>)

    /// Copies the value where `source` has one.
    func copy(from source: PipelineDefinition, to target: inout PipelineDefinition) {
      func copy<Value>(_ place: WritableKeyPath<PipelineDefinition, Value?>) {
        if let value = source[keyPath: place] { target[keyPath: place] = value }
      }
      switch self {
      case .path(let place): copy(place)
      case .paths(let place), .texts(let place): copy(place)
      case .patterns(let place): copy(place)
      case .integer(_, let place): copy(place)
      case .truth(let place): copy(place)
      case .scanMode(let place): copy(place)
      case .delivery(let place): copy(place)
      case .outcomes(let place): copy(place)
      case .sandbox(let place): copy(place)
      case .logFormat(let place): copy(place)
      case .date(let place): copy(place)
      }
    }
  }

  static let all: [Setting] = [
    Setting("input", .path(\.input), "a directory in which pairs are found by name"),
    Setting("manifest", .path(\.manifest), "a manifest, CSV or NDJSON; instead of input"),
    Setting("identities", .path(\.identities), "CSV of id,identityNumber for pairs found in a directory"),
    Setting("output", .path(\.output), "where ledger, images and runs are kept"),
    Setting("scanMode", .scanMode(\.scanMode), "frontAndBack, frontOnly or backOnly, where the manifest says nothing"),
    Setting("imageWidth", .integer(PairRequest.imageWidthRange, \.imageWidth), "width in pixels of the saved images"),
    Setting("delivery", .delivery(\.delivery), "the form of events.ndjson: android or ios"),
    Setting(
      "jobs", .integer(1...1024, \.jobs), "worker processes; as many as the cores that may be used when left out"),
    Setting("failOn", .outcomes(\.failOn), "outcomes that make the exit status 3, besides failed"),
    Setting(
      "patterns", .patterns(\.patterns), "list of {front, back}: how the sides of a pair are named, {id} is the pair"),
    Setting("bothSidesExtensions", .texts(\.bothSidesExtensions), "files that hold both sides as pages, e.g. tif"),
    Setting(
      "settleSeconds", .integer(0...86_400, \.settleSeconds), "a file that changed less long ago may still be copied"),
    Setting("retryFailed", .truth(\.retryFailed), "scan again what failed, though nothing of it changed"),
    Setting("inputRoots", .paths(\.inputRoots), "further folders that a manifest's paths may point into"),
    Setting("limits.fileMegabytes", .integer(1...4096, \.fileMegabytes), "larger files are refused"),
    Setting("limits.megapixels", .integer(1...1000, \.megapixels), "larger images are refused before decoding"),
    Setting("limits.pages", .integer(1...10_000, \.pages), "files of more pages are refused"),
    Setting("limits.secondsPerPair", .integer(1...3600, \.secondsPerPair), "a pair that takes longer fails"),
    Setting("limits.workerMegabytes", .integer(128...65536, \.workerMegabytes), "memory of one worker"),
    Setting("allowPDF", .truth(\.allowPDF), "read PDF files too, which a larger library opens"),
    Setting("sandbox", .sandbox(\.sandbox), "required, whenAvailable or off"),
    Setting("asOf", .date(\.asOf), "DD.MM.YYYY: the day on which a card counts as expired or not"),
    Setting("metrics", .path(\.metrics), "Prometheus text file, written at the end"),
    Setting("heartbeat", .path(\.heartbeat), "file touched while the run goes on"),
    Setting("logFormat", .logFormat(\.logFormat), "text or json on stderr"),
    Setting("report.unmasked", .truth(\.unmaskedReport), "whether report.html shows names and numbers in full"),
  ]
}
