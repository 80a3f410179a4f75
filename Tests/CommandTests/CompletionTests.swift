import Foundation
import TestSupport
import Testing

/// Each script is loaded by its own shell.
@Suite struct CompletionTests {
  private func script(_ shell: String, in folder: FreshDirectory) throws -> String {
    let result = try RunProgram.cnicscan(["completions", shell])
    #expect(result.status == 0)
    return try folder.write(result.out, to: "cnicscan.\(shell)")
  }

  @Test func bashCompletesCommandsOptionsAndFiles() throws {
    let folder = try FreshDirectory()
    let file = try script("bash", in: folder)
    func complete(_ words: String...) throws -> [String] {
      let list = words.map { "'\($0)'" }.joined(separator: " ")
      let program = """
        set -u; source '\(file)'; COMP_WORDS=(\(list)); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _cnicscan
        printf '%s\\n' "${COMPREPLY[@]-}"
        """
      let result = try RunProgram.run("/bin/bash", ["--norc", "-c", program], in: folder.path)
      #expect(result.status == 0, "\(result.err)")
      return result.lines.sorted()
    }
    #expect(try complete("cnicscan", "comp") == ["completions"])
    #expect(try complete("cnicscan", "completions", "--h") == ["--help"])
    #expect(try complete("cnicscan", "completions", "cnic") == ["cnicscan.bash"])
  }

  @Test func fishCompletesCommandsAndOptions() throws {
    let folder = try FreshDirectory()
    let file = try script("fish", in: folder)
    let fish = try #require(RunProgram.find("fish"), "fish is not installed: make setup-test")
    let environment = ["HOME": folder.path, "XDG_CONFIG_HOME": folder.path, "XDG_DATA_HOME": folder.path]
    let result = try RunProgram.run(
      fish,
      ["--no-config", "-c", "source '\(file)'; complete -C 'cnicscan comp'; complete -C 'cnicscan run --scan-m'"],
      environment: environment)
    #expect(result.status == 0, "\(result.err)")
    #expect(result.lines.contains { $0.hasPrefix("completions\t") })
  }

  @Test func zshLoadsTheScriptAndOffersCommands() throws {
    let folder = try FreshDirectory()
    let file = try script("zsh", in: folder)
    let zsh = try #require(RunProgram.find("zsh"), "zsh is not installed: make setup-test")
    // The completion system's own functions are replaced by ones that say what they were offered.
    let program = """
      compdef() { : }; source '\(file)'
      _describe() { print -l -- ${(P)2} }; _arguments() { print -l -- "$@" }
      words=(cnicscan ''); CURRENT=2; _cnicscan
      words=(cnicscan completions -); CURRENT=3; _cnicscan
      """
    let result = try RunProgram.run(zsh, ["-f", "-c", program], environment: ["HOME": folder.path])
    #expect(result.status == 0, "\(result.err)")
    for name in try CommandNames.all() { #expect(result.lines.contains { $0.hasPrefix(name + ":") }) }
    #expect(result.lines.contains("--help[Shows help]"))
  }
}
