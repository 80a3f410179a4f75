import Foundation
import TestSupport
import Testing

/// Runs every command of Docs/reading-results.md on the output of a real run.
@Suite struct ReadingResultsTests {
  /// The code blocks of a language in the page.
  private func blocks(_ language: String) throws -> [String] {
    let page = RunProgram.repository.appendingPathComponent("Docs/reading-results.md")
    let text = String(decoding: try Data(contentsOf: page), as: UTF8.self)
    return text.components(separatedBy: "```\(language)\n").dropFirst().compactMap {
      $0.components(separatedBy: "\n```").first
    }
  }

  @Test func everyShellCommandWorks() throws {
    let run = try SmallRun.shared.get()
    let commands = try blocks("sh")
    #expect(commands.count >= 7)
    for command in commands {
      let result = try RunProgram.run("/bin/bash", ["-euo", "pipefail", "-c", command], in: run.latest)
      #expect(result.status == 0 && result.err.isEmpty, "\(command)\n\(result.err)")
    }
    let counts = try RunProgram.run("/bin/bash", ["-c", commands[0]], in: run.latest).out
    #expect(counts.contains("matched"))
  }

  @Test func everyDuckDBQueryWorks() throws {
    let run = try SmallRun.shared.get()
    let python = RunProgram.repository.appendingPathComponent(".venv/bin/python").path
    try #require(FileManager.default.isExecutableFile(atPath: python), "no .venv: make setup-test")
    // A query writes a file; the shared run stays as it is for the tests beside this one.
    let folder = try FreshDirectory()
    let latest = folder.path("latest")
    try FileManager.default.copyItem(
      at: URL(fileURLWithPath: run.latest).resolvingSymlinksInPath(), to: URL(fileURLWithPath: latest))
    let queries = try blocks("sql")
    #expect(queries.count >= 5)
    for query in queries {
      let result = try RunProgram.run(
        python, ["-c", "import sys, duckdb; print(duckdb.sql(sys.argv[1]))", query], in: latest)
      #expect(result.status == 0, "\(query)\n\(result.err)")
    }
    #expect(FileManager.default.fileExists(atPath: latest + "/results.parquet"))
  }
}
