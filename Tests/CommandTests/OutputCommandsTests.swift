import Foundation
import TestSupport
import Testing

/// What is done with an output after its runs: report, review, export, purge.
@Suite struct OutputCommandsTests {
  /// A copy of the small run's output, to change.
  private func output() throws -> (folder: FreshDirectory, path: String, ids: [String]) {
    let run = try SmallRun.shared.get()
    let folder = try FreshDirectory()
    try FileManager.default.copyItem(atPath: run.output, toPath: folder.path("out"))
    let rows = try String(contentsOfFile: run.manifest, encoding: .utf8).split(separator: "\n").dropFirst()
    return (folder, folder.path("out"), rows.compactMap { $0.split(separator: ",").first.map(String.init) })
  }

  @Test func aRunHasItsReportWithNumbersMasked() throws {
    let run = try SmallRun.shared.get()
    let page = try String(contentsOfFile: run.latest + "/report.html", encoding: .utf8)
    let number = try #require(
      String(contentsOfFile: run.manifest, encoding: .utf8).split(separator: "\n")[1].split(separator: ",").last)
    #expect(page.contains("<html"))
    #expect(!page.contains(number))
  }

  @Test func reportWritesThePageAnewAndPrintsTheSummary() throws {
    let (folder, path, ids) = try output()
    let page = URL(fileURLWithPath: path + "/latest").resolvingSymlinksInPath().appendingPathComponent(
      "report.html")
    try FileManager.default.removeItem(at: page)
    let result = try RunProgram.cnicscan(["report", "out"], in: folder.path)
    #expect(result.status == 0, "\(result.err)")
    #expect(result.out.isEmpty)
    #expect(result.err.contains("every pair is accounted for: \(ids.count)"))
    #expect(FileManager.default.fileExists(atPath: page.path))
    #expect(try RunProgram.cnicscan(["report", "nowhere"], in: folder.path).status == 66)
  }

  @Test func aReviewIsWrittenImportedOnceAndExported() throws {
    let (folder, path, ids) = try output()
    let review = try RunProgram.cnicscan(["review", path, "--sample", "100%"])
    #expect(review.status == 0, "\(review.err)")
    #expect(folder.exists("out/review/index.html"))
    #expect(review.err.hasPrefix("\(ids.count) pairs to look at"))

    let run = URL(fileURLWithPath: path + "/latest").resolvingSymlinksInPath().lastPathComponent
    let decision =
      "{\"corrections\":{\"name\":\"Nobody At All\"},\"decidedAt\":\"2026-01-02T03:04:05Z\",\"decision\":\"corrected\","
      + "\"id\":\"\(ids[0])\",\"run\":\"\(run)\",\"schemaVersion\":1}\n"
    try folder.write(decision, to: "decisions.ndjson")
    let command = ["review", path, "--import", folder.path("decisions.ndjson"), "--reviewer", "A. Khan"]
    #expect(try RunProgram.cnicscan(Array(command.dropLast(2))).status == 64, "a reviewer is needed")
    #expect(try RunProgram.cnicscan(command).err.contains("recorded 1 decisions; 0"))
    #expect(try RunProgram.cnicscan(command).err.contains("recorded 0 decisions; 1"))

    let lines = try RunProgram.cnicscan(["export", path]).lines
    #expect(lines.count == ids.count)
    #expect(lines[0].contains("\"reviewer\":\"A. Khan\"") && lines[0].contains("Nobody At All"))
    let table = try RunProgram.cnicscan(["export", path, "--format", "csv"]).lines
    #expect(table.count == ids.count + 1)
    #expect(table[1].contains("Nobody At All") && table[1].hasSuffix("corrected,A. Khan"))
  }

  /// As a full disk or a kill leaves it: the torn line was never said to be recorded, and those before and after it stand.
  @Test func aTornDecisionHindersNoOther() throws {
    let (folder, path, ids) = try output()
    func decision(_ id: String) -> String {
      #"{"decidedAt":"2026-01-02T03:04:05Z","decision":"accepted","id":"\#(id)","run":"r","schemaVersion":1}"#
    }
    func record(_ id: String) throws -> String {
      try folder.write(decision(id) + "\n", to: "decisions.ndjson")
      return try RunProgram.cnicscan([
        "review", path, "--import", folder.path("decisions.ndjson"), "--reviewer", "A. Khan",
      ]).err
    }
    #expect(try record(ids[0]).contains("recorded 1 decisions"))
    let whole = try folder.text(of: "out/decisions.ndjson")
    try folder.write(whole + whole.dropLast(9), to: "out/decisions.ndjson")
    #expect(try RunProgram.cnicscan(["export", path]).status == 0)
    #expect(try record(ids[1]).contains("recorded 1 decisions"))
    let lines = try folder.text(of: "out/decisions.ndjson").split(separator: "\n")
    #expect(lines.count == 2 && lines[1].contains(ids[1]))
    let many = try folder.write((2..<40).map { decision("x\($0)") + "\n" }.joined(), to: "many")
    let command = [try RunProgram.builtCommand().path, "review", path, "--import", many, "--reviewer", "A. Khan"]
    let limited = try RunProgram.run("/bin/sh", ["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\" \"$@\""] + command)
    #expect(limited.status != 0)
    #expect(try folder.text(of: "out/decisions.ndjson").split(separator: "\n") == lines, "all of them or none")
  }

  /// Whoever closes a standard stream has the next file opened in its place: what is said to people must not go there.
  @Test(arguments: ["2>&-", "<&- >&- 2>&-"])
  func whatIsSaidGoesIntoNoFileWhereStandardErrorIsClosed(_ redirection: String) throws {
    let run = try SmallRun.shared.get()
    let folder = try FreshDirectory()
    let program = try RunProgram.builtCommand().path
    // The run warns while its lock, the first file that it opens, is held.
    let script = "\"$0\" run -m \"$1\" -o \"$2\" --scan-mode backOnly --sandbox off \(redirection)"
    #expect(try RunProgram.run("/bin/sh", ["-c", script, program, run.manifest, folder.path("out")]).status == 0)
    #expect(try Int(folder.text(of: "out/.lock").dropLast()) != nil)
    let export = "\"$0\" export \"$1\" \(redirection) >&-"
    #expect(try RunProgram.run("/bin/sh", ["-c", export, program, folder.path("out")]).status == 74)
  }

  @Test func aWrongDecisionRecordsNothingAndNamesItsLine() throws {
    let (folder, path, _) = try output()
    try folder.write("{\"id\":\"x\"}\n", to: "decisions.ndjson")
    let result = try RunProgram.cnicscan([
      "review", path, "--import", folder.path("decisions.ndjson"), "--reviewer", "A. Khan",
    ])
    #expect(result.status == 66)
    #expect(result.err.contains("line 1"))
    #expect(!folder.exists("out/decisions.ndjson"))
  }

  @Test func aPurgedPersonIsInNoFileAnyMore() throws {
    let (folder, path, ids) = try output()
    let run = URL(fileURLWithPath: path + "/latest").resolvingSymlinksInPath().lastPathComponent
    try folder.write(
      "{\"decidedAt\":\"2026-01-02T03:04:05Z\",\"decision\":\"accepted\",\"id\":\"\(ids[0])\",\"run\":\"\(run)\","
        + "\"schemaVersion\":1}\n", to: "decisions.ndjson")
    try RunProgram.cnicscan(["review", path, "--import", folder.path("decisions.ndjson"), "--reviewer", "A. Khan"])
    try RunProgram.cnicscan(["review", path, "--sample", "100%"])
    let result = try RunProgram.cnicscan(["purge", path, "--id", ids[0]])
    #expect(result.status == 0, "\(result.err)")
    #expect(result.err.hasPrefix("removed 1 pairs"))
    let found = try RunProgram.run(
      "/bin/grep", ["--recursive", "--files-with-matches", "--binary-files=text", ids[0], path])
    #expect(found.out.isEmpty, "\(found.out)")
    #expect(try RunProgram.cnicscan(["export", path]).lines.count == ids.count - 1)
  }

  /// Its events name no image: they must be found all the same, by the reviewer and by whoever removes the person.
  @Test func aPairOfIOSWithoutAResultIsShownAndPurgedWithItsImage() throws {
    let run = try SmallRun.shared.get()
    let folder = try FreshDirectory()
    let rows = try String(contentsOfFile: run.manifest, encoding: .utf8).split(separator: "\n")
    let front = rows[1].split(separator: ",")[1]
    try folder.write(
      "id,front,back,identityNumber\nalone,\(front),,42101-0000001-7\n", to: "cards/manifest.csv")
    try FileManager.default.copyItem(atPath: run.cards + "/" + front, toPath: folder.path("cards/\(front)"))
    let scanned = try RunProgram.cnicscan(
      ["run", "-m", folder.path("cards/manifest.csv"), "-o", folder.path("out"), "--delivery", "ios"]
        + SmallRun.patience)
    #expect(scanned.status == 0, "\(scanned.err)")
    let images = try FileManager.default.contentsOfDirectory(atPath: folder.path("out/images"))
    let image = try #require(images.first)
    #expect(images.count == 1)
    #expect(try RunProgram.cnicscan(["review", folder.path("out")]).status == 0)
    let page = try String(contentsOfFile: folder.path("out/review/page-00001.html"), encoding: .utf8)
    #expect(page.contains("\"front\":\"../images/\(image)\"") && page.contains("\"expected\":\"42101-0000001-7\""))
    #expect(try RunProgram.cnicscan(["purge", folder.path("out"), "--id", "alone"]).status == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out/images")).isEmpty)
  }

  @Test(arguments: [[], ["--older-than", "soon"], ["--older-than", "1d", "--id", "x"]])
  func purgeWantsOneClearChoice(_ arguments: [String]) throws {
    let (_, path, _) = try output()
    #expect(try RunProgram.cnicscan(["purge", path] + arguments).status == 64)
  }
}
