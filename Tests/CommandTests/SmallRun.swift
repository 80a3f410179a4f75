import Foundation
import TestSupport

/// Drawn cards and a run over them, made once for all tests that only read them.
struct SmallRun: Sendable {
  let folder: FreshDirectory
  let count = 6
  var cards: String { folder.path("cards") }
  var manifest: String { folder.path("cards/manifest.csv") }
  var output: String { folder.path("out") }
  var latest: String { folder.path("out/latest") }
  let result: ProgramResult

  /// A debug build on a busy machine takes its time; no test here is about the time limit.
  static let patience = ["--seconds-per-pair", "600"]

  static let shared: Result<SmallRun, any Error> = Result { try SmallRun() }

  private init() throws {
    folder = try FreshDirectory()
    let drawn = try RunProgram.cnicscan([
      "specimens", "--count", "\(count)", "--seed", "71", "--level", "clean", "--output", folder.path("cards"),
      "--quiet",
    ])
    guard drawn.status == 0 else {
      throw CocoaError(.fileWriteUnknown, userInfo: [NSLocalizedDescriptionKey: drawn.err])
    }
    result = try RunProgram.cnicscan([
      "run", "--manifest", folder.path("cards/manifest.csv"), "--output", folder.path("out"),
    ])
  }
}
