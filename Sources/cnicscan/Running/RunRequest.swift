internal import BatchRun
internal import CNICScan
internal import CardModel
internal import Foundation
internal import ScanPipeline

/// What a command line and a definition come to: the settings of one run, validated.
struct RunRequest {
  let settings: RunSettings
  let definition: PipelineDefinition

  /// Defaults < definition < flags.
  /// - Parameter output: goes over both.
  /// - Throws: `CommandFailure` for what is missing or contradicts itself.
  init(_ options: ParsedOptions, output: String? = nil) throws(CommandFailure) {
    let file = try options.words.first.map { path throws(CommandFailure) in try DefinitionReader.read(path) }
    var definition = (file ?? PipelineDefinition()).overlaid(with: try PipelineDefinition(flags: options))
    if let output { definition.output = output }
    try self.init(definition, options)
  }

  private init(_ definition: PipelineDefinition, _ options: ParsedOptions) throws(CommandFailure) {
    self.definition = definition
    guard let output = definition.output else {
      throw CommandFailure(.usage, "--output is needed, or `output` in a definition")
    }
    let input = try Self.input(of: definition)
    let folder = absolute(output)
    var settings = RunSettings(
      input: input, output: folder, jobs: definition.jobs ?? Self.usableCores,
      worker: try Self.workerCommand(definition, images: folder + "/images"),
      versions: try Self.versions())
    settings.scanMode = definition.scanMode ?? .frontAndBack
    settings.imageWidthPixels = definition.imageWidth ?? PairRequest.defaultImageWidthPixels
    settings.delivery = definition.delivery ?? .android
    settings.shard = try Self.shard(options)
    settings.fresh = options.has("fresh")
    settings.retryFailed = definition.retryFailed ?? false
    settings.dryRun = options.has("dry-run")
    settings.allowOutside = options.has("allow-outside")
    settings.inputRoots = (definition.inputRoots ?? []).map(absolute)
    // A worker may open nothing else. An input that is not there is the run's to tell.
    do throws(RunError) {
      settings.worker.arguments += ["--read"] + (try settings.readableFolders())
    } catch {}
    settings.failOn = Set(definition.failOn ?? []).union([.failed])
    if let seconds = definition.settleSeconds { settings.settleSeconds = Double(seconds) }
    settings.limits = definition.imageLimits
    if let seconds = definition.secondsPerPair { settings.workerLimits.pairSeconds = Double(seconds) }
    if let megabytes = definition.workerMegabytes { settings.workerLimits.memoryBytes = megabytes << 20 }
    settings.definition = definition.stableText
    settings.metricsFile = definition.metrics.map(absolute)
    settings.heartbeatFile = definition.heartbeat.map(absolute)
    self.settings = settings
  }

  private static func versions() throws(CommandFailure) -> [String: String] {
    do { return try EngineVersions.all() } catch { throw CommandFailure(.engineMissing, "\(error)") }
  }

  private static func input(of definition: PipelineDefinition) throws(CommandFailure) -> InputSource {
    switch (definition.input, definition.manifest) {
    case (nil, nil):
      throw CommandFailure(.usage, "--input or --manifest is needed, or `input` or `manifest` in a definition")
    case (.some, .some): throw CommandFailure(.usage, "--input and --manifest exclude each other")
    case (nil, let manifest?):
      guard definition.identities == nil else {
        throw CommandFailure(.usage, "--identities goes with --input; a manifest has its own identityNumber")
      }
      return .manifest(path: absolute(manifest))
    case (let directory?, nil):
      return .directory(
        path: absolute(directory), patterns: try patterns(of: definition),
        identities: definition.identities.map(absolute))
    }
  }

  private static func patterns(of definition: PipelineDefinition) throws(CommandFailure) -> NamePatterns {
    let standard = NamePatterns.standard(allowPDF: definition.allowPDF ?? false)
    let rules = definition.patterns?.map { NamePatterns.Rule(front: $0.front, back: $0.back) } ?? standard.rules
    let extensions =
      definition.bothSidesExtensions.map { Set($0.map { $0.lowercased() }) } ?? standard.bothSidesExtensions
    guard let patterns = NamePatterns(rules: rules, bothSidesExtensions: extensions) else {
      throw CommandFailure(.badDefinition, "a pattern needs {id}, something fixed beside it, and .* at its end")
    }
    return patterns
  }

  /// What `--shard` says, or asks the scheduler for.
  static func shard(_ options: ParsedOptions) throws(CommandFailure) -> Shard? {
    guard let text = options.text("shard") else { return nil }
    do throws(RunError) {
      return try Shard.parse(text, environment: ProcessInfo.processInfo.environment)
    } catch {
      throw CommandFailure(error)
    }
  }

  /// This program again, as a worker that may write the images.
  private static func workerCommand(
    _ definition: PipelineDefinition, images: String
  ) throws(CommandFailure) -> WorkerCommand {
    guard let program = Bundle.main.executablePath else {
      throw CommandFailure(.internalError, "this program's own path is unknown")
    }
    let limits = definition.imageLimits
    var arguments = [program, "worker", "--images", images]
    arguments += ["--max-file-megabytes", String(limits.fileBytes >> 20)]
    arguments += ["--max-megapixels", String(limits.pixels / 1_000_000), "--max-pages", String(limits.pages)]
    if limits.allowPDF { arguments.append("--allow-pdf") }
    if let date = definition.asOf { arguments += ["--as-of", date.formatted] }
    if definition.sandbox == .off { arguments.append("--no-sandbox") }
    return WorkerCommand(
      arguments: arguments, announcesReadiness: true, requireSandbox: definition.sandbox == .required)
  }

  /// The processors that this process may use: cgroups and affinity are heeded by the system's count.
  static var usableCores: Int { max(1, ProcessInfo.processInfo.activeProcessorCount) }
}

extension PipelineDefinition {
  /// The flags of `run` that have a key of a definition.
  init(flags options: ParsedOptions) throws(CommandFailure) {
    self.init()
    input = options.text("input")
    manifest = options.text("manifest")
    identities = options.text("identities")
    if !options.list("input-root").isEmpty { inputRoots = options.list("input-root") }
    output = options.text("output")
    scanMode = try options.choice("scan-mode", of: ScanMode.self)
    imageWidth = try options.number("image-width", in: PairRequest.imageWidthRange)
    delivery = try options.choice("delivery", of: Delivery.self)
    jobs = try options.number("jobs", in: 1...1024)
    failOn = try Self.outcomes(options.text("fail-on"))
    secondsPerPair = try options.number("seconds-per-pair", in: 1...3600)
    workerMegabytes = try options.number("worker-megabytes", in: 128...65_536)
    if options.has("allow-pdf") { allowPDF = true }
    if options.has("retry-failed") { retryFailed = true }
    if options.has("unmasked") { unmaskedReport = true }
    sandbox = try options.choice("sandbox", of: Sandbox.self)
    asOf = try options.date("as-of")
    metrics = options.text("metrics")
    heartbeat = options.text("heartbeat")
    logFormat = try options.choice("log-format", of: LogFormat.self)
  }

  private static func outcomes(_ text: String?) throws(CommandFailure) -> [Outcome]? {
    guard let text else { return nil }
    var outcomes: [Outcome] = []
    for word in text.split(whereSeparator: { $0 == "|" || $0 == "," }) {
      guard let outcome = Outcome(rawValue: String(word)) else {
        let known = Outcome.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandFailure(.usage, "--fail-on takes outcomes divided by commas, of \(known); not '\(word)'")
      }
      outcomes.append(outcome)
    }
    return outcomes
  }

  var imageLimits: ImageLimits {
    var limits = ImageLimits()
    if let fileMegabytes { limits.fileBytes = fileMegabytes << 20 }
    if let megapixels { limits.pixels = megapixels * 1_000_000 }
    if let pages { limits.pages = pages }
    limits.allowPDF = allowPDF ?? false
    return limits
  }

  /// What shapes a result, in a form that is the same wherever the definition says the same.
  var stableText: String {
    let limits = imageLimits
    return [
      "allowPDF=\(limits.allowPDF)", "asOf=\(asOf?.formatted ?? "")", "fileBytes=\(limits.fileBytes)",
      "pages=\(limits.pages)",
      "pixels=\(limits.pixels)",
    ].joined(separator: ";")
  }
}
