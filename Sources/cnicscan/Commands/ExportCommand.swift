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
      let format = options.text("format") ?? "ndjson"
      guard ["ndjson", "csv"].contains(format) else {
        throw CommandFailure(.usage, "--format takes ndjson or csv, not '\(format)'")
      }
      do throws(RunError) {
        let decisions = try DecisionLog(output: output).latest()
        if format == "csv" { try print(ResultTable.header) }
        try ResultsExport.export(output) { bytes throws(RunError) in
          if format == "csv" {
            let line = try parsed { () throws(FormatError) in try ResultLine(line: bytes) }
            try print(ResultTable.row(line, try decisions.entry(of: line.id)))
          } else {
            let json = try parsed { () throws(FormatError) in try JSONValue.parse(line: bytes) }
            let entry = try decisions.entry(of: json["id"]?.string ?? "")
            let line = entry.map { reviewed(json, $0) } ?? bytes
            try print(String(decoding: line, as: UTF8.self) + "\n")
          }
        }
      } catch {
        throw CommandFailure(error)
      }
      return .complete
    })

  private static func reviewed(_ json: JSONValue, _ entry: DecisionLog.Entry) -> [UInt8] {
    let review = (entry.json.object ?? []).filter { $0.key != "id" && $0.key != "schemaVersion" }
    return JSONWriter.line(.object((json.object ?? []) + [.init("review", .object(review))]))
  }

  private static func parsed<Value>(_ parse: () throws(FormatError) -> Value) throws(RunError) -> Value {
    do throws(FormatError) { return try parse() } catch {
      throw RunError(.internalError, "a result cannot be read: \(error)")
    }
  }

  private static func print(_ text: String) throws(RunError) {
    do throws(CommandFailure) { try Terminal.write(text) } catch { throw RunError(error.status, error.message) }
  }
}

/// The results as a table: a row a pair.
private enum ResultTable {
  static let header = CSVCell.line(
    ["id", "outcome", "reasons", "documentType", "barcodeNumber", "distance"] + FieldName.allCases.map(\.rawValue)
      + ["decision", "reviewer"])

  static func row(_ line: ResultLine, _ entry: DecisionLog.Entry?) -> String {
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
