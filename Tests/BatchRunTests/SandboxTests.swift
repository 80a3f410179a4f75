import BatchRun
import CardModel
import Foundation
import Glibc
import TestSupport
import Testing

/// What a worker can still do: by the very calls that confine it, and by the real worker.
@Suite struct SandboxTests {
  /// What a confined process was refused (errno) or could do (0).
  private static let probe = Result {
    let directory = try FreshDirectory()
    try directory.write("inside", to: "readable/inside")
    try directory.write("outside", to: "outside")
    try directory.write("x", to: "writable/old")
    try FileManager.default.createSymbolicLink(
      atPath: directory.path("readable/link"), withDestinationPath: "/etc/passwd")
    let harness = try RunProgram.builtCommand().deletingLastPathComponent().appendingPathComponent("BatchHarness").path
    let result = try RunProgram.run(harness, ["probe", directory.path("readable"), directory.path("writable")])
    let object = try JSONSerialization.jsonObject(with: result.stdout) as? [String: Int]
    return (found: object ?? [:], inside: try directory.text(of: "readable/inside"))
  }

  @Test(
    .enabled(if: SandboxSupport.ofThisKernel().landlockVersion > 0, "this kernel has no Landlock"),
    arguments: [
      "readPasswords", "readHome", "readOtherProcess", "readByLink", "readByDots", "writeReadable", "overwriteReadable",
      "writeTemporary", "moveOut", "makeFolder", "makePipe", "makeLink",
    ])
  func filesOutsideAreOutOfReach(_ attempt: String) throws {
    let code = try #require(try Self.probe.get().found[attempt])
    #expect([EACCES, EPERM, EXDEV].contains(Int32(code)), "\(attempt): \(code)")
  }

  @Test(
    .enabled(if: SandboxSupport.ofThisKernel().seccomp, "this kernel takes no seccomp filters"),
    arguments: [
      "socketInternet", "socketInternet6", "socketLocal", "socketNetlink", "kill", "newProcess", "execute", "hardLink",
    ])
  func callsThatNoReaderNeedsAreRefused(_ attempt: String) throws {
    #expect(try Self.probe.get().found[attempt] == Int(EPERM))
  }

  @Test func whatAWorkerNeedsStaysAllowed() throws {
    let (found, inside) = try Self.probe.get()
    for attempt in ["readInside", "writeInside", "renameInside", "removeInside", "thread"] {
      #expect(found[attempt] == 0, "\(attempt)")
    }
    #expect(inside == "inside")
  }

  @Test(.enabled(if: SandboxSupport.ofThisKernel().landlockVersion >= 3, "truncation is refused from Landlock 3 on"))
  func aReadableFileCannotBeCut() throws {
    #expect(try Self.probe.get().found["truncateReadable"] != 0)
  }

  /// A worker, asked for a pair; its answers, and what the kernel says of its confinement meanwhile.
  private func worker(_ arguments: [String], requests: [String]) throws -> (answers: [String], status: String) {
    let process = Process()
    process.executableURL = try RunProgram.builtCommand()
    process.arguments = ["worker"] + arguments
    let (input, output) = (Pipe(), Pipe())
    (process.standardInput, process.standardOutput) = (input, output)
    try process.run()
    var answers: [String] = []
    var status = ""
    for request in requests {
      try input.fileHandleForWriting.write(contentsOf: Data((request + "\n").utf8))
      var line = Data()
      while line.last != 0x0A, let byte = try output.fileHandleForReading.read(upToCount: 1) { line += byte }
      answers.append(String(decoding: line, as: UTF8.self))
      status = try String(contentsOfFile: "/proc/\(process.processIdentifier)/status", encoding: .utf8)
    }
    try input.fileHandleForWriting.close()
    process.waitUntilExit()
    return (answers, status)
  }

  @Test(.enabled(if: SandboxSupport.ofThisKernel().isComplete, "this kernel cannot confine"))
  func theRealWorkerIsConfined() throws {
    let directory = try FreshDirectory()
    let card = RunProgram.repository.appendingPathComponent("Fixtures/clean-201-00001_front.jpg")
    for place in ["inside", "outside"] {
      try directory.write("", to: "\(place)/images/x")
      try FileManager.default.copyItem(atPath: card.path, toPath: directory.path("\(place)/front.jpg"))
    }
    func request(_ front: String, images: String = "inside/images") -> String {
      #"{"id":"a","front":["\#(front)"],"scanMode":"frontOnly","identityNumber":"1234512345671","#
        + #""imagesDirectory":"\#(directory.path(images))"}"#
    }
    let (answers, status) = try worker(
      ["--images", directory.path("inside/images"), "--read", directory.path("inside")],
      requests: [
        request(directory.path("inside/front.jpg")), request(directory.path("outside/front.jpg")),
        request("/etc/passwd"),
        request(directory.path("inside/front.jpg"), images: "outside/images"),
      ])
    #expect(answers[0].contains(#""outcome":"unverified""#), "\(answers[0])")
    #expect(answers[1].contains("permissionDenied") && answers[2].contains("permissionDenied"), "\(answers[1...2])")
    #expect(answers[3].contains("outputNotWritten"), "\(answers[3])")
    #expect(status.contains("NoNewPrivs:\t1") && status.contains("Seccomp:\t2"), "\(status)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path("outside/images")) == ["x"])
  }

  @Test func checkNamesTheKernelsMeans() throws {
    let result = try RunProgram.cnicscan(["check"])
    let line = try #require(
      (result.lines + result.err.split(separator: "\n").map(String.init)).first { $0.contains("sandbox") })
    let support = SandboxSupport.ofThisKernel()
    #expect(line.contains("Landlock \(support.landlockVersion)"), "\(line)")
  }
}
