internal import BatchRun

/// The help texts: of the whole command, and of one subcommand. Both end with what a caller needs to know next.
enum Help {
  static func overview() -> String {
    let width = Command.all.map(\.name.count).max() ?? 0
    let commands = Command.all.map { "  " + $0.name.padded(to: width + 2) + $0.summary }
    let statuses = ExitStatus.allCases.map { "  " + String($0.rawValue).padded(to: 4) + $0.meaning }
    return """
      Usage: cnicscan COMMAND [OPTION…]

      Reads batches of scanned Pakistani identity cards (CNIC) offline: text of the front, barcode of the back,
      comparison with the expected number. Card images never leave the machine.

      Commands:
      \(commands.joined(separator: "\n"))

      cnicscan COMMAND --help shows the options of a command and examples.
      cnicscan help --man prints the man page.
      cnicscan --version [--json] shows the versions of everything that shapes results.

      Exit status:
      \(statuses.joined(separator: "\n"))

      """
  }

  static func text(for command: Command, parser: OptionParser) -> String {
    let options = parser.helpText.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { !$0.hasSuffix("Options:") }.dropFirst().filter { !$0.isEmpty }
    var parts = ["Usage: cnicscan \(command.name) \(command.parameters)", command.summary + "."]
    if !command.description.isEmpty { parts.append(command.description) }
    parts.append("Options:\n" + options.joined(separator: "\n"))
    let examples = command.examples.map { "  # " + $0.says + "\n  " + $0.line }
    parts.append("Examples:\n" + examples.joined(separator: "\n"))
    return parts.joined(separator: "\n\n") + "\n"
  }
}

extension String {
  /// The text with spaces after it up to `width` characters; longer text is left as it is.
  func padded(to width: Int) -> String { self + String(repeating: " ", count: max(0, width - count)) }
}
