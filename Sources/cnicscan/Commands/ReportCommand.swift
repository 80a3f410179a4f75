internal import BatchRun
internal import Foundation
internal import RecordFormats

extension Command {
  static let report = Command(
    name: "report", parameters: "OUT [OPTION…]", summary: "Writes report.html anew and prints the summary",
    description: """
      Of the newest run, or of the one named. The page holds its numbers, charts and exceptions in one file, without a
      script and without anything from outside. Identity data are masked unless --unmasked is given.
      """,
    examples: [
      Example("cnicscan report out", "the newest run"),
      Example(
        "cnicscan report out --run 2026-01-31T013000Z --unmasked", "an older one, with names and numbers in full"),
    ],
    options: [
      Option("run", .text, value: "NAME", "A run's folder under OUT/runs (the newest)"),
      Option("unmasked", .flag, "Shows names and numbers in full"),
      Option("quiet", short: "q", .flag, "Does not print the summary"),
    ],
    words: 1...1,
    run: { options throws(CommandFailure) in
      let folder = try runFolder(of: options.words[0], named: options.text("run"))
      do throws(FormatError) {
        let summary = try RunPages.rewriteReport(folder: folder, unmasked: options.has("unmasked"))
        guard !options.has("quiet") else { return .complete }
        Terminal.writeError(summary.table + "report: \(folder)/report.html\n")
        return .complete
      } catch {
        throw CommandFailure(.noInput, "the run cannot be read: \(error)")
      }
    })

  /// The absolute folder of a run of an output, by name or the newest.
  static func runFolder(of output: String, named name: String?) throws(CommandFailure) -> String {
    let folder = absolute(output) + (name.map { "/runs/" + $0 } ?? "/latest")
    let path = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
    guard FileManager.default.isReadableFile(atPath: path + "/results.ndjson") else {
      throw CommandFailure(.noInput, "no results.ndjson in \(folder)")
    }
    return path
  }
}
