import CardModel
import Foundation
import RecordFormats
import TestSupport
import Testing

@testable import BatchRun

/// A purge takes a person out of everything, wherever it is interrupted and whatever goes on beside it.
@Suite struct PurgeTests {
  private func export(_ fixture: BatchFixture) throws -> [String] {
    var lines: [String] = []
    try ResultsExport.export(fixture.directory.path("out")) { lines.append(String(decoding: $0, as: UTF8.self)) }
    return lines
  }

  private func status(_ body: () throws -> Void) -> Int32? {
    do { try body() } catch { return (error as? RunError)?.status.rawValue ?? -1 }
    return nil
  }

  private func decision(_ id: String) -> String {
    #"{"decidedAt":"2026-01-02T03:04:05Z","decision":"accepted","id":"\#(id)","run":"r","schemaVersion":1}"# + "\n"
  }

  /// The transaction stands, what follows it fails: nothing may be read that the ledger no longer speaks of, and the next who comes
  /// finishes it, the audit line included, once.
  @Test func aPurgeThatIsInterruptedIsFinishedByWhoeverComesNext() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a-images", "b-images", "c-images"])
    let outcome = try fixture.run()
    let out = fixture.directory.path("out")
    let input = try fixture.directory.write(decision("b-images") + decision("c-images"), to: "decisions")
    #expect(try DecisionLog(output: out).record(file: input, reviewer: "R").recorded == 2)
    // A folder where the audit file should be: the last step fails.
    try FileManager.default.createDirectory(atPath: out + "/audit.ndjson", withIntermediateDirectories: false)
    #expect(status { _ = try OutputPurge.purge(out, .id("b-images")) } != nil)
    #expect(status { _ = try export(fixture) } == 75)
    try FileManager.default.removeItem(atPath: out + "/audit.ndjson")
    #expect(try fixture.run(.manifest(path: try fixture.makeManifest([], name: "in/none.csv"))).status == .complete)
    let ids = try export(fixture).map { $0.contains("a-images") ? "a" : $0.contains("c-images") ? "c" : "?" }
    #expect(ids == ["a", "c"])
    #expect(try fixture.lines("results.ndjson", of: outcome).count == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: out + "/images").count == 4)
    let audit = try fixture.directory.text(of: "out/audit.ndjson").split(separator: "\n")
    #expect(audit.count == 1 && audit[0].contains(#""images":2,"lines":1,"number":1,"pairs":1"#))
    let left = try fixture.directory.text(of: "out/decisions.ndjson").split(separator: "\n")
    #expect(left.count == 1 && left[0].contains("c-images"))
    #expect(try OutputPurge.purge(out, .id("c-images")).pairs == 1)
    #expect(try fixture.directory.text(of: "out/audit.ndjson").split(separator: "\n").count == 2)
  }

  /// Whoever imports decisions while a purge holds their file waits, and writes into the new one.
  @Test func whatIsRecordedBesideAPurgeIsNotLost() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "b"])
    _ = try fixture.run()
    let out = fixture.directory.path("out"), path = out + "/decisions.ndjson"
    let input = try fixture.directory.write(decision("b"), to: "decisions")
    try fixture.directory.write(decision("a"), to: "out/decisions.ndjson")
    let held = open(path, O_RDWR)
    #expect(flock(held, LOCK_EX) == 0)
    let thread = Thread { _ = try? DecisionLog(output: out).record(file: input, reviewer: "R") }
    thread.start()
    // It has opened the old file once it waits for its lock: /proc/locks shows waiters with an arrow.
    #expect(
      RunningHarness.until {
        let locks = (try? String(contentsOfFile: "/proc/locks", encoding: .utf8)) ?? ""
        return locks.split(separator: "\n").contains { $0.contains("-> FLOCK") && $0.contains(" \(getpid()) ") }
      })
    try fixture.directory.write("", to: "out/new")
    #expect(rename(out + "/new", path) == 0)
    close(held)
    #expect(RunningHarness.until { thread.isFinished })
    #expect(try fixture.directory.text(of: "out/decisions.ndjson").contains(#""id":"b""#))
  }

  /// Results, events and decisions of the doubled id go with it, and the others' are where the ledger says.
  /// They may be of the person, from a worker that died.
  @Test func imagesThatNobodyNamesGoToo() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a-images", "b-images"])
    _ = try fixture.run()
    let out = fixture.directory.path("out")
    let named = Set(try FileManager.default.contentsOfDirectory(atPath: out + "/images"))
    for name in [
      "front_00000000-0000-5000-8000-000000000000.png", "back_00000000-0000-5000-8000-000000000000.png.aBcDeF",
    ] {
      try fixture.directory.write("an image", to: "out/images/" + name)
    }
    #expect(try OutputPurge.purge(out, .id("b-images")).images == 2)
    let left = Set(try FileManager.default.contentsOfDirectory(atPath: out + "/images"))
    #expect(left.count == 2 && left.isSubset(of: named))
  }

  @Test func aRefusedRowOfThePurgedIdGoesToo() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "b", "c"])
    let rows = try fixture.directory.text(of: "in/manifest.csv").split(separator: "\n")
    try fixture.directory.write(
      (rows + [rows[2], rows[1] + ",extra"]).joined(separator: "\n") + "\n", to: "in/manifest.csv")
    #expect(try fixture.run().progress.outcomes == [.matched: 3, .failed: 2])
    let before = try export(fixture)
    #expect(before.count == 5)
    let report = try OutputPurge.purge(fixture.directory.path("out"), .id("b"))
    #expect(report.pairs == 2 && report.lines == 2)
    #expect(try export(fixture) == before.filter { !$0.contains(#""id":"b""#) })
  }

  /// A run tells of doubles and unpaired files of pairs whose results stand in another run.
  @Test func whatOtherRunsSayOfThePersonGoesToo() throws {
    let fixture = try BatchFixture()
    let input = InputSource.directory(path: fixture.directory.path("in"))
    for side in ["front", "back"] {
      for id in ["secret", "twin"] { try fixture.directory.write("the same \(side)", to: "in/\(id)_\(side).png") }
    }
    #expect(try fixture.run(input).duplicateGroups == 1)
    for side in ["front", "back"] { try fixture.directory.write(side, to: "in/third_\(side).png") }
    try fixture.directory.write("", to: "in/secret (copy).png")
    try fixture.directory.write("", to: "in/stray.png")
    let second = try fixture.run(input)
    #expect(try fixture.lines("duplicates.ndjson", of: second).count == 2)
    #expect(try fixture.lines("unpaired.ndjson", of: second).count == 2)
    _ = try OutputPurge.purge(fixture.directory.path("out"), .id("secret"))
    #expect(try fixture.lines("duplicates.ndjson", of: second).count == 1)
    #expect(try fixture.lines("unpaired.ndjson", of: second).count == 1)
    let found = try RunProgram.run(
      "/bin/grep", ["-r", "-l", "--binary-files=text", "secret", fixture.directory.path("out")])
    #expect(found.out.isEmpty, "\(found.out)")
  }

  @Test func runsThatTheLedgerDoesNotKnowArePurgedToo() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "secret", "c"])
    let first = try fixture.run()
    try FileManager.default.removeItem(atPath: fixture.directory.path("out/ledger.sqlite"))
    #expect(try fixture.run().progress.done == 3)
    #expect(try OutputPurge.purge(fixture.directory.path("out"), .id("secret")).lines == 2)
    let left = try RunProgram.run("/bin/grep", ["-r", "-l", "-a", "secret", fixture.directory.path("out")])
    #expect(left.out.isEmpty, "\(left.out)")
    #expect(try fixture.ids(of: first) == ["a", "c"])
    #expect(try export(fixture).count == 2)
  }

  /// What somebody tore by hand goes with the person that it names, and hinders nothing else.
  @Test func aTornLineGoesWithThePersonItNames() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "secret", "c"])
    let outcome = try fixture.run()
    let path = try #require(outcome.folder) + "/results.ndjson"
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let torn = text.replacingOccurrences(of: #""id":"secret","outcome":"#, with: #""id":"secret",!outcome!:"#)
    #expect(torn != text)
    try torn.write(toFile: path, atomically: false, encoding: .utf8)
    #expect(status { _ = try export(fixture) } == nil)
    #expect(try OutputPurge.purge(fixture.directory.path("out"), .id("secret")).lines == 1)
    #expect(try export(fixture).count == 2)
  }

  /// Rows that a person filled wrongly are theirs to mend: they must not go with another's.
  @Test func aRescanManifestThatCannotBeReadStopsThePurge() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a-rescan", "b-rescan"])
    let outcome = try fixture.run()
    let path = try #require(outcome.folder) + "/rescan.csv"
    let rows = try String(contentsOfFile: path, encoding: .utf8)
    try (rows + "b-rescan,one,cell,too,many,1012,more\n").write(toFile: path, atomically: false, encoding: .utf8)
    #expect(status { _ = try OutputPurge.purge(fixture.directory.path("out"), .id("a-rescan")) } == 66)
    #expect(try export(fixture).count == 2, "nothing was removed")
    #expect(!fixture.directory.exists("out/latest/results.ndjson.purged"))
    try FileManager.default.removeItem(atPath: path)
    #expect(try OutputPurge.purge(fixture.directory.path("out"), .id("a-rescan")).pairs == 1)
  }

  @Test func idsAreFoundInTextsByteByByte() {
    let ids = ["a", "ab", "b-1", "b-12", "\u{00E9}", "pair-0000007", "x", "zz"]
    let texts = [
      "", "a", "cab", "b-", "b-1", "in/b-1_front.png", "e\u{0301}", "caf\u{00E9}", "pair-000000", "in/pair-0000007.png",
      "z", "zzz",
    ]
    for count in [1, 3, ids.count] {
      let wanted = ids.suffix(count)
      let finder = IdFinder(Set(wanted.map(ExactText.init)))
      for text in texts {
        let expected = wanted.contains { Array(text.utf8).holds(Array($0.utf8)) }
        #expect(finder.finds(in: text) == expected, "\(text) in \(wanted)")
      }
    }
  }

  /// Looking for each of these ids in each of these names would take the better part of an hour.
  @Test(.timeLimit(.minutes(2))) func aHundredThousandIdsAreSoughtInAsManyNames() {
    let ids = (0..<100_000).map { "person-\($0)-of-the-archive" }
    let finder = IdFinder(Set(ids.map(ExactText.init)))
    let found = ids.indices.count { finder.finds(in: "in/\($0 % 2 == 0 ? ids[$0] : "person-\($0)")_front.png") }
    #expect(found == ids.count / 2)
  }
}
