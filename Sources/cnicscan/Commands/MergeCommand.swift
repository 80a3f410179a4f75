internal import BatchRun

extension Command {
  static let merge = Command(
    name: "merge", parameters: "OUT SHARD…", summary: "Makes one output of the outputs of all shards",
    description: """
      The result is what one machine would have written. Nothing is merged unless every shard is there, complete and made
      of the same input by the same settings and versions. OUT must not be there yet.
      """,
    examples: [Example("cnicscan merge out out-0 out-1 out-2 out-3", "four shards")],
    options: [
      Option("quiet", short: "q", .flag, "Says nothing when all is well"),
      Option("summary", .flag, "Prints the summary table even where nobody watches"),
    ],
    words: 2...100_000,
    run: { options throws(CommandFailure) in
      let output = absolute(options.words[0])
      do throws(RunError) {
        let outcome = try ShardMerge(output: output, shards: options.words.dropFirst().map(absolute)).run()
        if Voice(options, format: .text).showsSummary {
          Terminal.writeError(RunSummary.table(outcome, output: output, format: .text))
        }
        return outcome.status
      } catch {
        throw CommandFailure(error)
      }
    })
}
