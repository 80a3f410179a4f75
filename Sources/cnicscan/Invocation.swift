internal import BatchRun

/// One call of the command: finds the subcommand by the first word, parses its options, does its work, and says on stderr
/// why it could not.
struct Invocation {
  let arguments: [String]

  func perform() -> ExitStatus {
    guard let first = arguments.first else {
      Terminal.writeError(Help.overview())
      return .usage
    }
    do throws(CommandFailure) {
      switch first {
      case "-h", "--help", "help": return try help(about: arguments.dropFirst().first)
      case "-V", "--version": return try VersionReport.print(asJSON: arguments.contains("--json"))
      default: return try perform(try command(named: first))
      }
    } catch {
      return report(error, from: Command.all.contains { $0.name == first } ? first : nil)
    }
  }

  private func perform(_ command: Command) throws(CommandFailure) -> ExitStatus {
    let parser = OptionParser(command: command)
    let options = try parser.parse(Array(arguments.dropFirst()))
    if options.has("help") {
      try Terminal.write(Help.text(for: command, parser: parser))
      return .complete
    }
    guard command.words.contains(options.words.count) else {
      let wanted = command.parameters.isEmpty ? "no further words" : command.parameters
      throw CommandFailure(.usage, "takes \(wanted); given: \(options.words.count) words without a dash")
    }
    return try command.run(options)
  }

  private func help(about name: String?) throws(CommandFailure) -> ExitStatus {
    if name == "--man" {
      try Terminal.write(ManPage.text())
      return .complete
    }
    guard let name, !name.hasPrefix("-") else {
      try Terminal.write(Help.overview())
      return .complete
    }
    let command = try command(named: name)
    try Terminal.write(Help.text(for: command, parser: OptionParser(command: command)))
    return .complete
  }

  private func command(named name: String) throws(CommandFailure) -> Command {
    guard let command = Command.all.first(where: { $0.name == name }) else {
      let names = Command.all.map(\.name).joined(separator: ", ")
      throw CommandFailure(.usage, "no command '\(name)'; there are: \(names)")
    }
    return command
  }

  private func report(_ failure: CommandFailure, from command: String?) -> ExitStatus {
    let name = command.map { "cnicscan " + $0 } ?? "cnicscan"
    let hint = failure.status == .usage ? "\nTry: \(name) --help" : ""
    Terminal.writeError(name + ": " + failure.message + hint + "\n")
    return failure.status
  }
}
