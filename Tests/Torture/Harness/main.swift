import BatchRun
import CardModel
import Foundation

// Runs the batch engine over an input with any program as worker: what the torture scripts kill, starve and measure.
// usage: BatchHarness (--manifest FILE | --input DIR) --output OUT [--jobs N] [--shard I/N] [--pair-seconds S]
//        [--settle S] [--fresh] [--greeting] -- WORKER ARGUMENT...
//        BatchHarness probe READABLE WRITABLE     what a confined process can still do, a JSON object

struct Harness {
  var input: InputSource?
  var output = ""
  var jobs = 2
  var shard: Shard?
  var pairSeconds = 20.0
  var settle = 0.0
  var fresh = false
  var greeting = false
  var worker: [String] = []

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let name = rest.popFirst() {
      if name == "--" {
        worker = Array(rest)
        break
      }
      switch name {
      case "--fresh": fresh = true
      case "--greeting": greeting = true
      case "--manifest": input = .manifest(path: rest.popFirst() ?? "")
      case "--input": input = .directory(path: rest.popFirst() ?? "")
      case "--output": output = rest.popFirst() ?? ""
      case "--jobs": jobs = rest.popFirst().flatMap { Int($0) } ?? 1
      case "--shard": shard = try Shard.parse(rest.popFirst() ?? "", environment: ProcessInfo.processInfo.environment)
      case "--pair-seconds": pairSeconds = rest.popFirst().flatMap { Double($0) } ?? 20
      case "--settle": settle = rest.popFirst().flatMap { Double($0) } ?? 0
      default: throw RunError(.usage, "unknown option \(name)")
      }
    }
  }

  func run() throws -> RunOutcome {
    guard let input, !worker.isEmpty else { throw RunError(.usage, "an input and a worker are needed") }
    var command = WorkerCommand(arguments: worker, announcesReadiness: greeting)
    for (name, value) in ProcessInfo.processInfo.environment where name.hasPrefix("STUB_") {
      command.environment[name] = value
    }
    var settings = RunSettings(input: input, output: output, jobs: jobs, worker: command, versions: ["harness": "1"])
    settings.shard = shard
    settings.fresh = fresh
    settings.settleSeconds = settle
    settings.workerLimits.pairSeconds = pairSeconds
    return BatchRun(settings).run()
  }
}

func peakKilobytes() -> Int {
  guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return 0 }
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return line.flatMap { Int($0.split(whereSeparator: \.isWhitespace)[1]) } ?? 0
}

if CommandLine.arguments.dropFirst().first == "probe", CommandLine.arguments.count == 4 {
  print(SandboxProbe(readable: CommandLine.arguments[2], writable: CommandLine.arguments[3]).report)
  exit(0)
}
do {
  let start = Date()
  let outcome = try Harness(Array(CommandLine.arguments.dropFirst())).run()
  let report: [String: Any] = [
    "status": Int(outcome.status.rawValue), "message": outcome.message, "found": outcome.progress.found,
    "done": outcome.progress.done,
    "skipped": outcome.progress.skipped, "resumed": outcome.progress.resumed,
    "replaced": outcome.progress.workersReplaced,
    "folder": outcome.folder ?? "", "unpaired": outcome.unpairedFiles, "duplicateGroups": outcome.duplicateGroups,
    "seconds": Date().timeIntervalSince(start), "peakKilobytes": peakKilobytes(),
  ]
  print(String(decoding: try JSONSerialization.data(withJSONObject: report, options: .sortedKeys), as: UTF8.self))
  exit(outcome.status.rawValue)
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit((error as? RunError)?.status.rawValue ?? 70)
}
