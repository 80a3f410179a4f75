import BatchRun
import CardModel
import Foundation
import Glibc
import TestSupport
import Testing

/// Signals to a run, and what is left of it.
@Suite struct SignalTests {
  private static let ids = (0..<30).map { $0 == 7 ? "p7-hangonce-images" : "p\($0)-slow-images" }
  private static let slow = ["STUB_SLOW": "0.05"]

  private func files(_ fixture: BatchFixture, _ output: String) throws -> [String] {
    try ["results.ndjson", "events.ndjson", "rescan.csv"].map { name in
      try fixture.directory.text(of: "\(output)/latest/\(name)")
        .replacingOccurrences(of: fixture.directory.path(output), with: "OUT")
    }
  }

  /// A fixture, and its files after a run that nothing disturbed.
  private func undisturbed() throws -> (BatchFixture, [String]) {
    let fixture = try BatchFixture()
    try fixture.makeManifest(Self.ids)
    let run = try RunningHarness(fixture, arguments: ["--pair-seconds", "1"], environment: Self.slow, output: "whole")
    run.wait()
    #expect(run.process.terminationStatus == 0)
    try FileManager.default.removeItem(atPath: fixture.directory.path("state"))
    return (fixture, try files(fixture, "whole"))
  }

  private func hasBegun(_ fixture: BatchFixture) -> Bool {
    RunningHarness.until { fixture.directory.exists("out/latest/results.ndjson") }
  }

  private func expectCompletion(_ fixture: BatchFixture, _ expected: [String]) throws {
    let again = try RunningHarness(fixture, arguments: ["--pair-seconds", "1"], environment: Self.slow)
    again.wait()
    #expect(again.process.terminationStatus == 0)
    #expect(try files(fixture, "out") == expected)
    let left = try #require(FileManager.default.subpaths(atPath: fixture.directory.path("out")))
      .filter { $0.hasSuffix(".tmp") || $0.hasSuffix(".new") }
    #expect(left.isEmpty)
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
  func aSignalStopsARunWithinFiveSecondsAndItGoesOnLater(_ signal: Int32) throws {
    let (fixture, expected) = try undisturbed()
    // One worker hangs for as long as the pair's limit lets it.
    let run = try RunningHarness(fixture, arguments: ["--pair-seconds", "60"], environment: Self.slow)
    #expect(hasBegun(fixture))
    usleep(300_000)
    let workers = RunningHarness.children(of: run.process.processIdentifier)
    #expect(!workers.isEmpty)
    run.send(signal)
    #expect(run.wait() < 5.5)
    #expect(run.process.terminationReason == .exit && run.process.terminationStatus == 75)
    #expect(try (run.report()["message"] as? String ?? "").contains("run again to resume"))
    #expect(RunningHarness.until { !workers.contains(where: RunningHarness.isAlive) }, "workers outlive the run")
    try expectCompletion(fixture, expected)
  }

  @Test func aSecondSignalEndsItAtOnce() throws {
    let (fixture, expected) = try undisturbed()
    let run = try RunningHarness(fixture, arguments: ["--pair-seconds", "60"], environment: Self.slow)
    #expect(hasBegun(fixture))
    usleep(300_000)
    let workers = RunningHarness.children(of: run.process.processIdentifier)
    run.send(SIGTERM)
    usleep(300_000)
    run.send(SIGTERM)
    #expect(run.wait() < 2)
    #expect(run.process.terminationReason == .exit && run.process.terminationStatus == 75)
    #expect(RunningHarness.until { !workers.contains(where: RunningHarness.isAlive) })
    try expectCompletion(fixture, expected)
  }

  @Test func aSignalWhileWorkersStartIsHeardToo() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "b"])
    let run = try RunningHarness(fixture, arguments: ["--greeting"], environment: ["STUB_START": "60"])
    #expect(RunningHarness.until { RunningHarness.children(of: run.process.processIdentifier).count >= 2 })
    run.send(SIGTERM)
    #expect(run.wait() < 5.5)
    #expect(run.process.terminationStatus == 75)
  }

  @Test func aRunUnderNohupOutlivesItsTerminal() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest((0..<10).map { "p\($0)-slow" })
    let run = try RunningHarness(fixture, through: ["/usr/bin/nohup"], environment: Self.slow)
    #expect(hasBegun(fixture))
    run.send(SIGHUP)
    run.wait()
    #expect(run.process.terminationReason == .exit && run.process.terminationStatus == 0)
  }

  @Test func killingTheSupervisorLeavesNoWorker() throws {
    let (fixture, expected) = try undisturbed()
    let run = try RunningHarness(fixture, arguments: ["--pair-seconds", "60"], environment: Self.slow)
    #expect(hasBegun(fixture))
    let workers = RunningHarness.children(of: run.process.processIdentifier)
    #expect(workers.count >= 2)
    run.send(SIGKILL)
    run.wait()
    #expect(RunningHarness.until { !workers.contains(where: RunningHarness.isAlive) })
    try expectCompletion(fixture, expected)
  }

  /// Real workers, which read real cards meanwhile.
  @Test func killingTheRealCommandLeavesNoWorkerAndLosesNothing() throws {
    let directory = try FreshDirectory()
    let manifest = RunProgram.repository.appendingPathComponent("Fixtures/manifest.csv").path
    let rows = try String(contentsOfFile: manifest, encoding: .utf8).split(separator: "\n").prefix(7)
    for row in rows.dropFirst() {
      for name in row.split(separator: ",")[1...2] {
        try FileManager.default.createDirectory(atPath: directory.path("in"), withIntermediateDirectories: true)
        try FileManager.default.copyItem(
          at: RunProgram.repository.appendingPathComponent("Fixtures/\(name)"),
          to: URL(fileURLWithPath: directory.path("in/\(name)")))
      }
    }
    try directory.write(rows.joined(separator: "\n") + "\n", to: "in/manifest.csv")
    func start(_ output: String) throws -> Process {
      let process = Process()
      process.executableURL = try RunProgram.builtCommand()
      process.arguments = [
        "run", "--manifest", directory.path("in/manifest.csv"), "--output", directory.path(output), "--jobs", "2",
        "--quiet",
        "--seconds-per-pair", "600",
      ]
      process.standardError = FileHandle.nullDevice
      try process.run()
      return process
    }
    let whole = try start("whole")
    whole.waitUntilExit()
    for signal in [SIGKILL, SIGTERM, SIGKILL] {
      let run = try start("out")
      #expect(RunningHarness.until { directory.exists("out/latest/results.ndjson") || !run.isRunning })
      usleep(200_000)
      let workers = RunningHarness.children(of: run.processIdentifier)
      kill(run.processIdentifier, signal)
      run.waitUntilExit()
      #expect(RunningHarness.until { !workers.contains(where: RunningHarness.isAlive) }, "workers outlive \(signal)")
    }
    let last = try start("out")
    last.waitUntilExit()
    #expect(last.terminationStatus == whole.terminationStatus)
    for name in ["results.ndjson", "events.ndjson", "rescan.csv"] {
      let (a, b) = (try directory.text(of: "whole/latest/\(name)"), try directory.text(of: "out/latest/\(name)"))
      #expect(a.replacingOccurrences(of: directory.path("whole"), with: directory.path("out")) == b, "\(name)")
    }
    let images = { try FileManager.default.contentsOfDirectory(atPath: directory.path($0 + "/images")).sorted() }
    #expect(try images("out") == images("whole"))
  }

  @Test func nobodyListeningOnStdoutIsNoCrash() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest((0..<3).map { "p\($0)" })
    _ = try fixture.run()
    let card = RunProgram.repository.appendingPathComponent("Fixtures/clean-201-00002_back.jpg").path
    for arguments in [
      ["export", fixture.directory.path("out")], ["schema", "result"], ["decode", card], ["check"], ["--help"],
      ["scan", "--back", card, "--identity-number", "1234512345671", "--scan-mode", "backOnly"],
    ] {
      let process = Process()
      process.executableURL = try RunProgram.builtCommand()
      process.arguments = arguments
      process.currentDirectoryURL = fixture.directory.url  // `scan` makes its folder of images there
      let pipe = Pipe()
      process.standardOutput = pipe
      process.standardError = FileHandle.nullDevice
      try pipe.fileHandleForReading.close()
      try process.run()
      process.waitUntilExit()
      #expect(process.terminationReason == .exit, "\(arguments[0]): signal \(process.terminationStatus)")
    }
  }
}
