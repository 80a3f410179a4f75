import Foundation
import TestSupport
import Testing

/// `scan`, `worker` and `decode` on drawn cards.
@Suite struct ScanTests {
  private struct Row {
    let id: String
    let front: String
    let back: String
    let number: String
  }

  private func rows(_ run: SmallRun) throws -> [Row] {
    try String(contentsOfFile: run.manifest, encoding: .utf8).split(separator: "\n").dropFirst().map {
      let cells = $0.split(separator: ",").map(String.init)
      return Row(id: cells[0], front: run.cards + "/" + cells[1], back: run.cards + "/" + cells[2], number: cells[3])
    }
  }

  @Test func scanPrintsTheEventsOfAPairInTheirOrder() throws {
    let row = try rows(SmallRun.shared.get())[0]
    let folder = try FreshDirectory()
    let result = try RunProgram.cnicscan(
      ["scan", "--front", row.front, "--back", row.back, "--identity-number", row.number], in: folder.path)
    #expect(result.status == 0)
    #expect(result.err.isEmpty)
    let types = try result.lines.map { line in
      try JSONDecoder().decode(Envelope.self, from: Data(line.utf8)).type
    }
    #expect(types == ["FRONT_SUCCESS", "BACK_SUCCESS", "OCR_SUCCESS"])
    #expect(result.lines.last?.contains("\"distance\":0") == true)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("cnicscan-images")).count == 2)
  }

  private struct Envelope: Decodable { let type: String }

  @Test func scanWithoutANumberPostsALaunchFailureAlone() throws {
    let row = try rows(SmallRun.shared.get())[0]
    let folder = try FreshDirectory()
    let result = try RunProgram.cnicscan(["scan", "--front", row.front, "--back", row.back], in: folder.path)
    #expect(result.out == "{\"id\":\"scan\",\"type\":\"LAUNCH_FAILURE\"}\n")
  }

  @Test func scanOfMissingFilesOnIOSIsNoCamera() throws {
    let folder = try FreshDirectory()
    let result = try RunProgram.cnicscan(
      ["scan", "--front", "a.png", "--back", "b.png", "--identity-number", "4210100000017", "--delivery", "ios"],
      in: folder.path)
    #expect(result.status == 3)
    #expect(result.out.contains("\"code\":\"no_camera\""))
    #expect(!result.err.contains("4210100000017"))
  }

  /// More threads wait for each other longer than they compute; only the environment that a program starts with says how many.
  @Test func aProgramThatReadsHasOneThreadForTheNetworks() throws {
    let process = Process()
    process.executableURL = try RunProgram.builtCommand()
    process.arguments = ["worker", "--no-sandbox"]
    process.environment = ProcessInfo.processInfo.environment.filter { $0.key != "OMP_THREAD_LIMIT" }
    let input = Pipe()
    (process.standardInput, process.standardOutput, process.standardError) = (input, Pipe(), Pipe())
    try process.run()
    defer {
      // It ends with its input.
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }
    func isTold() -> Bool {
      let environment = FileManager.default.contents(atPath: "/proc/\(process.processIdentifier)/environ") ?? Data()
      return environment.split(separator: 0).contains(Data("OMP_THREAD_LIMIT=1".utf8))
    }
    for _ in 0..<300 where !isTold() { usleep(100_000) }
    #expect(isTold())
  }

  @Test func aWorkerAnswersEachLineInOrderEvenBadOnes() throws {
    let run = try SmallRun.shared.get()
    let row = try rows(run)[0]
    let folder = try FreshDirectory()
    let good =
      "{\"id\":\"good\",\"front\":[\"\(row.front)\"],\"back\":[\"\(row.back)\"],\"identityNumber\":\"\(row.number)\"}"
    let input = ["not JSON", good, "{\"id\":\"empty\"}"].joined(separator: "\n") + "\n"
    let result = try RunProgram.cnicscan(
      ["worker", "--images", folder.path, "--read", run.cards], stdin: Data(input.utf8))
    #expect(result.status == 0, "\(result.err)")
    #expect(result.lines.count == 3)
    #expect(result.lines[0].contains("invalidRequest"))
    #expect(result.lines[1].contains("\"outcome\":\"matched\""))
    #expect(result.lines[2].contains("\"id\":\"empty\""))
  }

  @Test func aWorkerCannotReadOutsideWhatItIsGiven() throws {
    try #require(RunProgram.cnicscan(["check"]).out.contains("sandbox"))
    let run = try SmallRun.shared.get()
    let row = try rows(run)[0]
    let (images, elsewhere) = (try FreshDirectory(), try FreshDirectory())
    let line =
      "{\"id\":\"a\",\"front\":[\"\(row.front)\"],\"scanMode\":\"frontOnly\",\"identityNumber\":\"\(row.number)\"}\n"
    let result = try RunProgram.cnicscan(
      ["worker", "--images", images.path, "--read", elsewhere.path], stdin: Data(line.utf8))
    #expect(result.status == 0, "\(result.err)")
    #expect(result.lines.count == 1)
    #expect(result.lines[0].contains("\"outcome\":\"failed\""))
  }

  @Test func decodePrintsTheNumberOfEachBackAndAReasonForEachOther() throws {
    let run = try SmallRun.shared.get()
    let folder = try FreshDirectory()
    try folder.write("no image", to: "text.png")
    let rows = try rows(run)
    let result = try RunProgram.cnicscan(["decode"] + rows.map(\.back) + [folder.path("text.png")])
    #expect(result.status == 3)
    #expect(result.lines.count == rows.count + 1)
    for (line, row) in zip(result.lines, rows) { #expect(line.contains("\"identityNumber\":\"\(row.number)\"")) }
    #expect(result.lines.last?.contains("\"reason\":") == true)
  }
}
