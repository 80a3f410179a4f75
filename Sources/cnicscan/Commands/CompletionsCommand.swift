internal import BatchRun

extension Command {
  /// The scripts are written from the table of commands, so they cannot fall behind it.
  static let completions = Command(
    name: "completions", parameters: "bash|zsh|fish", summary: "Prints a completion script for a shell",
    examples: [
      Example("cnicscan completions bash > ~/.local/share/bash-completion/completions/cnicscan", "bash, for one user"),
      Example("cnicscan completions fish > ~/.config/fish/completions/cnicscan.fish", "fish, for one user"),
    ],
    options: [], words: 1...1,
    run: { options throws(CommandFailure) in
      switch options.words[0] {
      case "bash": try Terminal.write(CompletionScript.bash())
      case "zsh": try Terminal.write(CompletionScript.zsh())
      case "fish": try Terminal.write(CompletionScript.fish())
      default: throw CommandFailure(.usage, "takes bash, zsh or fish, not '\(options.words[0])'")
      }
      return .complete
    })
}
