import BatchRun
import CardModel
import Foundation
import RecordFormats
import TestSupport
import Testing

/// Whole runs with a stub as worker.
@Suite struct RunTests {
  @Test func everyPairOfAManifestIsRecordedInItsOrder() throws {
    let fixture = try BatchFixture()
    let ids = (0..<40).map { "p\($0 * 7 % 40)" }
    try fixture.makeManifest(ids)
    let outcome = try fixture.run(jobs: 3)
    #expect(outcome.status == .complete, "\(outcome.message)")
    #expect(try fixture.ids(of: outcome) == ids)
    #expect(outcome.progress.found == 40 && outcome.progress.outcomes == [.matched: 40])
    #expect(try fixture.lines("events.ndjson", of: outcome).count == 40)
    #expect(try fixture.lines("timings.ndjson", of: outcome).count == 40)
    #expect(try fixture.lines("rescan.csv", of: outcome).count == 1)
  }

  @Test func theBytesDoNotDependOnTheNumberOfJobs() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest((0..<60).map { "p\($0)" + ($0 % 7 == 0 ? "-crashonce" : $0 % 5 == 0 ? "-slow" : "") })
    let one = try fixture.run(output: "one", jobs: 1, environment: ["STUB_SLOW": "0.01"])
    try FileManager.default.removeItem(atPath: fixture.directory.path("state"))
    let four = try fixture.run(output: "four", jobs: 4, environment: ["STUB_SLOW": "0.01"])
    for name in ["results.ndjson", "events.ndjson", "rescan.csv"] {
      #expect(try fixture.lines(name, of: one) == fixture.lines(name, of: four))
    }
    #expect(four.progress.workersReplaced == 9)
  }

  @Test func aRunAgainSkipsWhatIsDoneAndStartsNoRun() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "b"])
    _ = try fixture.run()
    let again = try fixture.run()
    #expect(again.status == .complete && again.folder == nil)
    #expect(again.progress.skipped == 2 && again.progress.found == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path("out/runs")).count == 1)
  }

  @Test func whatChangedIsDoneAgainAndOnlyThat() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "b", "c"])
    _ = try fixture.run()
    try fixture.directory.write("another back", to: "in/b_back.png")
    let again = try fixture.run()
    #expect(try fixture.ids(of: again) == ["b"])
    #expect(again.progress.skipped == 2 && again.progress.done == 1)
  }

  @Test func aTouchedFileIsNotDoneAgain() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a"])
    _ = try fixture.run()
    try fixture.directory.write("front of a", to: "in/a_front.png")
    #expect(try fixture.run().progress.skipped == 1)
  }

  @Test func otherVersionsOrSettingsOrNumbersAreDoneAgain() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "b"])
    _ = try fixture.run()
    #expect(try fixture.run { $0.versions = ["stub": "2"] }.progress.done == 2)
    #expect(try fixture.run { $0.versions = ["stub": "2"] }.progress.skipped == 2)
    #expect(try fixture.run { $0.imageWidthPixels = 500 }.progress.done == 2)
    #expect(try fixture.run { $0.fresh = true }.progress.done == 2)
    let manifest = try fixture.directory.text(of: "in/manifest.csv")
    try fixture.directory.write(
      manifest.replacingOccurrences(of: "b_back.png,1234512345671", with: "b_back.png,1234512345672"),
      to: "in/manifest.csv")
    #expect(try fixture.ids(of: fixture.run()) == ["b"])
  }

  @Test(arguments: ["crash", "exit", "garbage", "twolines", "wrongid"])
  func aWorkerThatMisbehavesCostsOnePair(_ word: String) throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "b-\(word)", "c", "d"])
    let outcome = try fixture.run()
    #expect(outcome.status == .completeWithFailures)
    #expect(try fixture.ids(of: outcome) == ["a", "b-\(word)", "c", "d"])
    #expect(try fixture.values("outcome", of: outcome) == ["matched", "failed", "matched", "matched"])
    #expect(try fixture.values("reasons", of: outcome)[1] == "workerCrashed")
    #expect(outcome.progress.workersReplaced == 2)
  }

  @Test func aWorkerThatHangsIsKilledAtItsDeadline() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "b-hang", "c"])
    let outcome = try fixture.run { $0.workerLimits.pairSeconds = 0.5 }
    #expect(try fixture.values("reasons", of: outcome) == ["", "timeLimit", ""])
  }

  @Test func aWorkerThatEatsMemoryIsKilled() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "b-memory", "c"])
    let outcome = try fixture.run { $0.workerLimits.memoryBytes = 100 << 20 }
    #expect(try fixture.values("reasons", of: outcome) == ["", "memoryLimit", ""])
  }

  /// The review page shows it beside what was read: whoever decides on such a pair needs it most.
  @Test func aPairThatGotNoAnswerKeepsItsExpectedNumber() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a-crash", "b-hang", "c-memory", "d"])
    let manifest = try fixture.directory.text(of: "in/manifest.csv") + "d2,d_front.png,/etc/passwd,12345-1234567-1\n"
    try fixture.directory.write(manifest + "e-crash,d_front.png,d_back.png,no number\n", to: "in/manifest.csv")
    let outcome = try fixture.run {
      $0.workerLimits.pairSeconds = 1
      $0.workerLimits.memoryBytes = 100 << 20
    }
    let results = try fixture.lines("results.ndjson", of: outcome).map { try ResultLine(line: Array($0.utf8)) }
    let failed = results.filter { $0.outcome == .failed }
    #expect(failed.map(\.id) == ["a-crash", "b-hang", "c-memory", "d2", "e-crash"])
    let number = "12345-1234567-1"
    #expect(failed.map { $0.details.expectedNumber?.formatted } == [number, number, number, number, nil])
    let log = try fixture.lines("log.ndjson", of: outcome).joined()
    #expect(!log.contains(number) && !log.contains(number.filter(\.isNumber)))
  }

  @Test func anAnswerThatIsTooLongIsNone() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "b-big"])
    let outcome = try fixture.run { $0.workerLimits.answerBytes = 1 << 20 }
    #expect(try fixture.values("reasons", of: outcome) == ["", "workerCrashed"])
  }

  @Test func whatFailedOnceIsTriedAgain() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a-crashonce", "b"])
    let outcome = try fixture.run()
    #expect(outcome.status == .complete && outcome.progress.outcomes == [.matched: 2])
  }

  /// Half an image of a person under a name that no purge would find.
  @Test func aWorkerThatDiesAsItSavesLeavesNoHalfImage() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a-half-images", "b-images"])
    let outcome = try fixture.run()
    #expect(outcome.progress.outcomes == [.matched: 2] && outcome.progress.workersReplaced == 1)
    let images = try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path("out/images"))
    #expect(images.count == 4 && images.allSatisfy { $0.hasSuffix(".png") }, "\(images)")
  }

  @Test func workersThatCannotStartStopTheRunWithTheirStatus() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "b"])
    #expect(try fixture.run(environment: ["STUB_NEVER_STARTS": "69"]).status == .engineMissing)
    #expect(try fixture.run(environment: ["STUB_NEVER_STARTS": "1"]).status == .internalError)
    let killed = try fixture.run(environment: ["STUB_NEVER_STARTS": "killed"])
    #expect(killed.status == .temporaryFailure && killed.message.contains("were killed"), "\(killed.message)")
    let missing = try fixture.run { $0.worker.arguments = ["/nowhere/worker"] }
    #expect(missing.status == .engineMissing)
    #expect(try fixture.run().progress.outcomes == [.matched: 2], "nothing was lost")
  }

  @Test func aSlowStartIsNoFailure() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "b"])
    let outcome = try fixture.run(environment: ["STUB_START": "1.5"])
    #expect(outcome.status == .complete, "\(outcome.message)")
    let never = try fixture.run(output: "other", jobs: 1, environment: ["STUB_START": "600"]) {
      $0.workerLimits.startSeconds = 0.3
    }
    #expect(never.status == .temporaryFailure && never.message.contains("were not ready"), "\(never.message)")
  }

  @Test func aBusyMachineIsNoTimeLimit() throws {
    let fixture = try BatchFixture()
    // Twelve workers on few processors: each works for 0.3 s and stands in line for the rest.
    try fixture.makeManifest((0..<24).map { "p\($0)-burn" })
    let outcome = try fixture.run(jobs: 12) { $0.workerLimits.pairSeconds = 1.2 }
    #expect(outcome.progress.outcomes == [.matched: 24], "\(outcome.progress.outcomes)")
  }

  @Test func aMissingSandboxStopsOnlyWhereItIsRequired() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a"])
    let greeting = ["STUB_GREETING": "ready off:38 on"]
    #expect(try fixture.run(environment: greeting) { $0.worker.requireSandbox = true }.status == .engineMissing)
    #expect(try fixture.run(environment: greeting).status == .complete)
  }

  @Test func workersAreRecycled() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest((0..<9).map { "p\($0)" })
    let outcome = try fixture.run(jobs: 1) { $0.workerLimits.recyclePairs = 2 }
    #expect(outcome.progress.outcomes == [.matched: 9] && outcome.progress.workersReplaced == 0)
  }

  @Test func imagesThatCannotBeWrittenStopTheRunAndRecordNothing() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "b-nowrite", "c"])
    #expect(try fixture.run(jobs: 1).status == .outputFailure)
    try fixture.makeManifest(["a", "c"])
    let outcome = try fixture.run(jobs: 1)
    #expect(outcome.status == .complete && outcome.progress.done == 2)
  }

  @Test func failuresAreTriedAgainOnlyWhenAsked() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a-failed", "b"])
    _ = try fixture.run()
    #expect(try fixture.run().progress.skipped == 2)
    #expect(try fixture.ids(of: fixture.run { $0.retryFailed = true }) == ["a-failed"])
  }

  @Test func theOutputIsForItsOwnerAlone() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a-images"])
    let outcome = try fixture.run()
    let root = fixture.directory.path("out")
    for name in try #require(FileManager.default.subpaths(atPath: root)) {
      let attributes = try FileManager.default.attributesOfItem(atPath: root + "/" + name)
      guard attributes[.type] as? FileAttributeType != .typeSymbolicLink else { continue }
      let mode = try #require(attributes[.posixPermissions] as? Int)
      #expect(mode & 0o077 == 0, "\(name)")
    }
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: root + "/latest") == "runs/"
        + (try #require(outcome.folder)).split(separator: "/").last!)
  }

  @Test func missingInputsAndBadOutputsHaveTheirStatus() throws {
    let fixture = try BatchFixture()
    #expect(try fixture.run(.manifest(path: "/nowhere.csv")).status == .noInput)
    #expect(try fixture.run(.directory(path: "/nowhere")).status == .noInput)
    try fixture.makeManifest(["a"])
    try fixture.directory.write("a file", to: "file")
    #expect(try fixture.run(output: "file").status == .cannotCreateOutput)
    #expect(try fixture.run(output: "file/below").status == .cannotCreateOutput)
    try fixture.directory.write("id;front;back\n", to: "in/manifest.csv")
    #expect(try fixture.run().status == .noInput)
  }
}
