internal import CardModel
internal import RecordFormats

/// What comes after the last pair: the accounts, the summary, the exit status.
struct RunEnding {
  let settings: RunSettings
  let folder: OutputFolder
  let ledger: Ledger
  let log: RunLog
  let traffic: RunTraffic
  let input: RunInput

  /// Never throws: what fails here becomes the status.
  func outcome(of writer: inout RunWriter, stop: StopSwitch) -> RunOutcome {
    var outcome = RunOutcome(status: .complete)
    do throws(RunError) {
      if let error = stop.error { throw error }
      guard let issued = traffic.issued else {
        throw RunError(.temporaryFailure, "stopped by a signal: run again to resume")
      }
      // A stop after the last pair was handed out may still have dropped some.
      if stop.isStopped, writer.progress.skipped + writer.progress.resumed + writer.newlyDone < issued {
        throw RunError(.temporaryFailure, "stopped by a signal: run again to resume")
      }
      try writer.complete(issued: issued)
      outcome.duplicateGroups = try ledger.duplicateGroups()
      outcome.unpairedFiles = traffic.unpaired.count
      if writer.hasRun {
        try writeSummary(writer, outcome)
        try writer.markComplete()
      }
      outcome.status = status(writer.progress)
    } catch {
      outcome.status = error.status
      outcome.message = error.message
      log.write(.error, error.message)
    }
    outcome.progress = writer.progress
    outcome.progress.total = traffic.total
    outcome.progress.workersReplaced = traffic.replaced
    outcome.folder = writer.hasRun ? writer.runFolder : nil
    return outcome
  }

  private func status(_ progress: RunProgress) -> ExitStatus {
    settings.failOn.contains { progress.outcomes[$0, default: 0] > 0 } ? .completeWithFailures : .complete
  }

  private func writeSummary(_ writer: RunWriter, _ outcome: RunOutcome) throws(RunError) {
    log.write(.info, "run complete: \(writer.progress.found) found, \(writer.progress.skipped) skipped, \(writer.progress.done) done")
  }
}
