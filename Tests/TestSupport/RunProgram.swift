package import Foundation

/// What a program that ran to its end left behind.
package struct ProgramResult: Sendable {
  /// The exit status, or 128 + the signal that ended it, as shells say it.
  package let status: Int32
  package let stdout: Data
  package let stderr: Data
  package var out: String { String(decoding: stdout, as: UTF8.self) }
  package var err: String { String(decoding: stderr, as: UTF8.self) }
  /// Standard output in lines, the line ends left out.
  package var lines: [String] { out.split(separator: "\n").map(String.init) }
}

/// Runs programs for tests: no shell, nothing inherited on stdin, both outputs captured.
package enum RunProgram {
  /// The built `cnicscan`: it stands beside the test bundle that is running.
  package static func builtCommand() throws -> URL {
    let bundle = try URL(fileURLWithPath: FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    let candidates = [
      bundle.deletingLastPathComponent(), repository.appendingPathComponent(".build/release"),
      repository.appendingPathComponent(".build/debug"),
    ]
    for folder in candidates {
      let program = folder.appendingPathComponent("cnicscan")
      if FileManager.default.isExecutableFile(atPath: program.path) { return program }
    }
    throw CocoaError(.fileNoSuchFile, userInfo: [NSLocalizedDescriptionKey: "cnicscan is not built: swift build"])
  }

  /// The root of the source tree.
  package static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Runs the built command.
  @discardableResult
  package static func cnicscan(
    _ arguments: [String], in directory: String? = nil, stdin: Data = Data(), environment: [String: String] = [:]
  ) throws -> ProgramResult {
    try run(builtCommand().path, arguments, in: directory, stdin: stdin, environment: environment)
  }

  /// Whether a program is installed, for tests of outside tools.
  package static func find(_ name: String) -> String? {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let folders = path.split(separator: ":").map(String.init) + ["/usr/sbin", "/sbin"]
    return folders.map { $0 + "/" + name }.first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// - Parameter environment: added to the test's own.
  package static func run(
    _ program: String, _ arguments: [String], in directory: String? = nil, stdin: Data = Data(),
    environment: [String: String] = [:]
  ) throws -> ProgramResult {
    let scratch = try FreshDirectory()
    try stdin.write(to: scratch.url.appendingPathComponent("stdin"))
    for name in ["stdout", "stderr"] { try scratch.write("", to: name) }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    if let directory { process.currentDirectoryURL = URL(fileURLWithPath: directory) }
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let input = try FileHandle(forReadingFrom: scratch.url.appendingPathComponent("stdin"))
    let output = try FileHandle(forWritingTo: scratch.url.appendingPathComponent("stdout"))
    let errors = try FileHandle(forWritingTo: scratch.url.appendingPathComponent("stderr"))
    (process.standardInput, process.standardOutput, process.standardError) = (input, output, errors)
    try process.run()
    process.waitUntilExit()
    let signalled = process.terminationReason == .uncaughtSignal
    return ProgramResult(
      status: signalled ? 128 + process.terminationStatus : process.terminationStatus,
      stdout: try Data(contentsOf: scratch.url.appendingPathComponent("stdout")),
      stderr: try Data(contentsOf: scratch.url.appendingPathComponent("stderr")))
  }
}
