import CardModel

extension Summary {
  /// The summary for a terminal or a mail: plain text, a few dozen lines, aligned with blanks.
  package var table: String {
    var lines: [String] = []
    func row(_ label: String, _ count: Int, of whole: Int? = nil, _ remark: String = "") {
      var line = "  " + Self.padded(label, 34) + Self.padded(Self.grouped(count), 12, left: true)
      if let whole { line += Self.padded(Self.percent(count, of: whole), 9, left: true) }
      lines.append(line + (remark.isEmpty ? "" : "  " + remark))
    }
    lines.append("Pairs")
    row("found", found)
    for outcome in Outcome.allCases { row(outcome.rawValue, outcomes[outcome] ?? 0, of: done, outcome.plainText) }
    row("skipped", skipped)
    lines.append(
      addsUp
        ? "  every pair is accounted for: \(Self.grouped(found)) = \(Self.grouped(done)) + \(Self.grouped(skipped)) skipped"
        : "  THE COUNTS DO NOT ADD UP: \(Self.grouped(found)) found, \(Self.grouped(done)) done, \(Self.grouped(skipped)) skipped"
    )
    row("for a person to look at", needsPerson, of: done)
    if refusedRows > 0 { row("manifest rows that are no pair", refusedRows) }
    if unpairedFiles > 0 { row("files that belong to no pair", unpairedFiles) }
    if duplicateGroups > 0 { row("groups of duplicates", duplicateGroups) }
    lines.append("Cards")
    for type in DocumentType.allCases {
      row(type.rawValue, documentTypes[type] ?? 0, of: documentTypes.values.reduce(0, +))
    }
    if newFronts > 0 {
      lines.append("Fields read, of \(Self.grouped(newFronts)) fronts of new cards")
      for field in FieldName.allCases { row(field.rawValue, fields[field] ?? 0, of: newFronts) }
    }
    if !reasons.isEmpty {
      lines.append("Reasons")
      for (reason, count) in Self.byCount(reasons) { row(reason.rawValue, count, of: done) }
    }
    let failed = Check.allCases.filter { (checks[$0]?[.fail] ?? 0) > 0 }
    if !failed.isEmpty {
      lines.append("Checks that failed")
      for check in failed { row(check.rawValue, checks[check]?[.fail] ?? 0, of: done) }
    }
    lines.append("Time")
    lines.append("  \(Self.rounded(seconds)) s, \(Self.rounded(pairsPerSecond)) pairs a second")
    return lines.joined(separator: "\n") + "\n"
  }

  /// Most frequent first, then in the vocabulary's order.
  static func byCount<K: CaseIterable & Hashable>(_ map: [K: Int]) -> [(K, Int)] {
    let ordered = K.allCases.compactMap { key in map[key].map { (key, $0) } }
    return ordered.enumerated().sorted { a, b in
      a.element.1 == b.element.1 ? a.offset < b.offset : a.element.1 > b.element.1
    }.map(\.element)
  }

  /// `12,345`.
  static func grouped(_ count: Int) -> String {
    var text = ""
    for (index, digit) in String(count.magnitude).reversed().enumerated() {
      if index > 0, index.isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return (count < 0 ? "-" : "") + String(text.reversed())
  }

  /// `81.7 %`; a dash where there is no whole.
  static func percent(_ part: Int, of whole: Int) -> String {
    whole == 0 ? "-" : rounded(Double(part) * 100 / Double(whole)) + " %"
  }

  /// One decimal.
  static func rounded(_ value: Double) -> String {
    guard value.isFinite, value.magnitude < 1e12 else { return "-" }
    let tenths = Int((value.magnitude * 10).rounded())
    return (value < 0 && tenths > 0 ? "-" : "") + grouped(tenths / 10) + ".\(tenths % 10)"
  }

  private static func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
    let blanks = String(repeating: " ", count: max(0, width - text.count))
    return left ? blanks + text : text + blanks
  }
}
