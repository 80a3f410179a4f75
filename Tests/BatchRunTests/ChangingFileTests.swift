import BatchRun
import CardModel
import Foundation
import Glibc
import TestSupport
import Testing

/// Inputs that change, vanish or may not be read.
@Suite struct ChangingFileTests {
  @Test func aFileThatChangesOnceWhileItIsReadIsReadAgain() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a-slow"])
    let path = fixture.directory.path("in/a-slow_front.png")
    let seen = fixture.directory.path("seen")
    let writer = Thread {
      _ = RunningHarness.until { FileManager.default.fileExists(atPath: seen) }
      _ = FileManager.default.createFile(atPath: path, contents: Data("second".utf8))
    }
    writer.start()
    let outcome = try fixture.run(environment: ["STUB_SLOW": "1", "STUB_SEEN": seen])
    #expect(try fixture.lines("results.ndjson", of: outcome)[0].contains("second"))
    #expect(try fixture.lines("log.ndjson", of: outcome).contains { $0.contains("fileChanged") })
    #expect(try fixture.run().progress.skipped == 1)
  }

  @Test func aFileThatKeepsChangingFailsItsPairUntilItRests() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a-slow", "b"])
    let path = fixture.directory.path("in/a-slow_front.png")
    let stopped = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
    let writer = Thread {
      // Always the same in the end: what rests must be scanned though the failed run has seen its like.
      for number in 0..<6000 where access(stopped, F_OK) != 0 {
        _ = FileManager.default.createFile(atPath: path, contents: Data("version \(number % 2)".utf8))
        usleep(20_000)
      }
      _ = FileManager.default.createFile(atPath: path, contents: Data("version 1".utf8))
    }
    writer.start()
    let outcome = try fixture.run(environment: ["STUB_SLOW": "0.3"])
    _ = FileManager.default.createFile(atPath: stopped, contents: nil)
    while !writer.isFinished { usleep(1000) }
    try FileManager.default.removeItem(atPath: stopped)
    #expect(try fixture.values("outcome", of: outcome) == ["failed", "matched"])
    #expect(try fixture.values("reasons", of: outcome)[0] == "fileChanged")
    let again = try fixture.run()
    #expect(again.status == .complete && again.progress.outcomes == [.matched: 1] && again.progress.skipped == 1)
  }

  @Test func anInputThatVanishesAndComesBackIsDoneThen() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "b"])
    let path = fixture.directory.path("in/a_front.png")
    try FileManager.default.moveItem(atPath: path, toPath: path + ".away")
    _ = try fixture.run()
    try FileManager.default.moveItem(atPath: path + ".away", toPath: path)
    let again = try fixture.run()
    #expect(try fixture.ids(of: again) == ["a"])
    #expect(try fixture.lines("results.ndjson", of: again)[0].contains("front of a"))
  }

  /// The real command, as somebody who may not read everything.
  @Test func filesThatMayNotBeReadFailTheirPairAlone() throws {
    let directory = try FreshDirectory()
    let asRoot = getuid() == 0
    let nobody = ["/usr/bin/setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    try #require(!asRoot || FileManager.default.isExecutableFile(atPath: nobody[0]), "setpriv (util-linux) is missing")
    // The program, somewhere that anybody may enter. Copied by another process: a fork of a test beside this one would hold a file that
    // is open for writing here, and what is open for writing cannot be executed.
    let program = directory.path("cnicscan")
    #expect(try RunProgram.run("/bin/cp", [try RunProgram.builtCommand().path, program]).status == 0)
    try FileManager.default.createDirectory(atPath: directory.path("in"), withIntermediateDirectories: true)
    for side in ["front", "back"] {
      for id in ["a", "b"] {
        try FileManager.default.copyItem(
          at: RunProgram.repository.appendingPathComponent("Fixtures/clean-201-00002_\(side).jpg"),
          to: URL(fileURLWithPath: directory.path("in/\(id)_\(side).jpg")))
      }
    }
    let models = RunProgram.repository.appendingPathComponent("Models").path
    try FileManager.default.copyItem(atPath: models, toPath: directory.path("Models"))
    try directory.write("id,identityNumber\na,46246-1608562-4\nb,46246-1608562-4\n", to: "in/numbers.csv")
    func run() throws -> ProgramResult {
      let command = [
        program, "run", "--input", directory.path("in"), "--identities", directory.path("in/numbers.csv"), "--output",
        directory.path("in/out"), "--seconds-per-pair", "600",
      ]
      let all = (asRoot ? nobody : []) + command
      return try RunProgram.run(
        all[0], Array(all.dropFirst()),
        environment: ["CNICSCAN_MODELS": directory.path("Models"), "HOME": "/nonexistent"])
    }
    if asRoot {
      for path in [""] + (try #require(FileManager.default.subpaths(atPath: directory.path))) {
        #expect(chown(directory.path(path), 65534, 65534) == 0)
      }
    }
    let secret = directory.path("in/b_back.jpg")
    #expect(chmod(secret, 0) == 0)
    let first = try run()
    #expect(first.status == 3, "\(first.err)")
    let lines = try directory.text(of: "in/out/latest/results.ndjson").split(separator: "\n")
    #expect(lines.count == 2 && lines[0].contains(#""outcome":"matched""#), "\(lines)")
    #expect(lines.count == 2 && lines[1].contains("permissionDenied"), "\(lines)")
    #expect(chmod(secret, 0o600) == 0)
    let second = try run()
    #expect(second.status == 0, "\(second.err)")
    let mended = try directory.text(of: "in/out/latest/results.ndjson").split(separator: "\n")
    #expect(
      mended.count == 1 && mended[0].contains(#""outcome":"matched""#), "what may be read now is done, and only that")
    #expect(chmod(directory.path("in/out"), 0o500) == 0)
    let third = try run()
    #expect(third.status == 73, "\(third.status) \(third.err)")
    #expect(chmod(directory.path("in/out"), 0o700) == 0)
  }
}
