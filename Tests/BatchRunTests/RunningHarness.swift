import BatchRun
import Foundation
import Glibc
import TestSupport

/// A run in a process of its own, so that it can be sent signals.
final class RunningHarness {
  let process = Process()
  private let output: URL

  /// Starts the harness over the fixture's manifest with the stub as worker.
  init(
    _ fixture: BatchFixture, arguments: [String] = [], through: [String] = [], environment: [String: String] = [:],
    output: String = "out"
  ) throws {
    self.output = URL(fileURLWithPath: fixture.directory.path("harness-\(UUID().uuidString)"))
    _ = FileManager.default.createFile(atPath: self.output.path, contents: nil)
    let program =
      through + [try Self.path("BatchHarness"), "--manifest", fixture.directory.path("in/manifest.csv"), "--output"]
      + [fixture.directory.path(output), "--jobs", "2"] + arguments + ["--", "/usr/bin/python3", BatchFixture.stub]
    process.executableURL = URL(fileURLWithPath: program[0])
    process.arguments = Array(program.dropFirst())
    let state = fixture.directory.path("state")
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    process.environment = ProcessInfo.processInfo.environment
      .merging(["STUB_STATE": state]) { $1 }.merging(environment) { $1 }
    process.standardOutput = try FileHandle(forWritingTo: self.output)
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  static func path(_ name: String) throws -> String {
    try RunProgram.builtCommand().deletingLastPathComponent().appendingPathComponent(name).path
  }

  /// What the harness reported.
  func report() throws -> [String: Any] {
    try JSONSerialization.jsonObject(with: Data(contentsOf: output)) as? [String: Any] ?? [:]
  }

  func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Waits for the end.
  /// - Returns: seconds that it took.
  @discardableResult
  func wait() -> Double {
    let start = Date()
    process.waitUntilExit()
    return Date().timeIntervalSince(start)
  }

  /// Waits until something holds, at most for three minutes: under a sanitizer on a busy machine a worker takes one to start.
  static func until(_ holds: () throws -> Bool) rethrows -> Bool {
    let deadline = Date().addingTimeInterval(180)
    while Date() < deadline {
      if try holds() { return true }
      usleep(5_000)
    }
    return false
  }

  /// The processes whose parent is this one.
  static func children(of pid: Int32) -> [Int32] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
    return names.compactMap { Int32($0) }.filter { parent(of: $0) == pid }
  }

  /// Whether a process runs; one that has ended and waits to be noticed does not.
  static func isAlive(_ pid: Int32) -> Bool {
    guard let words = stat(of: pid) else { return false }
    return words[0] != "Z"
  }

  private static func parent(of pid: Int32) -> Int32? { stat(of: pid).flatMap { Int32($0[1]) } }

  /// The words of `/proc/PID/stat` behind the name: state, parent, …
  private static func stat(of pid: Int32) -> [Substring]? {
    guard let text = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8),
      let end = text.lastIndex(of: ")")
    else { return nil }
    let words = text[text.index(after: end)...].split(separator: " ")
    return words.count > 2 ? words : nil
  }
}
