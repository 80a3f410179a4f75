internal import BatchRun
internal import CardModel
internal import Foundation
internal import RecordFormats

extension Command {
  static let run = Command(
    name: "run", parameters: "[PIPELINE.json5] [OPTION…]", summary: "Scans every pair of a directory or manifest",
    description: """
      Does what is new or changed since the last run on the same output, and resumes a run that did not finish: the same
      line serves by hand, from cron and after a crash. Settings come from the definition, flags are put over it.
      From cron it is silent when all is well; otherwise it says in a few lines what to do.
      """,
    examples: [
      Example("cnicscan run --input cards --output out", "every pair found by name in a directory"),
      Example(
        "cnicscan run --manifest cards/manifest.csv --output out --jobs 4", "the pairs of a manifest, four at a time"),
      Example("cnicscan run pipelines/nightly.json5", "everything from a definition"),
      Example(
        "cnicscan run --manifest out/latest/rescan.csv --output out --input-root cards",
        "new back images for pairs without a number"),
      Example("cnicscan run backfill.json5 --shard 3/16", "one sixteenth of the pairs, e.g. in an array job"),
      Example("cnicscan run backfill.json5 --shard auto --publish shards", "a task of an array job, maybe run twice"),
    ],
    options: [
      Option("input", short: "i", .text, value: "DIR", "Directory in which pairs are found by name"),
      Option("manifest", short: "m", .text, value: "FILE", "Manifest, CSV or NDJSON; instead of --input"),
      Option("identities", .text, value: "FILE", "CSV of id,identityNumber for pairs of --input"),
      Option("input-root", .list, value: "DIR…", "Further folders that a manifest's paths may point into"),
      Option("allow-outside", .flag, "Lets a manifest's paths point anywhere"),
      Option("output", short: "o", .text, value: "OUT", "Where ledger, images and runs are kept"),
      Option("jobs", short: "j", .number, value: "N", "Worker processes (as many as there are cores)"),
      Option(
        "scan-mode", .text, value: "MODE", choices: ScanMode.allCases.map(\.rawValue),
        "Where the manifest has none (frontAndBack)"),
      Option("image-width", .number, value: "PIXELS", "Width of the saved images, 64 to 8000 (1012)"),
      Option(
        "delivery", .text, value: "FORM", choices: Delivery.allCases.map(\.rawValue),
        "Form of events.ndjson: android or ios (android)"),
      Option("shard", .text, value: "I/N", "One part of N, from 0/N on; auto asks the job scheduler"),
      Option(
        "publish", .text, value: "DIR",
        "With --shard, instead of --output: works in a folder of its own and puts it at DIR/I once complete"),
      Option("fresh", .flag, "Forgets what was done: scans every pair again"),
      Option("retry-failed", .flag, "Scans again what failed, though nothing of it changed"),
      Option(
        "fail-on", .text, value: "OUTCOMES", "Outcomes beside failed that make the exit status 3, divided by commas"),
      Option("as-of", .text, value: "DD.MM.YYYY", "The day on which a card counts as expired or not (not checked)"),
      Option("seconds-per-pair", .number, value: "N", "A pair that takes longer fails (20)"),
      Option("worker-megabytes", .number, value: "N", "Memory of one worker (2048)"),
      Option("allow-pdf", .flag, "Reads PDF files too, which a larger library opens"),
      Option(
        "sandbox", .text, value: "WHEN", choices: PipelineDefinition.Sandbox.allCases.map(\.rawValue),
        "required, whenAvailable or off (whenAvailable)"),
      Option("metrics", .text, value: "FILE", "Prometheus text file, replaced as the run goes on"),
      Option("heartbeat", .text, value: "FILE", "File that is touched while the run goes on"),
      Option("unmasked", .flag, "Shows names and numbers in full in report.html"),
      Option("dry-run", short: "n", .flag, "Says what would be done, and does nothing"),
      Option("summary", .flag, "Prints the summary table even where nobody watches"),
      Option("quiet", short: "q", .flag, "No bar and no table; problems alone"),
      Option(
        "log-format", .text, value: "FORM", choices: PipelineDefinition.LogFormat.allCases.map(\.rawValue),
        "text or json on standard error (text)"),
    ],
    words: 0...1, run: runBatch)
}

private func runBatch(_ options: ParsedOptions) throws(CommandFailure) -> ExitStatus {
  guard let directory = options.text("publish") else { return try runBatch(options, output: nil) }
  guard let shard = try RunRequest.shard(options), options.text("output") == nil, !options.has("dry-run") else {
    throw CommandFailure(.usage, "--publish goes with --shard, and neither with --output nor with --dry-run")
  }
  return try failingAsCommand { () throws(RunError) in
    try ShardPlace(directory: absolute(directory), shard: shard)
  }.work(options)
}

extension ShardPlace {
  /// Runs in an attempt's folder, and publishes it or leaves it to be taken up.
  fileprivate func work(_ options: ParsedOptions) throws(CommandFailure) -> ExitStatus {
    guard case .attempt(let folder) = try failingAsCommand({ () throws(RunError) in try begin() }) else {
      return .complete
    }
    let status: ExitStatus
    do throws(CommandFailure) { status = try runBatch(options, output: folder) } catch {
      try failingAsCommand { () throws(RunError) in try end(folder, error.status) }
      throw error
    }
    try failingAsCommand { () throws(RunError) in try end(folder, status) }
    return status
  }
}

private func failingAsCommand<Value>(_ body: () throws(RunError) -> Value) throws(CommandFailure) -> Value {
  do throws(RunError) { return try body() } catch { throw CommandFailure(error) }
}

private func runBatch(_ options: ParsedOptions, output: String?) throws(CommandFailure) -> ExitStatus {
  let plan = try RunRequest(options, output: output)
  let voice = Voice(options, format: plan.definition.logFormat ?? .text)
  let bar = ProgressBar(
    ProgressBar.Settings(
      showsBar: voice.showsBar, hasColour: Terminal.errorHasColour, logFormat: voice.format,
      columns: Terminal.errorColumns))
  let outcome = BatchRun(plan.settings).run(bar)
  bar.clear()
  let isComplete = outcome.status == .complete || outcome.status == .completeWithFailures
  if isComplete, !plan.settings.dryRun, let folder = outcome.folder ?? folderWithoutReport(plan.settings.output) {
    try writeReport(folder, unmasked: plan.definition.unmaskedReport ?? false)
  }
  if plan.settings.dryRun {
    try Terminal.write(RunSummary.dryRun(outcome))
    return outcome.status
  }
  if voice.showsSummary, isComplete {
    Terminal.writeError(RunSummary.table(outcome, output: plan.settings.output, format: voice.format))
  } else if outcome.status != .complete {
    Terminal.writeError(RunSummary.problem(outcome, output: plan.settings.output, format: voice.format))
  }
  return outcome.status
}

/// The newest run's folder, where a kill came between its end and its report.
private func folderWithoutReport(_ output: String) -> String? {
  let folder = URL(fileURLWithPath: output + "/latest").resolvingSymlinksInPath().path
  let files = FileManager.default
  return files.fileExists(atPath: folder + "/summary.json") && !files.fileExists(atPath: folder + "/report.html")
    ? folder : nil
}

private func writeReport(_ folder: String, unmasked: Bool) throws(CommandFailure) {
  do throws(FormatError) {
    _ = try RunPages.rewriteReport(folder: folder, unmasked: unmasked)
  } catch {
    throw CommandFailure(.outputFailure, "the run is complete, but report.html cannot be written: \(error)")
  }
}

/// How much is said. Somebody watches where standard error is a terminal; otherwise (cron, a pipe, a journal) silence is
/// the sign that all is well.
struct Voice {
  let showsBar: Bool
  let showsSummary: Bool
  let format: PipelineDefinition.LogFormat

  init(_ options: ParsedOptions, format: PipelineDefinition.LogFormat) {
    let watched = Terminal.errorIsTerminal && !options.has("quiet")
    self.format = format
    showsBar = watched && format == .text
    showsSummary = watched || options.has("summary")
  }
}
