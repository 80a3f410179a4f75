import Foundation
import TestSupport
import Testing

@Suite struct CheckTests {
  @Test func everyLibraryNetworkAndTheSandboxAreNamed() throws {
    let result = try RunProgram.cnicscan(["check"])
    #expect(result.status == 0, "\(result.out)")
    for name in [
      "library vips", "library opencv", "library tesseract", "library leptonica", "library zxing", "library zbar",
      "network card.traineddata", "network eng.traineddata", "recognition", "sandbox", "cores", "memory",
    ] { #expect(result.out.contains(name), "\(name) is missing") }
    #expect(!result.out.contains("\u{1B}"), "no colours where nobody looks")
  }

  @Test func missingNetworksExit69WithTheCommandThatMendsIt() throws {
    let folder = try FreshDirectory()
    let result = try RunProgram.cnicscan(["worker", "--models", folder.path, "--images", folder.path])
    #expect(result.status == 69)
    #expect(result.out.isEmpty)
    #expect(result.err.contains("card.traineddata"))
    #expect(result.err.contains("make install"))
  }

  @Test func aFolderThatOthersCanEnterIsAWarning() throws {
    let folder = try FreshDirectory()
    try FileManager.default.createDirectory(
      atPath: folder.path("out"), withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    let result = try RunProgram.cnicscan(["check", "--output", folder.path("out")])
    #expect(result.status == 0)
    #expect(result.out.contains("chmod 0700"))
  }

  @Test func theDisksFreeSpaceIsToldInPairs() throws {
    let folder = try FreshDirectory()
    let result = try RunProgram.cnicscan(["check", "--output", folder.path("out")])
    let attributes = try FileManager.default.attributesOfFileSystem(forPath: folder.path)
    let megabytes = try #require(attributes[.systemFreeSize] as? Int) / 1_048_576
    let told = try #require(
      result.lines.first { $0.contains(" MB free") }?.split(separator: " ").lazy.compactMap { Int($0) }.first)
    // Others write to the disk meanwhile.
    #expect(abs(told - megabytes) <= megabytes / 10 + 64)
  }

  @Test func versionNamesEverythingThatShapesResults() throws {
    #expect(try RunProgram.cnicscan(["--version"]).out.hasPrefix("cnicscan 1."))
    let result = try RunProgram.cnicscan(["--version", "--json"])
    let versions = try JSONDecoder().decode([String: String].self, from: result.stdout)
    #expect(
      Set(versions.keys).isSuperset(of: [
        "cnicscan", "vips", "opencv", "tesseract", "leptonica", "zxing", "zbar", "card.traineddata",
        "second.traineddata",
        "eng.traineddata",
      ]))
  }
}
