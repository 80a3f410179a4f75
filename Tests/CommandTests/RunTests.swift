import Foundation
import TestSupport
import Testing

/// Whole runs over drawn cards.
@Suite struct RunTests {
  private func copy(_ run: SmallRun, to folder: FreshDirectory) throws {
    try FileManager.default.copyItem(atPath: run.cards, toPath: folder.path("cards"))
  }

  @Test func aRunWithoutAnAudienceIsSilentWhenAllIsWell() throws {
    let run = try SmallRun.shared.get()
    #expect(run.result.status == 0, "\(run.result.err)")
    #expect(run.result.out.isEmpty)
    #expect(run.result.err.isEmpty)
  }

  @Test func theFilesOfARunAreThereAndForTheirOwnerAlone() throws {
    let run = try SmallRun.shared.get()
    for name in ["results.ndjson", "events.ndjson", "rescan.csv", "summary.json", "timings.ndjson", "log.ndjson"] {
      #expect(FileManager.default.fileExists(atPath: run.latest + "/" + name), "\(name)")
    }
    for (path, mode) in [(run.output, 0o700), (run.output + "/images", 0o700), (run.latest + "/results.ndjson", 0o600)]
    {
      let attributes = try FileManager.default.attributesOfItem(atPath: (path as NSString).resolvingSymlinksInPath)
      #expect((attributes[.posixPermissions] as? Int).map { $0 & 0o777 } == mode, "\(path)")
    }
    let lines = try String(contentsOfFile: run.latest + "/results.ndjson", encoding: .utf8).split(separator: "\n")
    #expect(lines.count == run.count)
  }

  @Test func aSecondRunHasNothingToDo() throws {
    let run = try SmallRun.shared.get()
    let before = try FileManager.default.contentsOfDirectory(atPath: run.output + "/runs")
    let again = try RunProgram.cnicscan(["run", "--manifest", run.manifest, "--output", run.output, "--summary"])
    #expect(again.status == 0, "\(again.err)")
    #expect(again.err.contains("nothing new: \(run.count) pairs"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: run.output + "/runs") == before)
  }

  /// As a kill between a run's end and its page leaves it.
  @Test func aReportThatIsMissingIsWrittenThoughNothingIsNew() throws {
    let run = try SmallRun.shared.get()
    let folder = try FreshDirectory()
    try FileManager.default.copyItem(atPath: run.output, toPath: folder.path("out"))
    let page = URL(fileURLWithPath: folder.path("out/latest")).resolvingSymlinksInPath().path + "/report.html"
    try FileManager.default.removeItem(atPath: page)
    let again = try RunProgram.cnicscan(["run", "--manifest", run.manifest, "--output", folder.path("out")])
    #expect(again.status == 0 && again.err.isEmpty, "\(again.err)")
    #expect(FileManager.default.fileExists(atPath: page))
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out/runs")).count == 1)
  }

  @Test func oneWorkerAndFourWriteTheSameBytes() throws {
    let run = try SmallRun.shared.get()
    let folder = try FreshDirectory()
    try copy(run, to: folder)
    var results: [Data] = []
    for jobs in ["1", "4"] {
      // The same output path for both: paths of saved images stand in the results.
      let output = folder.path("out")
      let done = try RunProgram.cnicscan(
        ["run", "-m", folder.path("cards/manifest.csv"), "-o", output, "-j\(jobs)"] + SmallRun.patience)
      #expect(done.status == 0, "\(done.err)")
      results.append(try Data(contentsOf: URL(fileURLWithPath: output + "/latest/results.ndjson")))
      try FileManager.default.removeItem(atPath: output)
    }
    #expect(results[0] == results[1])
    #expect(!results[0].isEmpty)
  }

  @Test func aDirectoryIsReadByNameWithItsIdentities() throws {
    let run = try SmallRun.shared.get()
    let folder = try FreshDirectory()
    try copy(run, to: folder)
    let rows = try String(contentsOfFile: run.manifest, encoding: .utf8).split(separator: "\n").dropFirst()
    let identities = rows.map { row in
      let cells = row.split(separator: ",")
      return "\(cells[0]),\(cells[3])"
    }
    try folder.write((["id,identityNumber"] + identities).joined(separator: "\n") + "\n", to: "identities.csv")
    let result = try RunProgram.cnicscan(
      [
        "run", "--input", folder.path("cards"), "--identities", folder.path("identities.csv"), "--output",
        folder.path("out"),
        "--summary",
      ] + SmallRun.patience)
    #expect(result.status == 0, "\(result.err)")
    let lines = try folder.text(of: "out/latest/results.ndjson").split(separator: "\n")
    #expect(lines.count == run.count)
    #expect(lines.allSatisfy { $0.contains("\"outcome\":\"matched\"") })
  }

  @Test func aMismatchExits3OnlyWhenAskedTo() throws {
    let run = try SmallRun.shared.get()
    let folder = try FreshDirectory()
    try copy(run, to: folder)
    var rows = try folder.text(of: "cards/manifest.csv").split(separator: "\n").prefix(2).map(String.init)
    rows[1] = rows[1].split(separator: ",").prefix(3).joined(separator: ",") + ",42101-0000001-7"
    try folder.write(rows.joined(separator: "\n") + "\n", to: "cards/one.csv")
    let base = ["run"] + SmallRun.patience + ["--manifest", folder.path("cards/one.csv"), "--output"]
    #expect(try RunProgram.cnicscan(base + [folder.path("a")]).status == 0)
    let asked = try RunProgram.cnicscan(base + [folder.path("b"), "--fail-on", "mismatched|rescanBack"])
    #expect(asked.status == 3)
    #expect(asked.err.contains("exit status 3"))
    #expect(asked.err.contains("complete, but 1 of 1 pairs need a person: 1 mismatched"), "\(asked.err)")
    #expect(!asked.err.contains("42101"), "no number in a message")
    #expect(try folder.text(of: "b/latest/results.ndjson").contains("\"distance\":1"))
  }

  @Test func imagesOutsideTheManifestsFolderNeedTheirRootNamed() throws {
    let run = try SmallRun.shared.get()
    let folder = try FreshDirectory()
    let cells = try String(contentsOfFile: run.manifest, encoding: .utf8).split(separator: "\n")[1].split(
      separator: ",")
    let row = "\(cells[0]),\(run.cards)/\(cells[1]),\(run.cards)/\(cells[2]),\(cells[3])"
    let manifest = try folder.write("id,front,back,identityNumber\n\(row)\n", to: "m.csv")
    let base = ["run"] + SmallRun.patience + ["-m", manifest, "-o"]
    #expect(try RunProgram.cnicscan(base + [folder.path("a")]).status == 3)
    #expect(try folder.text(of: "a/latest/results.ndjson").contains("pathOutsideInput"))
    let named = try RunProgram.cnicscan(base + [folder.path("b"), "--input-root", run.cards])
    #expect(named.status == 0, "\(named.err)")
    #expect(try folder.text(of: "b/latest/results.ndjson").contains("\"outcome\":\"matched\""))
  }

  @Test func aDryRunCountsAndWritesNothing() throws {
    let run = try SmallRun.shared.get()
    let folder = try FreshDirectory()
    let result = try RunProgram.cnicscan(["run", "-m", run.manifest, "-o", folder.path("out"), "--dry-run"])
    #expect(result.status == 0, "\(result.err)")
    #expect(result.out.contains("to be scanned: \(run.count)"))
    #expect(!folder.exists("out/runs"))
  }

  @Test func anInputThatIsNotThereExitsWith66() throws {
    let folder = try FreshDirectory()
    let result = try RunProgram.cnicscan(["run", "-i", folder.path("nothing"), "-o", folder.path("out")])
    #expect(result.status == 66)
    #expect(result.err.contains("exit status 66"))
  }

  @Test func anOutputThatCannotBeMadeExitsWith73() throws {
    let run = try SmallRun.shared.get()
    let result = try RunProgram.cnicscan(["run", "-m", run.manifest, "-o", "/proc/out"])
    #expect(result.status == 73, "\(result.err)")
  }

  @Test func iosDeliveryWritesDelegateCalls() throws {
    let run = try SmallRun.shared.get()
    let folder = try FreshDirectory()
    let result = try RunProgram.cnicscan(
      ["run", "-m", run.manifest, "-o", folder.path("out"), "--delivery", "ios"] + SmallRun.patience)
    #expect(result.status == 0, "\(result.err)")
    let events = try folder.text(of: "out/latest/events.ndjson")
    #expect(events.contains("\"method\":\"handleResponse\""))
    #expect(events.contains("Ocr initialized"))
    #expect(!events.contains("FRONT_SUCCESS"))
  }
}
