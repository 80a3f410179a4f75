import BatchRun
import Testing

/// `--shard I/N|auto`: which part this is, and whose pair is whose.
@Suite struct ShardTests {
  private func status(_ text: String, _ environment: [String: String] = [:]) -> Int32? {
    do throws(RunError) {
      _ = try Shard.parse(text, environment: environment)
      return nil
    } catch { return error.status.rawValue }
  }

  @Test func membershipIsTheSameOnEveryMachineAndForEver() throws {
    // SHA-256's first eight bytes, big-endian, modulo the count: a change would lose and double pairs of a backfill under way.
    let ids = ["a", "b", "pair-00001", "مثال", String(repeating: "z", count: 1024)]
    let expected = [
      0xca97_8112_ca1b_bdca, 0x3e23_e816_0039_594a, 0xc1fd_9d6f_60b5_db68, 0x8e83_1f63_dbe9_e2c4, 0x1a16_5b04_41c1_3a4a,
    ].map { (number: UInt64) in number }
    for (id, number) in zip(ids, expected) {
      for count in [1, 2, 7, 1000] {
        let shard = try Shard.parse("\(number % UInt64(count))/\(count)", environment: [:])
        #expect(shard.contains(id: id), "\(id.prefix(12)) of \(count)")
      }
    }
  }

  @Test func everyPairIsInOneShardAndShardsAreOfLikeSize() throws {
    let shards = try (0..<16).map { try Shard.parse("\($0)/16", environment: [:]) }
    var sizes = [Int](repeating: 0, count: 16)
    for number in 0..<16_000 {
      let holders = shards.indices.filter { shards[$0].contains(id: "pair-\(number)") }
      try #require(holders.count == 1)
      sizes[holders[0]] += 1
    }
    #expect(sizes.allSatisfy { (850...1150).contains($0) }, "\(sizes)")
  }

  @Test(arguments: [
    (["SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "4"], 3, 4),
    (["SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "1"], 3, 4),
    (["JOB_COMPLETION_INDEX": "0", "CNICSCAN_SHARD_COUNT": "2"], 0, 2),
    (["AWS_BATCH_JOB_ARRAY_INDEX": "9", "AWS_BATCH_JOB_ARRAY_SIZE": "10"], 9, 10),
    (["CLOUD_RUN_TASK_INDEX": "1", "CLOUD_RUN_TASK_COUNT": "8"], 1, 8),
  ])
  func autoAsksTheScheduler(environment: [String: String], index: Int, count: Int) throws {
    #expect(try Shard.parse("auto", environment: environment) == Shard(index: index, count: count))
  }

  @Test(
    arguments: [
      [:],
      ["SLURM_ARRAY_TASK_ID": "3"],
      ["SLURM_ARRAY_TASK_ID": "4", "SLURM_ARRAY_TASK_COUNT": "4"],
      // --array=0,5: the places between are nobody's. --array=0-6:2 likewise.
      [
        "SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_COUNT": "2", "SLURM_ARRAY_TASK_MIN": "0",
        "SLURM_ARRAY_TASK_MAX": "5",
      ],
      [
        "SLURM_ARRAY_TASK_ID": "2", "SLURM_ARRAY_TASK_COUNT": "4", "SLURM_ARRAY_TASK_MIN": "0",
        "SLURM_ARRAY_TASK_MAX": "6", "SLURM_ARRAY_TASK_STEP": "2",
      ],
      ["JOB_COMPLETION_INDEX": "1"],
      ["JOB_COMPLETION_INDEX": "x", "CNICSCAN_SHARD_COUNT": "2"],
      ["AWS_BATCH_JOB_ARRAY_INDEX": "10", "AWS_BATCH_JOB_ARRAY_SIZE": "10"],
      ["CLOUD_RUN_TASK_INDEX": "-1", "CLOUD_RUN_TASK_COUNT": "8"],
      ["CLOUD_RUN_TASK_INDEX": "0", "CLOUD_RUN_TASK_COUNT": "0"],
      // Two schedulers that disagree: a Slurm job inside another engine's task. Neither is guessed to be the right one.
      [
        "SLURM_ARRAY_TASK_ID": "0", "SLURM_ARRAY_TASK_COUNT": "4", "CLOUD_RUN_TASK_INDEX": "1",
        "CLOUD_RUN_TASK_COUNT": "8",
      ],
    ] as [[String: String]])
  func autoGuessesNothing(environment: [String: String]) { #expect(status("auto", environment) == 64) }

  /// One shard of an array is run again by hand with the count given: `sbatch --array=3` alone would say that 1 task is all.
  @Test func theCountMayBeGivenForOneShardRunAgain() throws {
    let environment = [
      "SLURM_ARRAY_TASK_ID": "3", "SLURM_ARRAY_TASK_COUNT": "1", "SLURM_ARRAY_TASK_MIN": "3",
      "SLURM_ARRAY_TASK_MAX": "3",
      "CNICSCAN_SHARD_COUNT": "16",
    ]
    #expect(try Shard.parse("auto", environment: environment) == Shard(index: 3, count: 16))
  }

  @Test(arguments: ["", "1", "1/", "/2", "2/2", "-1/2", "0/0", "1/2/3", "a/b", "0x1/2", "AUTO"])
  func anythingElseIsRefused(text: String) { #expect(status(text) == 64) }
}
