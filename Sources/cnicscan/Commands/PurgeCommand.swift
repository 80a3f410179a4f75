internal import BatchRun
internal import Foundation
internal import RecordFormats

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
      let output = absolute(options.words[0])
      do {
        let report = try OutputPurge.purge(output, choice)
        try forgetElsewhere(output)
        if !options.has("quiet") {
          Terminal.writeError("removed \(report.pairs) pairs, \(report.lines) lines and \(report.images) images\n")
        }
      } catch let error as RunError {
        throw CommandFailure(error)
      } catch let error as CommandFailure {
        throw error
      } catch {
        throw CommandFailure(.internalError, "\(error)")
      }
      return .complete
    })

  /// Decisions and review pages hold persons too: decisions on pairs that are gone go, and the pages go whole, since
  /// `review` makes them again.
  private static func forgetElsewhere(_ output: String) throws {
    var ids: Set<ExactText> = []
    try ResultsExport.export(output) { bytes throws(RunError) in
      do throws(FormatError) {
        ids.insert(ExactText(try ResultLine(line: bytes).id))
      } catch {
        throw RunError(.internalError, "a result cannot be read")
      }
    }
    try DecisionLog(output: output).keepOnly(ids)
    let pages = output + "/review"
    if FileManager.default.fileExists(atPath: pages) { try FileManager.default.removeItem(atPath: pages) }
  }

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
