import Foundation
import TestSupport
import Testing

/// The scripts of `Tests/Torture` that drive the real command and are quick enough for every change.
@Suite(.serialized) struct ScriptTests {
  private func run(_ script: String, _ arguments: [String]) throws {
    let python = RunProgram.repository.appendingPathComponent(".venv/bin/python").path
    try #require(FileManager.default.isExecutableFile(atPath: python), "no .venv: make setup-test")
    let folder = RunProgram.repository.appendingPathComponent("Tests/Torture")
    let result = try RunProgram.run(
      python, [folder.appendingPathComponent(script).path] + arguments, environment: ["PYTHONDONTWRITEBYTECODE": "1"])
    #expect(result.status == 0, "\(script): \(result.out) \(result.err)")
  }

  private static let fixtures = RunProgram.repository.appendingPathComponent("Fixtures").path

  @Test func aCardReadsAlikeInEveryFormOfFile() throws {
    try run("formats.py", [try RunProgram.builtCommand().path, Self.fixtures])
  }

  @Test func wholeFlowsReadNothingTwiceAndTellNobody() throws {
    try run("flows.py", [try RunProgram.builtCommand().path, Self.fixtures])
  }

  @Test func nothingIsLeftBehindHoweverACommandEnds() throws {
    try run("leavings.py", [try RunProgram.builtCommand().path, Self.fixtures])
  }

  @Test func hostileNamesAndManifestsGiveARecordOrARefusal() throws {
    try run("names.py", [try RunningHarness.path("BatchHarness")])
  }
}
