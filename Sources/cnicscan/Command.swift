internal import BatchRun

/// One subcommand: what its help says, which options it takes, and its work.
struct Command: Sendable {
  /// The first word after `cnicscan`.
  let name: String
  /// What stands after the name in the usage line, options left out.
  let parameters: String
  let summary: String
  /// Further paragraphs of the help.
  var description = ""
  /// Command lines that work as they stand, each with what it does.
  let examples: [Example]
  let options: [Option]
  /// How many words without a dash it takes.
  let words: ClosedRange<Int>
  let run: @Sendable (ParsedOptions) throws(CommandFailure) -> ExitStatus

  struct Example: Sendable {
    let line: String
    let says: String
    init(_ line: String, _ says: String) { (self.line, self.says) = (line, says) }
  }

  /// In the order of the help.
  static let all: [Command] = [
    .run, .scan, .worker, .decode, .report, .review, .export, .merge, .purge, .check, .schema, .specimens, .completions,
  ]
}

/// One option of a command.
struct Option: Sendable {
  enum Kind: Sendable {
    case flag
    case text
    case number
    /// May be given several times, and takes every word up to the next option: `--front a.jpg b.jpg`.
    case list
  }
  let name: String
  let short: Character?
  let kind: Kind
  /// The word that stands for the value in the help; empty for flags.
  let value: String
  let help: String
  /// The values that it takes, where there are only a few: shells complete them.
  let choices: [String]

  init(
    _ name: String, short: Character? = nil, _ kind: Kind, value: String = "", choices: [String] = [], _ help: String
  ) {
    self.name = name
    self.short = short
    self.kind = kind
    self.value = value.isEmpty && kind != .flag ? "VALUE" : value
    self.choices = choices
    self.help = help
  }
}

/// What a command line gave; an option that was not given is absent.
struct ParsedOptions: Sendable {
  var flags: Set<String> = []
  var texts: [String: String] = [:]
  var numbers: [String: Int] = [:]
  var lists: [String: [String]] = [:]
  var words: [String] = []

  func has(_ name: String) -> Bool { flags.contains(name) }
  func text(_ name: String) -> String? { texts[name] }
  func number(_ name: String) -> Int? { numbers[name] }
  func list(_ name: String) -> [String] { lists[name] ?? [] }

  /// The number given, held to a range.
  func number(_ name: String, in range: ClosedRange<Int>) throws(CommandFailure) -> Int? {
    guard let value = numbers[name] else { return nil }
    guard range.contains(value) else {
      throw CommandFailure(.usage, "--\(name) takes \(range.lowerBound) to \(range.upperBound), not \(value)")
    }
    return value
  }

  /// One of a closed vocabulary, by its raw value.
  func choice<Value: RawRepresentable & CaseIterable>(
    _ name: String, of type: Value.Type
  ) throws(CommandFailure) -> Value? where Value.RawValue == String {
    guard let text = texts[name] else { return nil }
    guard let value = Value(rawValue: text) else {
      let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
      throw CommandFailure(.usage, "--\(name) takes one of \(known), not '\(text)'")
    }
    return value
  }

  /// The text of an option that the command cannot do without.
  func required(_ name: String) throws(CommandFailure) -> String {
    guard let text = texts[name] else { throw CommandFailure(.usage, "--\(name) is needed") }
    return text
  }
}
