extension Shard {
  /// Reads `I/N` (0-based: `0/4` ... `3/4`) or `auto`.
  /// - Parameter environment: where `auto` looks for what Slurm, Kubernetes, AWS Batch or Cloud Run set.
  /// - Throws: `RunError(.usage)` with what was expected.
  package static func parse(_ text: String, environment: [String: String]) throws(RunError) -> Shard {
    if text == "auto" { return try detect(environment) }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let index = Int(parts[0]), let count = Int(parts[1]),
      let shard = Shard(index: index, count: count)
    else {
      throw RunError(.usage, "--shard takes I/N with 0 <= I < N, or auto, not \"\(text)\"")
    }
    return shard
  }

  /// Where an array job's scheduler says which task this is and of how many.
  private struct Scheduler {
    let name: String
    let index: String
    /// `nil` where it says no count: the job's definition must pass one.
    let count: String?
  }

  private static let schedulers = [
    Scheduler(name: "Slurm", index: "SLURM_ARRAY_TASK_ID", count: "SLURM_ARRAY_TASK_COUNT"),
    Scheduler(name: "AWS Batch", index: "AWS_BATCH_JOB_ARRAY_INDEX", count: "AWS_BATCH_JOB_ARRAY_SIZE"),
    Scheduler(name: "Cloud Run", index: "CLOUD_RUN_TASK_INDEX", count: "CLOUD_RUN_TASK_COUNT"),
    Scheduler(name: "Kubernetes", index: "JOB_COMPLETION_INDEX", count: nil),
  ]

  /// Set by the job's definition; goes over what the scheduler says, which counts only the tasks of this submission.
  private static let countVariable = "CNICSCAN_SHARD_COUNT"

  private static func detect(_ environment: [String: String]) throws(RunError) -> Shard {
    var found: Shard?
    for scheduler in schedulers where environment[scheduler.index] != nil {
      let shard = try read(scheduler, environment)
      // One inside another, e.g. Slurm within a task of Cloud Run: neither is guessed to be the right one.
      guard found == nil || found == shard else {
        throw RunError(.usage, "--shard auto: two schedulers say different parts; give --shard I/N")
      }
      found = shard
    }
    guard let found else {
      throw RunError(
        .usage, "--shard auto: found none of \(schedulers.map(\.index).joined(separator: ", ")) in the environment")
    }
    return found
  }

  private static func read(_ scheduler: Scheduler, _ environment: [String: String]) throws(RunError) -> Shard {
    let index = environment[scheduler.index].flatMap { Int($0) }
    let problem: String
    if let text = environment[countVariable] {
      if let index, let count = Int(text), let shard = Shard(index: index, count: count) { return shard }
      problem = "\(scheduler.index) and \(countVariable) do not fit together"
    } else if scheduler.name == "Slurm" {
      if let index, let shard = wholeSlurmArray(index, environment) { return shard }
      problem = "SLURM_ARRAY_TASK_ID is not of a whole array from 0 or 1 on: set \(countVariable)"
    } else if let variable = scheduler.count {
      if let index, let count = environment[variable].flatMap({ Int($0) }),
        let shard = Shard(index: index, count: count)
      {
        return shard
      }
      problem = "\(scheduler.index) and \(variable) do not fit together"
    } else {
      problem = "\(scheduler.name) sets \(scheduler.index) but no count: set \(countVariable)"
    }
    throw RunError(.usage, "--shard auto: \(problem)")
  }

  /// The part where the submission is a whole array. Of `sbatch --array=3`, which runs one shard of sixteen again, Slurm says that
  /// it is one task of one: believed, it would scan the whole input.
  /// - Source: sbatch(1), SLURM_ARRAY_TASK_COUNT, _MIN, _MAX.
  private static func wholeSlurmArray(_ index: Int, _ environment: [String: String]) -> Shard? {
    func number(_ name: String) -> Int? { environment["SLURM_ARRAY_TASK_" + name].flatMap { Int($0) } }
    guard let count = number("COUNT"), count > 1 else { return nil }
    let first = number("MIN") ?? 0
    guard first == 0 || first == 1, number("MAX").map({ $0 - first + 1 == count }) ?? true else { return nil }
    return Shard(index: index - first, count: count)
  }
}
