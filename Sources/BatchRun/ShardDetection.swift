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
  private static let sources: [(name: String, index: String, counts: [String], first: String?)] = [
    // Slurm numbers tasks from any start; SLURM_ARRAY_TASK_MIN says from which.
    ("Slurm", "SLURM_ARRAY_TASK_ID", ["SLURM_ARRAY_TASK_COUNT"], "SLURM_ARRAY_TASK_MIN"),
    ("AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX", ["AWS_BATCH_JOB_ARRAY_SIZE"], nil),
    ("Cloud Run", "CLOUD_RUN_TASK_INDEX", ["CLOUD_RUN_TASK_COUNT"], nil),
    // Kubernetes' Indexed Jobs set no count: the job's definition passes it.
    ("Kubernetes", "JOB_COMPLETION_INDEX", ["CNICSCAN_SHARD_COUNT", "JOB_COMPLETIONS"], nil),
  ]

  private static func detect(_ environment: [String: String]) throws(RunError) -> Shard {
    for source in sources {
      guard let indexText = environment[source.index] else { continue }
      let first = source.first.flatMap { environment[$0] }.flatMap { Int($0) } ?? 0
      let countText = source.counts.lazy.compactMap { environment[$0] }.first
      guard let index = Int(indexText), let count = countText.flatMap({ Int($0) }),
        let shard = Shard(index: index - first, count: count)
      else {
        throw RunError(
          .usage,
          "--shard auto: \(source.name) sets \(source.index), but \(source.counts.joined(separator: " or ")) is missing or does not fit it"
        )
      }
      return shard
    }
    throw RunError(
      .usage, "--shard auto: found none of \(sources.map(\.index).joined(separator: ", ")) in the environment")
  }
}
