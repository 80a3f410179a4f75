internal import BatchRun

/// Why a command could not do its work: a status and a sentence for stderr that says what failed and what to do. The
/// sentence never holds anything read from a card.
struct CommandFailure: Error, Equatable {
  let status: ExitStatus
  let message: String

  init(_ status: ExitStatus, _ message: String) {
    (self.status, self.message) = (status, message)
  }

  /// A run that could not start or go on.
  init(_ error: RunError) { self.init(error.status, error.message) }
}
