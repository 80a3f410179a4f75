/// What comes next in a manifest: a pair, or a row that is none.
package enum ManifestEntry: Sendable, Equatable {
  case row(ManifestRow)
  case problem(ManifestProblem)
}

/// Reads a manifest from its file, row by row, in bounded memory: a piece of the file, one row, and 16 bytes for each id seen.
///
/// CSV has a header `id,front,back,identityNumber[,scanMode][,imageWidth]` in any order; NDJSON has an object of the same keys a line,
/// frames as a list or as one text in CSV's form. A row that cannot be taken is a `ManifestProblem` and nothing else is lost by it. The
/// second row of an id is one too: two pairs of one name could not be told apart in the results. Ids that Unicode holds for equal
/// (composed and decomposed letters) are one id here.
package struct ManifestReader {
  private enum Source {
    case csv(CSVTable)
    case ndjson(NDJSONRows)
  }

  private var source: Source
  private var seen: Set<IdDigest> = []

  /// - Throws: `FormatError` where nothing of the file can be read as a manifest: missing, unreadable, UTF-16, a wrong header. The text
  ///   does not name the file.
  package init(path: String) throws(FormatError) {
    source =
      try Self.isNDJSON(path)
      ? .ndjson(NDJSONRows(path: path))
      : .csv(CSVTable(path: path, required: ManifestRow.requiredColumns, optional: ["scanMode", "imageWidth"]))
  }

  /// The next row or problem, `nil` at the end.
  /// - Throws: `FormatError` where the file cannot be read on.
  package mutating func next() throws(FormatError) -> ManifestEntry? {
    let entry: ManifestEntry?
    let line: Int
    switch source {
    case .csv(var table):
      (entry, line) = try Self.next(&table)
      source = .csv(table)
    case .ndjson(var rows):
      (entry, line) = try rows.next()
      source = .ndjson(rows)
    }
    guard case .row(let row)? = entry, !seen.insert(IdDigest(row.id)).inserted else { return entry }
    return .problem(
      ManifestProblem(
        number: row.number, line: line, id: row.id, reason: FormatError("its `id` stands in an earlier row too")))
  }

  private static func next(_ table: inout CSVTable) throws(FormatError) -> (ManifestEntry?, Int) {
    switch try table.next() {
    case nil: return (nil, 0)
    case .failure(let problem)?: return (.problem(problem), problem.line)
    case .success(let (cells, number, line))?:
      do throws(FormatError) {
        return (.row(try ManifestRow(cells: cells, number: number)), line)
      } catch {
        let id = cells["id"].flatMap { $0.isEmpty ? nil : $0 }
        return (.problem(ManifestProblem(number: number, line: line, id: id, reason: error)), line)
      }
    }
  }

  /// By the name's end; where that says nothing, by the first character that is no white space.
  private static func isNDJSON(_ path: String) throws(FormatError) -> Bool {
    let name = path.lowercased()
    if [".ndjson", ".jsonl", ".json"].contains(where: name.hasSuffix) { return true }
    if name.hasSuffix(".csv") { return false }
    var lines = TextLines(file: try FileBytes(path: path), maximumBytes: 1 << 16, endsAtCarriageReturn: false)
    return try lines.peek(4096).first { ![0x20, 0x09, 0x0A, 0x0D, 0xEF, 0xBB, 0xBF].contains($0) } == 0x7B
  }
}

/// 128 bits that stand for an id. Two different ids of a million share one by chance less than once in 10^26 runs.
private struct IdDigest: Hashable {
  let first: Int
  let second: Int

  init(_ id: String) {
    var a = Hasher(), b = Hasher()
    a.combine(0 as UInt8)
    b.combine(1 as UInt8)
    a.combine(id)
    b.combine(id)
    (first, second) = (a.finalize(), b.finalize())
  }
}

/// The rows of an NDJSON manifest.
private struct NDJSONRows {
  private var lines: TextLines
  private var line = 0
  private var number = 0

  init(path: String) throws(FormatError) {
    lines = TextLines(
      file: try FileBytes(path: path), maximumBytes: CSVRows.maximumRowBytes, endsAtCarriageReturn: false)
    try CSVTable.takeByteOrderMark(&lines)
  }

  mutating func next() throws(FormatError) -> (ManifestEntry?, Int) {
    while let text = try lines.next() {
      line += 1
      guard case .complete(let bytes) = text else {
        number += 1
        let reason = FormatError("longer than \(CSVRows.maximumRowBytes) bytes")
        return (.problem(ManifestProblem(number: number, line: line, reason: reason)), line)
      }
      if bytes.allSatisfy({ [0x20, 0x09, 0x0D, 0x0A].contains($0) }) { continue }
      number += 1
      return (entry(bytes), line)
    }
    return (nil, line)
  }

  private func entry(_ bytes: [UInt8]) -> ManifestEntry {
    var id: String?
    do throws(FormatError) {
      let json = try JSONValue.parse(line: bytes)
      id = json["id"]?.string.flatMap { $0.isEmpty ? nil : $0 }
      let fields = try WireFields(json, known: Set(ManifestRow.columns))
      return .row(try ManifestRow(fields, number: number))
    } catch {
      return .problem(ManifestProblem(number: number, line: line, id: id, reason: error))
    }
  }
}
