/// Every status that the command can exit with: sysexits' numbers where one fits. This is the one place that maps them;
/// the help, the man page and README quote `meaning` and `remedy`.
package enum ExitStatus: Int32, CaseIterable, Sendable {
  case complete = 0
  case completeWithFailures = 3
  case usage = 64
  case noInput = 66
  case engineMissing = 69
  case internalError = 70
  case cannotCreateOutput = 73
  case outputFailure = 74
  case temporaryFailure = 75
  case badDefinition = 78

  /// What it says, in a line.
  package var meaning: String {
    switch self {
    case .complete: "complete: every pair has its result"
    case .completeWithFailures: "complete, but some pairs failed (or ended as --fail-on names)"
    case .usage: "wrong usage"
    case .noInput: "no such input, or it cannot be read"
    case .engineMissing: "a library, model or language data is missing"
    case .internalError: "the accounts do not add up, or an internal error"
    case .cannotCreateOutput: "the output cannot be created"
    case .outputFailure: "input/output error, for example a full disk"
    case .temporaryFailure: "stopped early and resumable, or another run holds the lock"
    case .badDefinition: "bad pipeline definition"
    }
  }

  /// What an operator does about it.
  package var remedy: String {
    switch self {
    case .complete: "nothing"
    case .completeWithFailures: "look at report.html or run `cnicscan review OUT`"
    case .usage: "see `cnicscan COMMAND --help`"
    case .noInput: "mend the path, or mount the disk"
    case .engineMissing: "run `cnicscan check`, which names the command that mends it"
    case .internalError: "keep OUT as it is and report it"
    case .cannotCreateOutput: "mend the path or its permissions"
    case .outputFailure: "free the disk and start the same command again: it resumes"
    case .temporaryFailure: "start the same command again: it resumes"
    case .badDefinition: "mend the definition at the place that is named"
    }
  }
}

/// Why a command could not do its work: a status and a sentence for stderr that says what failed and what to do. The
/// sentence never holds anything read from a card.
package struct CommandFailure: Error, Equatable {
  package let status: ExitStatus
  package let message: String

  package init(_ status: ExitStatus, _ message: String) {
    (self.status, self.message) = (status, message)
  }
}
