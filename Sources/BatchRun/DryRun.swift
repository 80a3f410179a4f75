internal import CardModel
internal import Glibc

/// What a run would do, without doing it: nothing is made or written.
struct DryRun {
  private let settings: RunSettings

  init(_ settings: RunSettings) { self.settings = settings }

  func run() throws(RunError) -> RunOutcome {
    let input = try RunInput(settings)
    let ledgerPath = settings.output + "/ledger.sqlite"
    let lookup = access(ledgerPath, R_OK) == 0 ? try LedgerLookup(try Ledger(reading: ledgerPath)) : nil
    let redo = RedoRule(fresh: settings.fresh, retryFailed: settings.retryFailed)
    let fingerprints = Fingerprints(settings)
    var preparer = ItemPreparer(
      lookup: lookup, fingerprints: fingerprints, redo: redo, resumedRun: nil, confinement: input.confinement(settings))
    var source = try input.open(settings, output: settings.output)
    var outcome = RunOutcome(status: .complete)
    var position = 0
    var refused = 0
    while let pair = try source.next() {
      defer { position += 1 }
      guard settings.shard?.contains(id: pair.request.id) ?? true else { continue }
      outcome.progress.found += 1
      switch try preparer.decide(pair, position: position) {
      case .resumed: outcome.progress.resumed += 1
      case .skipped: outcome.progress.skipped += 1
      case .item(let item): if item.refusal != nil { refused += 1 }
      }
    }
    outcome.unpairedFiles = source.unpaired.count
    let toScan = outcome.progress.found - outcome.progress.skipped
    outcome.message =
      "\(outcome.progress.found) pairs found, \(outcome.progress.skipped) already done, \(toScan) to do, \(refused) of them refused; "
      + "\(outcome.unpairedFiles) files without a pair"
    return outcome
  }
}
