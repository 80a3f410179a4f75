import Foundation
import TestSupport
import Testing

/// pipelines/kubernetes against the API's schema and against what this program does, and pipelines/slurm's shell. Slurm and Spark
/// themselves are run by `make test-slurm` and `make test-spark`.
@Suite struct ClusterDeploymentTests {
  private let pipelines = RunProgram.repository.appendingPathComponent("pipelines")

  private func text(_ path: String) throws -> String {
    String(decoding: try Data(contentsOf: pipelines.appendingPathComponent(path)), as: UTF8.self)
  }

  @Test(arguments: ["1.29.0", "1.33.0", "1.37.0"]) func theSchemaOfKubernetesTakesEachFile(version: String) throws {
    let validator = RunProgram.repository.appendingPathComponent(".venv/bin/kubernetes-validate").path
    try #require(FileManager.default.isExecutableFile(atPath: validator), "no .venv: make setup-test")
    let folder = pipelines.appendingPathComponent("kubernetes")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".yaml") }
    #expect(files.sorted() == ["backfill.yaml", "merge.yaml"])
    for file in files {
      let path = folder.appendingPathComponent(file).path
      let result = try RunProgram.run(validator, ["--strict", "--kubernetes-version", version, path])
      #expect(result.status == 0, "\(file): \(result.out)\(result.err)")
    }
  }

  @Test func everyExitStatusHasOneRuleAndTheCountsAgree() throws {
    let job = try text("kubernetes/backfill.yaml")
    func numbers(after action: String) throws -> Set<Int32> {
      let rule = try #require(job.range(of: "- action: \(action)"))
      let list = try #require(job[rule.upperBound...].firstMatch(of: /values: \[([0-9, ]+)\]/))
      return Set(list.1.split(separator: ",").compactMap { Int32($0.trimmingCharacters(in: .whitespaces)) })
    }
    let (given, counted) = (try numbers(after: "FailJob"), try numbers(after: "Count"))
    // 3 becomes 0 in the container's shell.
    let help = try RunProgram.cnicscan(["help"])
    let list = try #require((help.out + help.err).components(separatedBy: "Exit status:").last)
    let statuses = Set(list.matches(of: #/(?m)^  (\d+) /#).compactMap { Int32($0.1) }).subtracting([0, 3])
    #expect(statuses.count == 8)
    #expect(given.isDisjoint(with: counted))
    #expect(given.union(counted).isSuperset(of: statuses))
    #expect(counted.isSuperset(of: [74, 75]), "what a further try may mend")
    let completions = try #require(job.firstMatch(of: /completions: (\d+)/)).1
    let count = try #require(job.firstMatch(of: /CNICSCAN_SHARD_COUNT\n +value: "(\d+)"/)).1
    #expect(completions == count)
    let requested = try #require(job.firstMatch(of: /cpu: "(\d+)"/)).1
    #expect(try #require(job.firstMatch(of: /--jobs (\d+)/)).1 == requested)
  }

  @Test func bashTakesTheScriptsOfSlurmAndTheyAskForWhatTheyNeed() throws {
    for name in ["backfill", "merge"] {
      let path = pipelines.appendingPathComponent("slurm/\(name).sbatch").path
      let result = try RunProgram.run("/bin/bash", ["-n", path])
      #expect(result.status == 0, "\(result.err)")
    }
    let script = try text("slurm/backfill.sbatch")
    #expect(script.contains("RequeueExit=75") && script.contains("#SBATCH --requeue"))
    let usage = try RunProgram.run("/bin/bash", [pipelines.appendingPathComponent("slurm/backfill.sbatch").path])
    #expect(usage.status == 64 && usage.err.contains("usage"))
  }

  /// The wrapper turns what happened to the program into what Slurm is to do; a stub stands for the program. Other signals are
  /// blocked where Dispatch's threads start programs.
  @Test(arguments: [
    ("exit 0", 0), ("exit 3", 0), ("exit 64", 64), ("exit 70", 70), ("exit 74", 74), ("exit 75", 75),
    ("kill -KILL $$", 75), ("kill -SEGV $$", 75),
  ])
  func theWrapperOfSlurm(script: String, status: Int) throws {
    let folder = try FreshDirectory()
    let stub = RunProgram.repository.appendingPathComponent("Tests/Cluster/ending_stub").path
    func run(restarts: String) throws -> Int32 {
      try RunProgram.run(
        "/bin/bash",
        [pipelines.appendingPathComponent("slurm/backfill.sbatch").path, "m.csv", "out", "--delivery", "ios"],
        environment: [
          "CNICSCAN": stub, "STUB_ARGUMENTS": folder.path("arguments"), "STUB_ENDING": script,
          "SLURM_CPUS_PER_TASK": "3", "SLURM_RESTART_COUNT": restarts, "SLURM_ARRAY_TASK_ID": "5",
        ]
      ).status
    }
    let (third, eleventh) = (try run(restarts: "2"), try run(restarts: "10"))
    #expect(third == Int32(status))
    #expect(eleventh == (status == 75 ? 70 : Int32(status)), "tries come to an end")
    let arguments = try String(contentsOfFile: folder.path("arguments"), encoding: .utf8)
    #expect(
      arguments.split(separator: "\n").map(String.init) == [
        "run", "--manifest", "m.csv", "--shard", "auto", "--publish", "out/shards", "--jobs", "3", "--quiet",
        "--delivery", "ios",
      ])
  }

  @Test func theTablesOfScaleAreThoseOfTheirMeasurement() throws {
    let root = RunProgram.repository
    let script = root.appendingPathComponent("Tools/scale_model.py").path
    let bench = root.appendingPathComponent("Tools/bench.json").path
    let check = try RunProgram.run(
      "/usr/bin/python3", [script, bench, "--check", root.appendingPathComponent("Scale.md").path])
    #expect(check.status == 0, "\(check.err)")
  }

  /// 0.45 seconds of CPU on cores that work nine tenths of the time: half a second a pair, 7200 pairs an hour and core.
  @Test func theModelOfScaleMultipliesRight() throws {
    let folder = try FreshDirectory()
    let level = """
      {"pairs": 1, "cpuSecondsPerPair": {"1": {"median": 0.4}, "2": {"median": 0.45}},
       "wallSecondsPerPair": {"1": {"median": 0.5}}, "workerPeakMegabytes": {"high": 150},
       "supervisorMillisecondsPerPair": {"median": 2}, "stageMilliseconds": {"load": {"median": 400}},
       "diskBytesPerPair": {"input": 1000000, "images": 2000000, "lines": 3000, "ledger": 400}}
      """
    try folder.write(
      """
      {"machine": "any", "processors": 2, "loadAverage": 0, "seed": 1, "levels": {"scan": \(level), "photo": \(level)}}
      """, to: "bench.json")
    let script = RunProgram.repository.appendingPathComponent("Tools/scale_model.py").path
    let result = try RunProgram.run("/usr/bin/python3", [script, folder.path("bench.json"), "--cores", "100"])
    #expect(result.status == 0, "\(result.err)")
    #expect(result.out.contains("7,200 pairs an hour and core"))
    #expect(result.out.contains("(28,800 pairs)"), "an hour of four cores")
    #expect(result.lines.contains("| 1,000,000 | 139 | 1.39 | 35 | 0.0579 |"))
    #expect(result.lines.contains("| 100,000,000 | 100 TB | 200 TB | 300 GB | 40.0 GB | 200,000,000 |"))
  }
}
