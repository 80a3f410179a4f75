internal import BatchRun
internal import CNICScan
internal import CardModel
internal import Foundation
internal import RecordFormats
internal import ScanPipeline

extension Command {
  static let worker = Command(
    name: "worker", parameters: "[OPTION…]", summary: "Reads pairs as JSON lines on stdin, writes a JSON line for each",
    description: """
      What `cnicscan run` starts, and what other engines drive. A line in, a line out, in order; bad lines and bad images
      are answered too. See `cnicscan schema worker-request` and `cnicscan schema worker-response`. The worker gives up
      the network, new processes and all files but those it needs before it reads the first line. With --jobs it hands the
      lines to so many workers of its own, keeps their order, and answers for a pair that crashes its worker twice. It ends
      with 0 at the end of the input, and with another status only where it cannot work at all.
      """,
    examples: [
      Example("cnicscan worker --images /srv/kyc/images < pairs.ndjson > results.ndjson", "a file of pairs"),
      Example("cnicscan worker --jobs 4 --images /srv/kyc/images < pairs.ndjson > results.ndjson", "four at a time"),
    ],
    options: [
      Option("images", .text, value: "DIR", "Folder for card images, where a line names none"),
      Option(
        "delivery", .text, value: "FORM", choices: Delivery.allCases.map(\.rawValue),
        "android or ios, where a line says nothing"),
    ] + engineOptions + [
      Option("read", .list, value: "DIR…", "Folders that may be read: those of the card images (all, when left out)"),
      Option("no-sandbox", .flag, "Does not confine itself"),
      Option("jobs", short: "j", .number, value: "K", "Hands the lines to K workers and watches over them"),
      Option("seconds-per-pair", .number, value: "N", "With --jobs: a pair that takes longer fails (20)"),
      Option("worker-megabytes", .number, value: "N", "With --jobs: memory of one worker (2048)"),
    ],
    words: 0...0, run: runWorker)

  /// Options that shape what a pair's scan gives.
  static let engineOptions: [Option] =
    engineLimits + [
      Option("models", .text, value: "DIR", "Folder of card.traineddata and second.traineddata"),
      Option(
        "model", .text, value: "WHICH", choices: ["card", "stock"], "card, or Debian's own language data alone (card)"),
      Option("as-of", .text, value: "DD.MM.YYYY", "The day on which a card counts as expired or not (not checked)"),
    ]

  /// Options that bound what is opened.
  static let engineLimits: [Option] = [
    Option("max-file-megabytes", .number, value: "N", "Larger files are refused (64)"),
    Option("max-megapixels", .number, value: "N", "Larger images are refused before decoding (120)"),
    Option("max-pages", .number, value: "N", "Files of more pages are refused (50)"),
    Option("allow-pdf", .flag, "Reads PDF files too, which a larger library opens"),
  ]
}

extension ParsedOptions {
  /// What `engineOptions` say of each pair's scan.
  func scannerSettings() throws(CommandFailure) -> PairScanner.Settings {
    var limits = ImageLimits()
    if let megabytes = try number("max-file-megabytes", in: 1...4096) { limits.fileBytes = megabytes << 20 }
    if let megapixels = try number("max-megapixels", in: 1...1000) { limits.pixels = megapixels * 1_000_000 }
    if let pages = try number("max-pages", in: 1...10_000) { limits.pages = pages }
    limits.allowPDF = has("allow-pdf")
    return PairScanner.Settings(limits: limits, asOf: try date("as-of"))
  }

  /// What `engineOptions` and `--delivery` say of an engine.
  func engineSettings(images: String?) throws(CommandFailure) -> ScanEngine.Settings {
    let model: TextModel
    switch text("model") {
    case nil, "card": model = .card
    case "stock": model = .stock
    case let other?: throw CommandFailure(.usage, "--model takes card or stock, not '\(other)'")
    }
    return ScanEngine.Settings(
      scanner: try scannerSettings(), model: model, modelsDirectory: text("models").map(absolute),
      imagesDirectory: images,
      delivery: try choice("delivery", of: Delivery.self) ?? .android)
  }

  func date(_ name: String) throws(CommandFailure) -> CardDate? {
    guard let text = texts[name] else { return nil }
    guard let date = CardDate(text) else { throw CommandFailure(.usage, "--\(name) takes DD.MM.YYYY, not '\(text)'") }
    return date
  }
}

private func runWorker(_ options: ParsedOptions) throws(CommandFailure) -> ExitStatus {
  let images = options.text("images").map(absolute)
  let settings = try options.engineSettings(images: images)
  if let jobs = try options.number("jobs", in: 1...1024) { return try fanOut(options, settings, jobs: jobs) }
  for name in ["seconds-per-pair", "worker-megabytes"] where options.number(name) != nil {
    throw CommandFailure(.usage, "--\(name) goes with --jobs: a worker alone does not watch over itself")
  }

  var state = SandboxState(files: .off(errno: 0), calls: .off(errno: 0))
  let confined = !options.has("no-sandbox")
  if confined {
    let models: [String]
    do {
      models = try EngineVersions.modelDirectories(directory: settings.modelsDirectory)
    } catch {
      throw CommandFailure(.engineMissing, "\(error)")
    }
    let readable = options.list("read").isEmpty ? ["/"] : options.list("read").map(absolute)
    let sandbox = Sandbox(readable: readable + models, writable: images.map { [$0] } ?? ["/"])
    state.files = sandbox.confineFiles()
    let engine = try ScanEngine.started(settings)
    state.calls = sandbox.confineCalls()
    return try serve(engine, state)
  }
  return try serve(try ScanEngine.started(settings), state)
}

private func serve(_ engine: ScanEngine, _ state: SandboxState) throws(CommandFailure) -> ExitStatus {
  WorkerGreeting(sandbox: state).send()
  let problem = WorkerLoop(maximumLineBytes: WorkerRequest.maximumBytes).run { engine.respond(to: $0).line }
  guard let problem else { return .complete }
  if problem == EPIPE { return .temporaryFailure }
  throw CommandFailure(.outputFailure, String(cString: strerror(problem)))
}

/// Watches over workers that are this program again, with the same options.
private func fanOut(
  _ options: ParsedOptions, _ settings: ScanEngine.Settings, jobs: Int
) throws(CommandFailure) -> ExitStatus {
  guard let program = Bundle.main.executablePath else {
    throw CommandFailure(.internalError, "this program's own path is unknown")
  }
  var limits = WorkerLimits()
  if let seconds = try options.number("seconds-per-pair", in: 1...3600) { limits.pairSeconds = Double(seconds) }
  if let megabytes = try options.number("worker-megabytes", in: 128...65_536) { limits.memoryBytes = megabytes << 20 }
  var words = [program, "worker", "--delivery", settings.delivery.rawValue]
  for name in ["images", "models"] {
    if let path = options.text(name) { words += ["--\(name)", absolute(path)] }
  }
  for name in ["model", "as-of"] {
    if let text = options.text(name) { words += ["--\(name)", text] }
  }
  for name in ["max-file-megabytes", "max-megapixels", "max-pages"] {
    if let number = options.number(name) { words += ["--\(name)", String(number)] }
  }
  for name in ["allow-pdf", "no-sandbox"] where options.has(name) { words.append("--" + name) }
  if !options.list("read").isEmpty { words += ["--read"] + options.list("read").map(absolute) }
  do throws(RunError) {
    try WorkerFanOut(
      command: WorkerCommand(arguments: words), limits: limits, jobs: jobs, delivery: settings.delivery,
      warn: { Terminal.writeError("cnicscan worker: \($0)\n") }
    ).run()
    return .complete
  } catch {
    throw CommandFailure(error)
  }
}

/// The path made absolute from the working folder.
func absolute(_ path: String) -> String { URL(fileURLWithPath: path).path }

extension ScanEngine {
  /// An engine ready to scan.
  /// - Throws: `CommandFailure(.engineMissing)` with what is missing.
  static func started(_ settings: Settings) throws(CommandFailure) -> ScanEngine {
    do {
      return try ScanEngine(settings: settings)
    } catch {
      throw CommandFailure(.engineMissing, "\(error)")
    }
  }
}
