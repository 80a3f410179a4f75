/// Reads a CSV file `id,identityNumber`: the expected numbers of pairs that are found in a directory.
package struct IdentitiesReader {
  private var table: CSVTable

  /// - Throws: `FormatError` where the file cannot be read or its header is not right.
  package init(path: String) throws(FormatError) {
    table = try CSVTable(path: path, required: ["id", "identityNumber"])
  }

  /// The next id with its number as written (`nil` where the cell is empty), or a row that is none; `nil` at the end.
  package mutating func next() throws(FormatError) -> Result<(id: String, identityNumber: String?), ManifestProblem>? {
    switch try table.next() {
    case nil: return nil
    case .failure(let problem)?: return .failure(problem)
    case .success(let (cells, number, line))?:
      guard let id = cells["id"], !id.isEmpty else {
        return .failure(ManifestProblem(number: number, line: line, reason: FormatError("`id` is empty")))
      }
      return .success((id, cells["identityNumber"].flatMap { $0.isEmpty ? nil : $0 }))
    }
  }
}
