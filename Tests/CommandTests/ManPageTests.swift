import Foundation
import TestSupport
import Testing

@Suite struct ManPageTests {
  @Test func manTakesThePageWithoutAWarning() throws {
    let folder = try FreshDirectory()
    let page = try RunProgram.cnicscan(["help", "--man"])
    #expect(page.status == 0)
    try folder.write(page.out, to: "cnicscan.1")
    let man = try #require(RunProgram.find("man"), "man-db is not installed: make setup-test")
    let result = try RunProgram.run(
      man, ["--warnings", "--encoding=UTF-8", "--local-file", folder.path("cnicscan.1")],
      environment: ["LC_ALL": "C.UTF-8", "MANROFFSEQ": "", "MANWIDTH": "100"])
    #expect(result.status == 0)
    #expect(result.err.isEmpty, "\(result.err)")
    #expect(result.out.contains("EXIT STATUS"))
    for name in try CommandNames.all() { #expect(result.out.contains("cnicscan \(name)")) }
    #expect(result.out.contains("limits.secondsPerPair"))
  }
}
