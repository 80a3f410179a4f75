import BatchRun
import Foundation
import TestSupport
import Testing

/// `--publish`: two tasks of one shard, one after the other or at once.
@Suite struct ShardPlaceTests {
  private let fixture: BatchFixture
  private let shard: Shard

  init() throws {
    fixture = try BatchFixture()
    shard = try Shard.parse("1/2", environment: [:])
    try fixture.makeManifest((0..<8).map { "p\($0)-images" })
  }

  private func place(_ shard: Shard? = nil) throws -> ShardPlace {
    try ShardPlace(directory: fixture.directory.path("shards"), shard: shard ?? self.shard)
  }

  private func begin(_ place: ShardPlace) throws -> String {
    guard case .attempt(let path) = try place.begin() else {
      throw CocoaError(.fileNoSuchFile, userInfo: [NSLocalizedDescriptionKey: "it was published"])
    }
    return path
  }

  private func scan(_ attempt: String, of shard: Shard? = nil) throws -> RunOutcome {
    var settings = try fixture.settings()
    settings.output = attempt
    settings.shard = shard ?? self.shard
    return BatchRun(settings).run()
  }

  private var entries: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: fixture.directory.path("shards")) }
  }

  @Test func theFirstOfTwoIsPublishedAndTheSecondWithTheSameResultsIsNoError() throws {
    let place = try place()
    let (first, second) = (try begin(place), try begin(place))
    #expect(first != second, "two that work at once share no folder")
    for attempt in [second, first] {
      let outcome = try scan(attempt)
      try #require(outcome.status == .complete)
      try place.end(attempt, outcome.status)
    }
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: fixture.directory.path("shards/1"))
        == URL(fileURLWithPath: second).lastPathComponent)
    #expect(try place.begin() == .published)
    #expect(!FileManager.default.fileExists(atPath: first), "the later one is taken away")
  }

  @Test func aSecondOneWithOtherResultsIsAnErrorAndReplacesNothing() throws {
    let place = try place()
    let (first, second) = (try begin(place), try begin(place))
    try place.end(first, scan(first).status)
    for index in 0..<8 { try fixture.directory.write("changed \(index)", to: "in/p\(index)-images_front.png") }
    let status = try scan(second).status
    let error = #expect(throws: RunError.self) { try place.end(second, status) }
    #expect(error?.status == .internalError)
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: fixture.directory.path("shards/1"))
        == URL(fileURLWithPath: first).lastPathComponent)
  }

  @Test func anAttemptThatSaidThatItEndedIsTakenUpAgainByOneTask() throws {
    let place = try place()
    let attempt = try begin(place)
    try place.end(attempt, .temporaryFailure)
    #expect(try begin(place) == attempt)
    #expect(try begin(place) != attempt)
  }

  @Test func anAttemptWhoseTaskWasKilledUnderThisKernelIsResumed() throws {
    let place = try place()
    let attempt = try begin(place)
    _ = try scan(attempt)
    // Nothing was said at the end; the lock is free.
    #expect(try begin(place) == attempt)
    try place.end(attempt, .complete)
    #expect(try place.begin() == .published)
  }

  @Test func anAttemptOfAnotherKernelIsLeftAlone() throws {
    let place = try place()
    let attempt = try begin(place)
    _ = try scan(attempt)
    try "another kernel".write(toFile: attempt + "/owner", atomically: false, encoding: .utf8)
    #expect(try begin(place) != attempt)
  }

  @Test func anotherDivisionIsRefused() throws {
    let place = try place()
    let attempt = try begin(place)
    try place.end(attempt, scan(attempt).status)
    let other = try self.place(Shard(index: 1, count: 3))
    let error = #expect(throws: RunError.self) { try other.begin() }
    #expect(error?.status == .usage)
  }

  /// What failed is tried again in the published folder itself: its seal goes with it.
  @Test func aPublishedShardMayBeRunAgain() throws {
    let place = try place()
    let attempt = try begin(place)
    try place.end(attempt, scan(attempt).status)
    for index in 0..<8 { try fixture.directory.write("changed \(index)", to: "in/p\(index)-images_front.png") }
    let again = try scan(fixture.directory.path("shards/1"))
    #expect(again.status == .complete && again.progress.done > 0, "\(again.message)")
    #expect(try scan(fixture.directory.path("shards/1")).status == .complete)
    let zero = try self.place(Shard(index: 0, count: 2))
    let other = try begin(zero)
    try zero.end(other, scan(other, of: Shard(index: 0, count: 2)).status)
    let merged = try ShardMerge(
      output: fixture.directory.path("merged"), shards: (0..<2).map { fixture.directory.path("shards/\($0)") }
    ).run()
    #expect(try fixture.lines("results.ndjson", of: merged).allSatisfy { $0.contains("changed") })
  }

  @Test func publishedShardsAreMerged() throws {
    for index in 0..<2 {
      let shard = try Shard.parse("\(index)/2", environment: [:])
      let place = try place(shard)
      let attempt = try begin(place)
      try place.end(attempt, scan(attempt, of: shard).status)
    }
    let shards = (0..<2).map { fixture.directory.path("shards/\($0)") }
    let merged = try ShardMerge(output: fixture.directory.path("merged"), shards: shards).run()
    let whole = try fixture.run(output: "whole")
    #expect(
      try fixture.lines("results.ndjson", of: merged).map { $0.replacingOccurrences(of: "/merged/", with: "/whole/") }
        == fixture.lines("results.ndjson", of: whole))
  }
}
