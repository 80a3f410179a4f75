import BatchRun
import CardModel
import Foundation
import TestSupport
import Testing

/// `merge` of as many shards as an array job makes.
@Suite struct ManyShardsTests {
  private let fixture: BatchFixture

  init() throws { fixture = try BatchFixture() }

  private func makeShards(_ count: Int, pairs: Int) throws -> [String] {
    try fixture.makeManifest((0..<pairs).map { "p\($0)" })
    return try (0..<count).map { index in
      let outcome = try fixture.run(output: "s\(index)", jobs: 1) { $0.shard = Shard(index: index, count: count) }
      #expect(outcome.status == .complete)
      return fixture.directory.path("s\(index)")
    }
  }

  /// Of each shard some files are open; a shell allows 1024 in all unless asked for more.
  @Test func moreShardsThanFilesThatAShellAllows() throws {
    let shards = try makeShards(24, pairs: 60)
    let arguments = [try RunProgram.builtCommand().path, "merge", fixture.directory.path("merged")] + shards
    let result = try RunProgram.run("/bin/bash", ["-c", "ulimit -Sn 40; exec \"$@\"", "bash"] + arguments)
    #expect(result.status == 0, "\(result.err)")
    let lines = try String(contentsOfFile: fixture.directory.path("merged/latest/results.ndjson"), encoding: .utf8)
    #expect(lines.split(separator: "\n").count == 60)
  }

  /// Two shards of one division that both hold a pair: not made by this program, and not taken.
  @Test func aPairInTwoShardsIsRefused() throws {
    let shards = try makeShards(2, pairs: 12)
    let python = """
      import sqlite3, sys
      one, other = (sqlite3.connect(path + "/ledger.sqlite") for path in sys.argv[1:])
      place = one.execute("SELECT min(position) FROM pairs").fetchone()[0]
      other.execute("UPDATE pairs SET position = ? WHERE position = (SELECT max(position) FROM pairs)", (place,))
      other.commit()
      """
    let edited = try RunProgram.run("/usr/bin/python3", ["-c", python] + shards)
    try #require(edited.status == 0, "\(edited.err)")
    let error = #expect(throws: RunError.self) {
      try ShardMerge(output: fixture.directory.path("merged"), shards: shards).run()
    }
    #expect(error?.status == .noInput && error?.message.contains("in two shards") == true, "\(error?.message ?? "")")
    #expect(!fixture.directory.exists("merged"))
  }
}
