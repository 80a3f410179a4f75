internal import BatchRun

extension ExitStatus {
  /// What an operator does about it; the help, the man page and the README say it in these words.
  var remedy: String {
    switch self {
    case .complete: "nothing to do"
    case .completeWithFailures: "look at report.html, or at the review pages of cnicscan review OUT"
    case .usage: "see cnicscan COMMAND --help"
    case .noInput: "mend the path, or mount the disk"
    case .engineMissing: "cnicscan check names the command that mends it"
    case .internalError: "keep OUT as it is and report it"
    case .cannotCreateOutput: "mend the path or its permissions"
    case .outputFailure: "free the disk and start the same command again: it resumes"
    case .temporaryFailure: "start the same command again: it resumes"
    case .badDefinition: "mend the definition at the place that is named"
    }
  }
}
