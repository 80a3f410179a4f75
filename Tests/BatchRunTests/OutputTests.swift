import CardModel
import Foundation
import RecordFormats
import TestSupport
import Testing

@testable import BatchRun

/// What is done with an output after its runs: rescans, export, purge, shards.
@Suite struct OutputTests {
  @Test func aFilledRescanManifestReadsOnlyTheBack() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a-images", "b-rescan", "c-rescan"])
    let first = try fixture.run()
    #expect(first.progress.outcomes == [.matched: 1, .rescanBack: 2])
    let rescan = try #require(first.folder) + "/rescan.csv"
    #expect(try fixture.lines("rescan.csv", of: first).count == 3)

    // Nothing was filled in: nothing to do.
    let filled = InputSource.manifest(path: rescan)
    #expect(try fixture.run(filled).progress.skipped == 2)

    let back = try fixture.directory.write("good back", to: "new/b.png")
    let rows = try String(contentsOfFile: rescan, encoding: .utf8)
    #expect(rows.contains("b-rescan,,,1234512345671,frontAndBack,1012"))
    try rows.replacingOccurrences(of: "b-rescan,,,", with: "b-rescan,,\(back),").write(
      toFile: rescan, atomically: false, encoding: .utf8)
    let second = try fixture.run(filled)
    #expect(second.progress.outcomes == [.matched: 1])
    #expect(try fixture.lines("results.ndjson", of: second)[0].contains(#""name":"reused""#))
    #expect(try fixture.run(filled).progress.skipped == 2, "the same rescan is not done again")
    #expect(try fixture.run().progress.skipped == 3, "the input it came from is not done again")
  }

  @Test func aNewBackInTheInputReusesTheFrontToo() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["b-rescan"])
    _ = try fixture.run()
    try fixture.directory.write("good back", to: "in/b-rescan_back.png")
    let second = try fixture.run()
    #expect(second.progress.outcomes == [.matched: 1])
    #expect(try fixture.lines("results.ndjson", of: second)[0].contains(#""name":"reused""#))
  }

  @Test func exportGivesTheNewestLineOfEachPair() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "b", "c"])
    _ = try fixture.run()
    try fixture.directory.write("changed", to: "in/b_front.png")
    _ = try fixture.run()
    var lines: [String] = []
    try ResultsExport.export(fixture.directory.path("out")) { lines.append(String(decoding: $0, as: UTF8.self)) }
    #expect(lines.count == 3 && lines[1].contains("changed") && lines[2].contains("front of c"))
  }

  @Test func purgeTakesAPersonOutOfEverything() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a-images", "secret-rescan", "c-images"])
    _ = try fixture.run()
    try fixture.directory.write("another secret", to: "in/secret-rescan_back.png")
    _ = try fixture.run()
    let out = fixture.directory.path("out")
    let before = try FileManager.default.contentsOfDirectory(atPath: out + "/images").count
    let report = try OutputPurge.purge(out, .id("secret-rescan"))
    #expect(report.pairs == 1 && report.lines == 2 && report.images >= 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: out + "/images").count == before - report.images)
    for name in try #require(FileManager.default.subpaths(atPath: out)) {
      let data = FileManager.default.contents(atPath: out + "/" + name) ?? Data()
      #expect(data.range(of: Data("secret".utf8)) == nil, "\(name)")
    }
    var ids: [String] = []
    try ResultsExport.export(out) { ids.append(String(decoding: $0, as: UTF8.self)) }
    #expect(ids.count == 2 && ids[1].contains("c-images"), "the others' lines are still found")
    #expect(try fixture.directory.text(of: "out/audit.ndjson").contains(#""pairs":1"#))
    #expect(try fixture.run().progress.done == 1, "what is purged is unknown")
  }

  /// A pair that is scanned anew writes images of the same names as before; a kill before it is entered must not cost them.
  @Test func anInterruptedRunTakesNoImageThatEarlierResultsName() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a-images", "b-images"])
    #expect(try fixture.run().status == .complete)
    let images = try Set(FileManager.default.contentsOfDirectory(atPath: fixture.directory.path("out/images")))
    #expect(images.count == 4)
    do {
      let ledger = try Ledger(path: fixture.directory.path("out/ledger.sqlite"))
      try ledger.database.execute("UPDATE pairs SET finished = finished - 10000 WHERE key = 'a-images'")
      try ledger.setState("running", ofRun: 1)
    }
    let planted = ["out/.shard.7.new", "out/etilqs_0", "out/images/front_x.png.tmp", "out/runs/x/summary.json.new"]
    for name in planted { try fixture.directory.write("", to: name) }
    let orphan = "front_00000000-0000-5000-8000-000000000000.png"
    let orphaned = try fixture.directory.write("", to: "out/images/" + orphan)
    // As a clock that was set back, or a file system with one of its own, would have it.
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 86_400)], ofItemAtPath: orphaned)
    let other = InputSource.manifest(path: try fixture.makeManifest(["c"], name: "in/other.csv"))
    #expect(try fixture.run(other).status == .complete)
    #expect(try Set(FileManager.default.contentsOfDirectory(atPath: fixture.directory.path("out/images"))) == images)
    for name in planted { #expect(!fixture.directory.exists(name), "\(name)") }
  }

  /// Lines of one length: only what stands in them tells them apart.
  @Test func exportRefusesALineThatIsAnothersOrTorn() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a", "b", "c"])
    let path = try #require(try fixture.run().folder) + "/results.ndjson"
    let lines = try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n")
    for changed in [[lines[1], lines[0], lines[2]], [lines[0].dropLast(9), lines[1], lines[2]]] {
      try (changed.joined(separator: "\n") + "\n").write(toFile: path, atomically: false, encoding: .utf8)
      do {
        try ResultsExport.export(fixture.directory.path("out")) { _ in }
        Issue.record("nothing was noticed")
      } catch {
        #expect(error.status == .internalError && error.message.contains("pair 1"), "\(error)")
      }
    }
    #expect(try fixture.run { $0.fresh = true }.progress.done == 3)
    #expect(try ResultsExport.export(fixture.directory.path("out")) { _ in } == 3)
  }

  @Test func aRunWhoseResultsWereTornMeanwhileIsDoneAgain() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest((0..<6).map { "p\($0)" })
    let first = try fixture.run()
    let path = try #require(first.folder) + "/results.ndjson"
    let whole = try String(contentsOfFile: path, encoding: .utf8)
    let middle = whole.index(whole.startIndex, offsetBy: whole.count / 2)
    try (whole[..<middle] + "\n#" + whole[middle...]).write(toFile: path, atomically: false, encoding: .utf8)
    try Ledger(path: fixture.directory.path("out/ledger.sqlite")).setState("running", ofRun: 1)
    let second = try fixture.run()
    #expect(second.status == .complete && second.folder == first.folder, "\(second.message)")
    #expect(second.progress.done == 6 && second.progress.found == 6)
    #expect(try String(contentsOfFile: path, encoding: .utf8) == whole)
    #expect(try fixture.lines("log.ndjson", of: second).contains { $0.contains("changed by something else") })
  }

  @Test func pagesThatAKilledProgramLeftHalfWrittenGoAndThoseUnderWayStay() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a"])
    _ = try fixture.run()
    for name in ["runs/x/report.html.tmp", "review/index.html.tmp"] {
      try fixture.directory.write("", to: "out/" + name)
    }
    let held = open(try fixture.directory.write("", to: "out/review/page-00001.html.tmp"), O_RDONLY)
    defer { close(held) }
    #expect(flock(held, LOCK_EX) == 0)
    #expect(try fixture.run().progress.skipped == 1)
    #expect(
      !fixture.directory.exists("out/runs/x/report.html.tmp") && !fixture.directory.exists("out/review/index.html.tmp"))
    #expect(fixture.directory.exists("out/review/page-00001.html.tmp"))
  }

  @Test func purgeTakesThePersonOfExactlyThatId() throws {
    let fixture = try BatchFixture()
    for id in ["e\u{0301}", "\u{00E9}"] {
      for side in ["front", "back"] {
        try fixture.directory.write("\(side) of \(id.utf8.count)", to: "in/\(id)_\(side).png")
      }
    }
    let input = InputSource.directory(path: fixture.directory.path("in"))
    let outcome = try fixture.run(input)
    let report = try OutputPurge.purge(fixture.directory.path("out"), .id("\u{00E9}"))
    #expect(report.pairs == 1 && report.lines == 1)
    let left = try fixture.lines("results.ndjson", of: outcome)
    #expect(left.count == 1 && left.first?.contains("front of 3") == true)
    var exported: [[UInt8]] = []
    try ResultsExport.export(fixture.directory.path("out")) { exported.append($0) }
    #expect(exported.map { String(decoding: $0, as: UTF8.self) } == left)
    #expect(try fixture.run(input).progress.skipped == 1, "the other one is still known")
  }

  @Test func purgeByAgeLeavesWhatIsYoung() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a-images", "b-images"])
    _ = try fixture.run()
    #expect(try OutputPurge.purge(fixture.directory.path("out"), .olderThan(seconds: 3600)).pairs == 0)
    #expect(try OutputPurge.purge(fixture.directory.path("out"), .olderThan(seconds: -10)).pairs == 2)
    #expect(try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path("out/images")).isEmpty)
  }

  /// One with a lock that nobody holds, one killed before it made its lock, and one about to begin.
  @Test func whatKilledMergesLeftIsTakenAwayByTheNext() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a-images"])
    let shard = try #require(try fixture.run { $0.shard = Shard(index: 0, count: 1) }.folder.map { _ in "out" })
    // Numbers above the largest that Linux gives a process.
    for process in [4_194_305, 4_194_306, Int(getppid())] {
      for name in ["images", "runs"] {
        try FileManager.default.createDirectory(
          atPath: fixture.directory.path("merged.merging-\(process)/\(name)"), withIntermediateDirectories: true)
      }
    }
    try fixture.directory.write("", to: "merged.merging-4194306/.lock")
    _ = try ShardMerge(output: fixture.directory.path("merged"), shards: [fixture.directory.path(shard)]).run()
    #expect(fixture.directory.exists("merged/ledger.sqlite"))
    #expect(!fixture.directory.exists("merged.merging-4194305"))
    #expect(!fixture.directory.exists("merged.merging-4194306"))
    #expect(fixture.directory.exists("merged.merging-\(getppid())"))
  }

  @Test func mergedShardsEqualOneMachine() throws {
    let fixture = try BatchFixture()
    let ids = (0..<30).map { "p\($0)-" + ($0 % 4 == 0 ? "rescan" : $0 % 7 == 0 ? "failed" : "images") }
    try fixture.makeManifest(ids)
    let whole = try fixture.run(output: "whole")
    let shards = try (0..<3).map { index in
      let outcome = try fixture.run(output: "shard\(index)") { $0.shard = Shard(index: index, count: 3) }
      #expect(outcome.progress.found < 30 && outcome.progress.found > 0)
      return fixture.directory.path("shard\(index)")
    }
    let merged = try ShardMerge(output: fixture.directory.path("merged"), shards: [shards[2], shards[0], shards[1]])
      .run()
    #expect(merged.progress.found == 30)
    for name in ["results.ndjson", "events.ndjson", "rescan.csv"] {
      let lines = try fixture.lines(name, of: merged).map { $0.replacingOccurrences(of: "/merged/", with: "/whole/") }
      #expect(try lines == fixture.lines(name, of: whole), "\(name)")
    }
    #expect(
      try ShardMerge(output: fixture.directory.path("merged"), shards: shards).run().progress.found == 30,
      "again is no error")
    #expect(
      try Set(FileManager.default.contentsOfDirectory(atPath: fixture.directory.path("merged/images")))
        == Set(FileManager.default.contentsOfDirectory(atPath: fixture.directory.path("whole/images"))))
    #expect(try fixture.run(output: "merged").progress.done >= 0)
  }

  @Test func aMergedSummaryKnowsHowLongItTook() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest((0..<12).map { "p\($0)-slow" })
    for round in 0..<2 {
      // The second run does one pair again, whose line stands in another run's files then.
      if round == 1 { try fixture.directory.write("changed", to: "in/p3-slow_front.png") }
      for index in 0..<2 {
        _ = try fixture.run(output: "s\(index)", environment: ["STUB_SLOW": "0.05"]) {
          $0.shard = Shard(index: index, count: 2)
        }
      }
    }
    let merged = try ShardMerge(
      output: fixture.directory.path("merged"), shards: (0..<2).map { fixture.directory.path("s\($0)") }
    ).run()
    let summary = try Summary(text: Array(try fixture.lines("summary.json", of: merged).joined().utf8))
    #expect(summary.stages["load"]?.count == 12 && summary.stages["load"]?.mean == 1.5)
    #expect(summary.seconds >= 0.1 && summary.pairsPerSecond > 0)
    let times = try fixture.lines("timings.ndjson", of: merged)
    #expect(times.count == 12)
    let ids = try fixture.ids(of: merged)
    for (line, id) in zip(times, ids) { #expect(line.contains("\"id\":\"\(id)\"")) }
  }

  @Test func mergeRefusesGapsOverlapsAndStrangers() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest((0..<12).map { "p\($0)" })
    for index in 0..<2 { _ = try fixture.run(output: "s\(index)") { $0.shard = Shard(index: index, count: 2) } }
    _ = try fixture.run(output: "other") {
      $0.shard = Shard(index: 1, count: 2)
      $0.versions = ["stub": "2"]
    }
    _ = try fixture.run(output: "unsharded")
    let path = { fixture.directory.path($0) }
    func status(_ shards: [String]) -> Int32? {
      do throws(RunError) {
        _ = try ShardMerge(output: path("merged"), shards: shards.map(path)).run()
        return nil
      } catch { return error.status.rawValue }
    }
    #expect(status(["s0"]) == 66)
    #expect(status(["s0", "s0", "s1"]) == 64)
    #expect(status(["s0", "other"]) == 64)
    #expect(status(["s0", "unsharded"]) == 66)
    #expect(status(["s0", "nowhere"]) == 66)
    try fixture.makeManifest((0..<13).map { "p\($0)" })
    _ = try fixture.run(output: "s1") { $0.shard = Shard(index: 1, count: 2) }
    #expect(status(["s0", "s1"]) == 64, "made of another manifest")
    #expect(!fixture.directory.exists("merged"))
  }

  /// A fork shares its parent's open files until it executes; here a duplicate stands for it.
  @Test func aLockIsGoneThoughAForkStillSharesItsFile() throws {
    let fixture = try BatchFixture()
    let path = fixture.directory.path("locked")
    let folder = try OutputFolder(making: path)
    var lock: OutputLock? = try OutputLock(folder)
    #expect(!OutputLock.isFree(path))
    let files = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }
    let held = try #require(
      files.first {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path + "/.lock"
      })
    let shared = dup(held)
    defer { close(shared) }
    lock = nil
    #expect(OutputLock.isFree(path) && lock == nil)
    #expect(throws: Never.self) { try OutputLock(folder) }
  }

  @Test func theSecondRunOfOneOutputIsRefused() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest((0..<4).map { "p\($0)-slow" })
    let slow = try fixture.settings(environment: ["STUB_SLOW": "0.4"])
    let thread = Thread { _ = BatchRun(slow).run() }
    thread.start()
    let deadline = Date().addingTimeInterval(10)
    while !fixture.directory.exists("out/.lock"), Date() < deadline { usleep(1000) }
    usleep(50_000)
    let second = try fixture.run()
    #expect(second.status == .temporaryFailure && second.message.contains("\(getpid())"), "\(second.message)")
    while !thread.isFinished, Date() < deadline { usleep(1000) }
  }
}
