internal import CardModel
internal import RecordFormats

/// What comes after the last pair: the accounts, the summary, the shard's seal, the exit status.
struct RunEnding {
  let settings: RunSettings
  let folder: OutputFolder
  let ledger: Ledger
  let fingerprints: Fingerprints
  let log: RunLog
  let traffic: RunTraffic

  /// Never throws: what fails here becomes the status.
  func outcome(of writer: inout RunWriter, stop: StopSwitch, seconds: Double) -> RunOutcome {
    var outcome = RunOutcome(status: .complete)
    do throws(RunError) {
      if let error = stop.error { throw error }
      let stopped = RunError(.temporaryFailure, "stopped by a signal: run again to resume")
      guard let end = traffic.end else { throw stopped }
      // A stop after the last pair was handed out may still have dropped some.
      let seen = writer.progress.skipped + writer.progress.resumed + writer.newlyDone
      if stop.isStopped, seen < end.issued { throw stopped }
      try writer.complete(issued: end.issued)
      // A worker that died as it saved a side leaves half an image, one that died after it an image that no record names. No purge
      // would find them.
      if traffic.replaced > 0 {
        try folder.sweepImages()
        if writer.progress.outcomes[.failed, default: 0] > 0 {
          try RunPlan.removeUnnamedImages(folder, ledger: ledger)
        }
      }
      outcome.duplicateGroups = try writeDuplicates(writer)
      outcome.unpairedFiles = end.unpaired.count
      if writer.hasRun {
        if end.unpaired.count > 0 { try replaceFile(writer.runFolder + "/unpaired.ndjson", with: end.unpaired.lines) }
        try writer.writeSummary(seconds: seconds, outcome: outcome, replaced: traffic.replaced)
      }
      if let shard = settings.shard { try seal(shard, end, changed: writer.hasRun).publish(in: folder) }
      try writer.markComplete()
      outcome.status = status(writer.progress)
      log.write(
        .info,
        "run complete: \(writer.progress.found) found, \(writer.progress.skipped) skipped, \(writer.progress.done) done"
      )
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

  /// `duplicates.ndjson`: the ids that have the same images as another one, by groups; only where there are some and a run.
  private func writeDuplicates(_ writer: RunWriter) throws(RunError) -> Int {
    let path = writer.runFolder + "/duplicates.ndjson"
    var file: GrowingFile?
    let groups = try ledger.eachDuplicate { group, key throws(RunError) in
      guard writer.hasRun else { return }
      let target = if let file { file } else { try GrowingFile(path: path, acknowledged: 0) }
      file = target
      target.append(JSONWriter.line(.object([.init("group", .int(group)), .init("id", .string(key))])) + [0x0A])
      if target.end - target.durable > 1 << 20 { try target.sync() }
    }
    try file?.sync()
    return groups
  }

  private func status(_ progress: RunProgress) -> ExitStatus {
    settings.failOn.contains { progress.outcomes[$0, default: 0] > 0 } ? .completeWithFailures : .complete
  }

  /// - Parameter changed: whether pairs were scanned in this run, before it was resumed or since.
  private func seal(_ shard: Shard, _ end: InputEnd, changed: Bool) throws(RunError) -> ShardSeal {
    var results = DigestBuilder()
    let rewriter = ImageFolderRewriter(from: folder.images, to: "")
    let pairs = try ResultsExport.export(folder.path) { line in
      results.add(rewriter.rewrite(line))
      results.add([0x0A])
    }
    let seal = ShardSeal(
      shard: shard, inputDigest: end.digest.hexadecimal, inputCount: end.positions,
      settings: fingerprints.settings.hexadecimal,
      delivery: settings.delivery.rawValue, imagesDirectory: folder.images, resultsDigest: results.finish().hexadecimal,
      pairs: pairs)
    // A seal of another input or version is out of date, and so is one from before this run's own work; another must agree.
    if let old = ShardSeal.existing(in: folder),
      changed || old.inputDigest != seal.inputDigest || old.settings != seal.settings
    {
      ShardSeal.remove(from: folder)
    }
    return seal
  }
}
