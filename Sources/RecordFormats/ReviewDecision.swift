package import CardModel

/// A line of the decisions that the review pages save: what a person made of a pair. Who that was is said when it is imported.
package struct ReviewDecision: Sendable, Equatable {
  package static let schemaVersion = 1

  /// What was decided. The raw value is the wire's word.
  package enum Verdict: String, Sendable, CaseIterable {
    case accepted, corrected, rejected
  }

  package var id: String
  /// The run whose result was looked at, as its folder is named.
  package var run: String
  package var verdict: Verdict
  /// Only with `corrected`. `nil` takes a field away: the card does not have it.
  package var corrections: [FieldName: String?]
  /// In the reviewer's words.
  package var note: String
  /// When, by the reviewer's clock: ISO 8601, UTC.
  package var decidedAt: String

  package init(
    id: String, run: String, verdict: Verdict, corrections: [FieldName: String?] = [:], note: String = "",
    decidedAt: String
  ) {
    self.id = id
    self.run = run
    self.verdict = verdict
    self.corrections = corrections
    self.note = note
    self.decidedAt = decidedAt
  }

  private static let keys: Set<String> = ["corrections", "decidedAt", "decision", "id", "note", "run", "schemaVersion"]

  /// The line's bytes, without the line end.
  package var line: [UInt8] { JSONWriter.line(json) }

  /// The decision as a JSON value.
  package var json: JSONValue {
    var builder = ObjectBuilder()
    builder.add(
      "corrections", unlessEmpty: object(corrections) { value in value.map { .string($0) } ?? .null })
    builder.add("decidedAt", .string(decidedAt))
    builder.add("decision", .string(verdict.rawValue))
    builder.add("id", .string(id))
    if !note.isEmpty { builder.add("note", .string(note)) }
    builder.add("run", .string(run))
    builder.add("schemaVersion", .int(Self.schemaVersion))
    return builder.value
  }

  /// A longer line is refused: notes are sentences.
  package static let maximumBytes = 1 << 16

  /// Reads a line of any origin. A corrected value must have its field's form.
  package init(line: some Collection<UInt8>) throws(FormatError) {
    guard line.count <= Self.maximumBytes else { throw FormatError("longer than \(Self.maximumBytes) bytes") }
    let fields = try WireFields(JSONValue.parse(line: line), known: Self.keys)
    guard try fields.int("schemaVersion") == Self.schemaVersion else {
      throw FormatError("`schemaVersion` is not \(Self.schemaVersion)")
    }
    self.init(
      id: try fields.text("id"), run: try fields.text("run"), verdict: try fields.word("decision"),
      note: try fields.optionalText("note") ?? "", decidedAt: try fields.text("decidedAt"))
    corrections = try fields.map("corrections") { value, path throws(FormatError) -> String? in
      if value.isNull { return nil }
      guard let text = value.string, !text.isEmpty else { throw FormatError("`\(path)` is neither a text nor null") }
      return text
    }
    for (field, value) in corrections {
      guard let value else { continue }
      guard Self.hasForm(value, of: field) else {
        throw FormatError("`corrections.\(field.rawValue)` does not have the field's form")
      }
    }
    guard (verdict == .corrected) == !corrections.isEmpty else {
      throw FormatError("`corrections` and `decision` do not agree")
    }
  }

  private static func hasForm(_ value: String, of field: FieldName) -> Bool {
    switch field {
    case .identityNumber: IdentityNumber(value)?.formatted == value
    case .dateOfBirth, .dateOfIssue, .dateOfExpiry: CardDate(value)?.formatted == value
    case .gender: Gender(rawValue: value) != nil
    case .name, .fatherName, .country: value.utf8.count <= 1000
    }
  }
}
