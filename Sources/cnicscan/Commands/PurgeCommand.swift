internal import BatchRun

extension Command {
  static let purge = Command(
    name: "purge", parameters: "OUT --older-than AGE|--id ID", summary: "Takes persons out of an output for good",
    description: """
      Removes ledger entries, card images, decisions, and lines of every run. A line in audit.ndjson that says when and how many, and
      nothing of whom, remains.
      """,
    examples: [
      Example("cnicscan purge out --older-than 90d", "all that was finished more than ninety days ago"),
      Example("cnicscan purge out --id a-1", "one person"),
    ],
    options: [
      Option("older-than", .text, value: "AGE", "Pairs finished before that: 90d, 12h, 30m or 45s ago"),
      Option("id", .text, value: "ID", "This pair"),
      Option("quiet", short: "q", .flag, "Says nothing when all is well"),
    ],
    words: 1...1,
    run: { options throws(CommandFailure) in
      let choice: OutputPurge.Choice
      switch (options.text("older-than"), options.text("id")) {
      case (let age?, nil): choice = .olderThan(seconds: try seconds(age))
      case (nil, let id?): choice = .id(id)
      default: throw CommandFailure(.usage, "takes one of --older-than and --id")
      }
      do throws(RunError) {
        let report = try OutputPurge.purge(absolute(options.words[0]), choice)
        if !options.has("quiet") {
          Terminal.writeError("removed \(report.pairs) pairs, \(report.lines) lines and \(report.images) images\n")
        }
      } catch {
        throw CommandFailure(error)
      }
      return .complete
    })

  /// `90d`, `12h`, `30m`, `45s`.
  private static func seconds(_ text: String) throws(CommandFailure) -> Int {
    let units: [Character: Int] = ["d": 86_400, "h": 3600, "m": 60, "s": 1]
    guard let letter = text.last, let unit = units[letter], let count = Int(text.dropLast()),
      (0...36_500).contains(count)
    else {
      throw CommandFailure(.usage, "--older-than takes a number with d, h, m or s, e.g. 90d, not '\(text)'")
    }
    return count * unit
  }
}
