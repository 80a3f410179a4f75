internal import BatchRun
internal import Foundation
internal import RecordFormats

extension Command {
  static let review = Command(
    name: "review", parameters: "OUT [OPTION…]",
    summary: "Writes pages on which a person decides, or records decisions",
    description: """
      OUT/review/index.html shows every pair of the newest run that needs a person, and a sample of the others: images,
      fields, barcode and reasons. It works without a server; decisions are downloaded as a file, which --import records
      in OUT/decisions.ndjson for good. The pages show identity data in full.
      """,
    examples: [
      Example("cnicscan review out --sample 2%", "the pages, with every fiftieth of the other pairs"),
      Example("cnicscan review out --import decisions.ndjson --reviewer 'A. Khan'", "what was decided, and by whom"),
    ],
    options: [
      Option("run", .text, value: "NAME", "A run's folder under OUT/runs (the newest)"),
      Option("sample", .text, value: "PERCENT", "Part of the pairs that need nobody (1%)"),
      Option("import", .text, value: "FILE", "Records the decisions of a file that the pages saved"),
      Option("reviewer", .text, value: "NAME", "Who decided; needed with --import"),
    ],
    words: 1...1,
    run: { options throws(CommandFailure) in
      if let file = options.text("import") { return try importDecisions(file, options) }
      let output = absolute(options.words[0])
      let run = try runFolder(of: output, named: options.text("run"))
      let part = try sample(options.text("sample") ?? "1%")
      do throws(FormatError) {
        let count = try ReviewQueue.write(
          runFolder: run, to: output + "/review", sample: part)
        Terminal.writeError("\(count) pairs to look at: \(output)/review/index.html\n")
      } catch {
        throw CommandFailure(.noInput, "the run cannot be read: \(error)")
      }
      return .complete
    })

  private static func importDecisions(_ file: String, _ options: ParsedOptions) throws(CommandFailure) -> ExitStatus {
    let reviewer = try options.required("reviewer")
    let result: (recorded: Int, known: Int)
    do throws(RunError) {
      result = try DecisionLog(output: absolute(options.words[0])).record(
        file: absolute(file), reviewer: reviewer)
    } catch {
      throw CommandFailure(error)
    }
    Terminal.writeError("recorded \(result.recorded) decisions; \(result.known) were recorded already\n")
    return .complete
  }

  /// `1%`, `0.5%` or `0.01`, as a part 0...1.
  static func sample(_ text: String) throws(CommandFailure) -> Double {
    let percent = text.hasSuffix("%")
    guard let number = Double(percent ? String(text.dropLast()) : text) else {
      throw CommandFailure(.usage, "--sample takes a percentage such as 1%")
    }
    let part = percent ? number / 100 : number
    guard (0...1).contains(part) else { throw CommandFailure(.usage, "--sample takes 0% to 100%") }
    return part
  }
}
