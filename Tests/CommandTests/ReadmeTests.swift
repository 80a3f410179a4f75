import Foundation
import TestSupport
import Testing

/// What the README promises is there.
@Suite struct ReadmeTests {
  private func readme() throws -> String {
    String(decoding: try Data(contentsOf: RunProgram.repository.appendingPathComponent("README.md")), as: UTF8.self)
  }

  @Test func everyTestNamedInTheContractExists() throws {
    let table = try #require(readme().split(separator: "## Contract").last?.split(separator: "\n## ").first)
    let names = table.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst().compactMap {
      $0.split(separator: "|").last
    }.flatMap { $0.split(separator: "`").map(String.init).filter { $0.count > 10 && !$0.contains(" ") } }
    #expect(names.count >= 20)
    let tests = RunProgram.repository.appendingPathComponent("Tests")
    var sources = ""
    let files = try #require(FileManager.default.enumerator(at: tests, includingPropertiesForKeys: nil))
    for case let file as URL in files where file.pathExtension == "swift" {
      sources += String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }
    for name in names { #expect(sources.contains("func \(name)("), "README names a test that is not there: \(name)") }
  }

  @Test func everyFileThatItLinksToExists() throws {
    for part in try readme().split(separator: "](").dropFirst() {
      guard let target = part.split(separator: ")").first, !target.hasPrefix("http"), !target.hasPrefix("#") else {
        continue
      }
      let path = RunProgram.repository.appendingPathComponent(String(target)).path
      #expect(FileManager.default.fileExists(atPath: path), "README links to \(target)")
    }
  }

  /// The library's article shows the example that a test runs, so its code cannot rot.
  @Test func theArticlesCodeIsTheExamples() throws {
    func source(_ path: String) throws -> String {
      String(decoding: try Data(contentsOf: RunProgram.repository.appendingPathComponent(path)), as: UTF8.self)
    }
    let example = try source("Examples/ScanOnePair/main.swift")
    let parts = try source("Sources/CNICScan/CNICScan.docc/ScanACard.md").components(separatedBy: "```")
    let blocks = parts.indices.filter { $0 % 2 == 1 }.map { parts[$0].trimmingPrefix("swift\n") }
    #expect(blocks.count == 2)
    for block in blocks { #expect(example.contains(block), "the example does not hold: \(block)") }
  }

  @Test func everyCommandThatItShowsIsThere() throws {
    let known = try CommandNames.all() + ["COMMAND", "--version", "--help"]
    for line in try readme().split(separator: "\n") {
      for part in line.components(separatedBy: "cnicscan ").dropFirst() {
        guard let word = part.split(whereSeparator: { !$0.isLetter && $0 != "-" }).first, part.first?.isLetter == true
        else { continue }
        guard line.contains("`cnicscan \(word)") || line.hasPrefix("cnicscan \(word)") else { continue }
        #expect(known.contains(String(word)), "README shows cnicscan \(word)")
      }
    }
  }
}
