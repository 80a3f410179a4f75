internal import BatchRun
internal import CardModel
internal import RecordFormats

extension Command {
  static let export = Command(
    name: "export", parameters: "OUT [OPTION…]", summary: "Prints the newest result of every pair, decisions included",
    description: """
      Results of one output lie in the runs that made them; this puts them together, in input order. As NDJSON, a pair's
      recorded decision stands in `review`. As CSV, corrections have taken the place of what was read.
      """,
    examples: [
      Example("cnicscan export out > all.ndjson", "everything"),
      Example("cnicscan export out --format csv > all.csv", "a table for a spreadsheet"),
    ],
    options: [Option("format", .text, value: "FORM", choices: ["ndjson", "csv"], "ndjson or csv (ndjson)")],
    words: 1...1,
    run: { options throws(CommandFailure) in
      let output = absolute(options.words[0])
      let decisions = try DecisionLog(output: output).latest()
      let format = options.text("format") ?? "ndjson"
      guard ["ndjson", "csv"].contains(format) else {
        throw CommandFailure(.usage, "--format takes ndjson or csv, not '\(format)'")
      }
      if format == "csv" { try Terminal.write(ResultTable.header) }
      do throws(RunError) {
        try ResultsExport.export(output) { bytes throws(RunError) in
          do {
            let line =
              format == "csv"
              ? ResultTable.row(try ResultLine(line: bytes), decisions)
              : try reviewed(bytes, decisions)
            try Terminal.write(line)
          } catch let error as CommandFailure {
            throw RunError(error.status, error.message)
          } catch {
            throw RunError(.internalError, "a result cannot be read")
          }
        }
      } catch {
        throw CommandFailure(error)
      }
      return .complete
    })

  private static func reviewed(_ bytes: [UInt8], _ decisions: [ExactText: DecisionLog.Entry]) throws -> String {
    let json = try JSONValue.parse(line: bytes)
    guard let id = json["id"]?.string, let entry = decisions[ExactText(id)] else {
      return String(decoding: bytes, as: UTF8.self) + "\n"
    }
    let review = (entry.json.object ?? []).filter { $0.key != "id" && $0.key != "schemaVersion" }
    let members = (json.object ?? []) + [.init("review", .object(review))]
    return String(decoding: JSONWriter.line(.object(members)), as: UTF8.self) + "\n"
  }
}

/// The results as a table: a row a pair.
private enum ResultTable {
  static let header = CSVCell.line(
    ["id", "outcome", "reasons", "documentType", "barcodeNumber", "distance"] + FieldName.allCases.map(\.rawValue)
      + ["decision", "reviewer"])

  static func row(_ line: ResultLine, _ decisions: [ExactText: DecisionLog.Entry]) -> String {
    let entry = decisions[ExactText(line.id)]
    let payload = line.payload
    var cells = [line.id, line.outcome.rawValue, line.reasons.map(\.rawValue).joined(separator: ";")]
    cells.append(payload?.documentType.rawValue ?? "")
    cells.append(payload?.identityNumber?.formatted ?? "")
    cells.append(payload?.distance.map { String($0) } ?? "")
    for field in FieldName.allCases {
      let read = payload?.extractedData[field] ?? ""
      // A correction to nothing takes the field away.
      cells.append(entry?.decision.corrections[field].map { $0 ?? "" } ?? read)
    }
    return CSVCell.line(cells + [entry?.decision.verdict.rawValue ?? "", entry?.reviewer ?? ""])
  }
}
