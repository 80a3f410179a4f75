/// Completion scripts for three shells, written from `Command.all`.
enum CompletionScript {
  static func bash() -> String {
    let cases = Command.all.map { command in
      "    \(command.name)) options=\"\(optionWords(command).joined(separator: " "))\" ;;"
    }
    let choices = choiceOptions().map { "    --\($0.name)) choices=\"\($0.choices.joined(separator: " "))\" ;;" }
    return """
      # bash completion for cnicscan, written by `cnicscan completions bash`
      _cnicscan() {
        local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}" options="" choices=""
        COMPREPLY=()
        if [ "$COMP_CWORD" -eq 1 ]; then
          COMPREPLY=($(compgen -W "\(Command.all.map(\.name).joined(separator: " ")) --help --version" -- "$current"))
          return
        fi
        case "$previous" in
      \(choices.joined(separator: "\n"))
        esac
        if [ -n "$choices" ]; then
          COMPREPLY=($(compgen -W "$choices" -- "$current"))
          return
        fi
        case "${COMP_WORDS[1]}" in
      \(cases.joined(separator: "\n"))
        esac
        case "$current" in
          -*) COMPREPLY=($(compgen -W "$options" -- "$current")) ;;
          *) compopt -o filenames 2>/dev/null; mapfile -t COMPREPLY < <(compgen -f -- "$current") ;;
        esac
      }
      complete -F _cnicscan cnicscan

      """
  }

  static func zsh() -> String {
    let names = Command.all.map { "    '\($0.name):\(quoted($0.summary))'" }
    let cases = Command.all.map { command in
      let specs = command.options.map { option in
        let head = "--\(option.name)[\(quoted(option.help).replacing("[", with: "(").replacing("]", with: ")"))]"
        let repeats = option.kind == .list ? "*" : ""
        if option.kind == .flag { return "        '\(head)'" }
        let action = option.choices.isEmpty ? "_files" : "(\(option.choices.joined(separator: " ")))"
        return "        '\(repeats)\(head):\(option.value.lowercased()):\(action)'"
      }
      return "    \(command.name))\n      _arguments \\\n"
        + (specs + ["        '--help[Shows help]'", "        '*:file:_files'"]).joined(separator: " \\\n") + " ;;"
    }
    return """
      #compdef cnicscan
      # zsh completion for cnicscan, written by `cnicscan completions zsh`
      _cnicscan() {
        local -a commands
        commands=(
      \(names.joined(separator: "\n"))
        )
        if (( CURRENT == 2 )); then
          _describe command commands
          return
        fi
        local name="${words[2]}"
        shift words
        (( CURRENT-- ))
        case "$name" in
      \(cases.joined(separator: "\n"))
        esac
      }
      if [ "${funcstack[1]}" = "_cnicscan" ]; then _cnicscan "$@"; else compdef _cnicscan cnicscan; fi

      """
  }

  static func fish() -> String {
    var lines = ["# fish completion for cnicscan, written by `cnicscan completions fish`"]
    for command in Command.all {
      lines.append(
        "complete -c cnicscan -n __fish_use_subcommand -f -a \(command.name) -d '\(quoted(command.summary))'")
      for option in command.options {
        var line = "complete -c cnicscan -n '__fish_seen_subcommand_from \(command.name)' -l \(option.name)"
        if let short = option.short { line += " -s \(short)" }
        if option.kind != .flag { line += option.choices.isEmpty ? " -r -F" : " -x" }
        if !option.choices.isEmpty { line += " -a '\(option.choices.joined(separator: " "))'" }
        lines.append(line + " -d '\(quoted(option.help))'")
      }
    }
    lines.append("complete -c cnicscan -l help -s h -d 'Shows help'")
    return lines.joined(separator: "\n") + "\n"
  }

  private static func optionWords(_ command: Command) -> [String] {
    (command.options.map { "--" + $0.name } + ["--help"]).sorted()
  }

  /// Options with few values, once each: the same option has the same values in every command.
  private static func choiceOptions() -> [Option] {
    var seen: Set<String> = []
    return Command.all.flatMap(\.options).filter { !$0.choices.isEmpty && seen.insert($0.name).inserted }
  }

  /// Text that stands between single quotes: the quote itself is left out rather than escaped in three ways.
  private static func quoted(_ text: String) -> String {
    text.replacing("'", with: "").replacing(":", with: ",")
  }
}
