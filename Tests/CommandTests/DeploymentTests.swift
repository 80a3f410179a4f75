import Foundation
import TestSupport
import Testing

/// The files of pipelines/deploy, each judged by the program that reads it.
@Suite struct DeploymentTests {
  private let deploy = RunProgram.repository.appendingPathComponent("pipelines/deploy")

  @Test func systemdTakesServiceAndTimer() throws {
    let folder = try FreshDirectory()
    let analyze = try #require(RunProgram.find("systemd-analyze"), "systemd is not installed: make setup-test")
    // The program must exist for the check; the installed path is replaced by the one that was built.
    let built = try RunProgram.builtCommand().path
    for name in ["cnicscan.service", "cnicscan.timer"] {
      let text = String(decoding: try Data(contentsOf: deploy.appendingPathComponent(name)), as: UTF8.self)
      let lines = text.replacing("/usr/local/bin/cnicscan", with: built).split(
        separator: "\n", omittingEmptySubsequences: false)
      try folder.write(lines.filter { !$0.hasPrefix("Documentation=") }.joined(separator: "\n"), to: name)
    }
    let result = try RunProgram.run(
      analyze, ["verify", folder.path("cnicscan.service"), folder.path("cnicscan.timer")])
    #expect(result.status == 0, "\(result.err)")
    #expect(!result.err.contains("cnicscan."), "\(result.err)")
  }

  @Test func theServiceIsHardenedAndTakesStatus3AsSuccess() throws {
    let analyze = try #require(RunProgram.find("systemd-analyze"))
    let service = deploy.appendingPathComponent("cnicscan.service")
    let text = String(decoding: try Data(contentsOf: service), as: UTF8.self)
    #expect(text.contains("SuccessExitStatus=3"))
    #expect(text.contains("PrivateNetwork=yes"))
    let result = try RunProgram.run(
      analyze, ["security", "--offline=yes", "--threshold=20", "--no-pager", service.path])
    #expect(result.status == 0, "exposure above 2.0: \(result.out.suffix(300))")
  }

  @Test func logrotateTakesItsFile() throws {
    let folder = try FreshDirectory()
    let logrotate = try #require(RunProgram.find("logrotate"), "logrotate is not installed: make setup-test")
    let file = deploy.appendingPathComponent("logrotate")
    let copy = folder.path("logrotate")
    // It refuses files that others can write, and users that this machine does not have.
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self).replacing("kyc kyc", with: "root root")
    try folder.write(text, to: "logrotate")
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy)
    let result = try RunProgram.run(logrotate, ["--debug", "--state", folder.path("state"), copy])
    #expect(result.status == 0, "\(result.err)")
    #expect(!result.err.contains("error:"), "\(result.err)")
  }

  @Test func eachLineOfTheCrontabHasFiveTimesAUserAndOurCommand() throws {
    let text = String(decoding: try Data(contentsOf: deploy.appendingPathComponent("crontab")), as: UTF8.self)
    let jobs = text.split(separator: "\n").filter { !$0.hasPrefix("#") && !$0.contains("=") }
    #expect(jobs.count == 2)
    for job in jobs {
      let words = job.split(separator: " ")
      #expect(words.prefix(5).allSatisfy { $0.allSatisfy { "0123456789*/,-".contains($0) } })
      #expect(words[5] == "kyc" && words[6] == "cnicscan")
      #expect(try CommandNames.all().contains(String(words[7])))
    }
  }
}
