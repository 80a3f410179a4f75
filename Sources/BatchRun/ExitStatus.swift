/// How the command ends: DESIGN 5, after sysexits(3). The one place where a status is given its number.
package enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Everything is done.
  case complete = 0
  /// Everything is done, but some pairs ended in an outcome that `failOn` names (by default `failed`).
  case completeWithFailures = 3
  case usage = 64
  /// The input named does not exist or cannot be read.
  case noInput = 66
  /// An engine, its language data or a demanded sandbox is missing.
  case engineMissing = 69
  /// The counts do not add up, or a fault of our own.
  case internalError = 70
  case cannotCreateOutput = 73
  /// Writing failed, e.g. the disk is full. Resumable.
  case outputFailure = 74
  /// Stopped early and resumable, or another run holds the output folder.
  case temporaryFailure = 75
  /// The pipeline definition is bad.
  case badDefinition = 78

  /// One line for people: what it means and what to do.
  package var meaning: String {
    switch self {
    case .complete: "complete"
    case .completeWithFailures: "complete, but some pairs failed, or ended as --fail-on names"
    case .usage: "the command line is wrong"
    case .noInput: "the input does not exist or cannot be read"
    case .engineMissing: "an engine, its language data or the sandbox is missing: run cnicscan check"
    case .internalError: "internal or accounting error: please report it"
    case .cannotCreateOutput: "the output folder cannot be made or written"
    case .outputFailure: "writing failed, e.g. the disk is full: run again once that is mended"
    case .temporaryFailure: "stopped early or the output folder is in use: run again to resume"
    case .badDefinition: "the pipeline definition is wrong"
    }
  }
}

/// Why a run cannot start or go on: an exit status and a sentence for its operator. It never holds anything of a card.
package struct RunError: Error, Sendable, Equatable, CustomStringConvertible {
  package var status: ExitStatus
  package var message: String
  package init(_ status: ExitStatus, _ message: String) {
    self.status = status
    self.message = message
  }
  package var description: String { message }
}
