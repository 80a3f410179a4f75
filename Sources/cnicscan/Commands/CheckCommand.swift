internal import BatchRun
internal import CNICScan
internal import CardModel
internal import Foundation

extension Command {
  static let check = Command(
    name: "check", parameters: "[PIPELINE.json5] [OPTION…]",
    summary: "Says whether everything needed is here, and what mends it",
    description: """
      Names each library, network and support of the kernel, and with a definition or --output also input, output folder and
      disk space. Whatever is missing comes with the one command that mends it.
      """,
    examples: [
      Example("cnicscan check", "this machine"),
      Example("cnicscan check pipelines/nightly.json5", "a definition, its input and its output too"),
      Example("cnicscan check --json | jq '.checks[] | select(.state != \"ok\")'", "what is not well, for programs"),
    ],
    options: [
      Option("output", short: "o", .text, value: "OUT", "Checks this folder and its disk"),
      Option("json", .flag, "Prints JSON"),
    ],
    words: 0...1, run: checkEverything)
}

private func checkEverything(_ options: ParsedOptions) throws(CommandFailure) -> ExitStatus {
  var definition = try options.words.first.map { path throws(CommandFailure) in try DefinitionReader.read(path) }
  if let output = options.text("output") {
    definition = (definition ?? PipelineDefinition()).overlaid(with: PipelineDefinition(output: output))
  }
  var findings = MachineCheck.findings()
  if let definition { findings += DefinitionCheck.findings(definition, named: options.words.first) }
  try Terminal.write(options.has("json") ? try CheckReport.json(findings) : CheckReport.text(findings))
  return findings.first { $0.state == .missing }?.status ?? .complete
}
