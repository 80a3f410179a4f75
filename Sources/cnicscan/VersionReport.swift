internal import BatchRun
internal import CNICScan
internal import Foundation

/// `cnicscan --version`: this program's version, and with `--json` those of everything that shapes results.
enum VersionReport {
  static func print(asJSON: Bool) throws(CommandFailure) -> ExitStatus {
    try Terminal.write(asJSON ? try json() : "cnicscan \(EngineVersions.program)\n")
    return .complete
  }

  private static func json() throws(CommandFailure) -> String {
    let versions: [String: String]
    do { versions = try EngineVersions.all() } catch { throw CommandFailure(.engineMissing, "\(error)") }
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
      return String(decoding: try encoder.encode(versions), as: UTF8.self) + "\n"
    } catch {
      throw CommandFailure(.internalError, "the versions cannot be written as JSON")
    }
  }
}
