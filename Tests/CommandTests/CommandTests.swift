import Foundation
import TestSupport
import Testing

@Suite struct CommandLineTests {
  @Test func helpListsEveryCommandAndEveryExitStatusOnStdout() throws {
    let result = try RunProgram.cnicscan(["--help"])
    #expect(result.status == 0)
    #expect(result.err.isEmpty)
    for word in ["completions", "--version"] { #expect(result.out.contains(word)) }
    for status in ["0", "3", "64", "66", "69", "70", "73", "74", "75", "78"] {
      #expect(result.lines.contains { $0.hasPrefix("  \(status) ") }, "status \(status) is missing from the help")
    }
  }

  @Test func eachCommandHasHelpWithOptionsAndExamples() throws {
    for name in try CommandNames.all() {
      let result = try RunProgram.cnicscan([name, "--help"])
      #expect(result.status == 0, "\(name) --help")
      #expect(result.out.hasPrefix("Usage: cnicscan \(name)"))
      #expect(result.out.contains("Examples:"))
      #expect(try RunProgram.cnicscan(["help", name]).out == result.out)
    }
  }

  @Test func noCommandIsAUsageErrorAndWritesNothingToStdout() throws {
    let result = try RunProgram.cnicscan([])
    #expect(result.status == 64)
    #expect(result.out.isEmpty)
    #expect(result.err.contains("Usage: cnicscan COMMAND"))
  }

  @Test(arguments: [["bogus"], ["completions"], ["completions", "--bogus", "bash"], ["completions", "tcsh"]])
  func wrongUsageExits64NamesTheCommandAndPointsToHelp(_ arguments: [String]) throws {
    let result = try RunProgram.cnicscan(arguments)
    #expect(result.status == 64)
    #expect(result.out.isEmpty)
    #expect(result.err.hasPrefix("cnicscan"))
    #expect(result.err.contains("--help"))
  }

  @Test func wordsThatAreNotASCIIAreTakenInTheCLocale() throws {
    let result = try RunProgram.cnicscan(["completions", "شناختی"], environment: ["LC_ALL": "C"])
    #expect(result.err.contains("not 'شناختی'"))
  }

  @Test func aFullDiskBehindStdoutExits74() throws {
    let command = try RunProgram.builtCommand().path
    let result = try RunProgram.run("/bin/sh", ["-c", "\"$0\" --help >/dev/full", command])
    #expect(result.status == 74)
  }
}

/// The commands as the help lists them.
enum CommandNames {
  static func all() throws -> [String] {
    let lines = try RunProgram.cnicscan(["--help"]).lines
    let start = try #require(lines.firstIndex(of: "Commands:"))
    return lines[(start + 1)...].prefix { $0.hasPrefix("  ") }.compactMap {
      $0.split(separator: " ").first.map(String.init)
    }
  }
}
