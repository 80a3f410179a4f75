import BatchRun
import CardModel
import Foundation
import TestSupport
import Testing

/// A fresh directory with an input of small files that stand for card images, and runs over it with a stub as worker.
struct BatchFixture {
  let directory: FreshDirectory

  init() throws { directory = try FreshDirectory() }

  static let stub = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("Torture/stub_worker.py").path

  /// Writes a manifest of these ids with two images each.
  @discardableResult
  func makeManifest(_ ids: [String], name: String = "in/manifest.csv") throws -> String {
    var text = "id,front,back,identityNumber\n"
    for id in ids {
      try directory.write("front of \(id)", to: "in/\(id)_front.png")
      try directory.write("back of \(id)", to: "in/\(id)_back.png")
      text += "\(id),\(id)_front.png,\(id)_back.png,1234512345671\n"
    }
    return try directory.write(text, to: name)
  }

  func settings(
    _ input: InputSource? = nil, output: String = "out", jobs: Int = 2, environment: [String: String] = [:],
    change: (inout RunSettings) -> Void = { _ in }
  ) throws -> RunSettings {
    let state = directory.path("state")
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    var settings = RunSettings(
      input: input ?? .manifest(path: directory.path("in/manifest.csv")), output: directory.path(output), jobs: jobs,
      worker: WorkerCommand(
        arguments: ["/usr/bin/python3", Self.stub],
        environment: environment.merging(["STUB_STATE": state]) { a, _ in a }),
      versions: ["stub": "1"])
    settings.handlesSignals = false
    settings.settleSeconds = 0
    change(&settings)
    return settings
  }

  func run(
    _ input: InputSource? = nil, output: String = "out", jobs: Int = 2, environment: [String: String] = [:],
    change: (inout RunSettings) -> Void = { _ in }
  ) throws -> RunOutcome {
    BatchRun(try settings(input, output: output, jobs: jobs, environment: environment, change: change)).run()
  }

  func lines(_ name: String, of outcome: RunOutcome) throws -> [String] {
    let text = try String(contentsOfFile: try #require(outcome.folder) + "/" + name, encoding: .utf8)
    return text.split(separator: "\n").map(String.init)
  }

  /// The ids of a run's results, in order.
  func ids(of outcome: RunOutcome) throws -> [String] { try values("id", of: outcome) }

  func values(_ key: String, of outcome: RunOutcome) throws -> [String] {
    try lines("results.ndjson", of: outcome).map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      let value = object?[key]
      return (value as? String) ?? (value as? [String])?.joined(separator: ",") ?? "null"
    }
  }
}
