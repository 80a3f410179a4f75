internal import BatchRun
internal import CardModel
internal import RecordFormats

extension Command {
  static let schema = Command(
    name: "schema", parameters: "[NAME]", summary: "Prints the JSON Schema of a format, or the list of them",
    examples: [
      Example("cnicscan schema", "the formats"),
      Example("cnicscan schema result > result.schema.json", "the schema of a line of results.ndjson"),
    ],
    options: [], words: 0...1,
    run: { options throws(CommandFailure) in
      guard let name = options.words.first else {
        let width = (Schema.allCases.map(\.rawValue.count).max() ?? 0) + 2
        try Terminal.write(Schema.allCases.map { $0.rawValue.padded(to: width) + $0.purpose + "\n" }.joined())
        return .complete
      }
      guard let schema = Schema(rawValue: name) else {
        let known = Schema.allCases.map(\.rawValue).joined(separator: ", ")
        throw CommandFailure(.usage, "no schema '\(name)'; there are: \(known)")
      }
      try Terminal.write(schema.text)
      return .complete
    })
}
