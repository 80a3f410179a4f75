internal import RecordFormats

extension OutputFolder {
  /// Folders of runs that the ledger does not know, since somebody moved an earlier one away: persons stand in them all the same.
  func unknownRuns(_ ledger: Ledger) throws(RunError) -> [LedgerRun] {
    let known = Set(try ledger.allRuns().map { ExactText($0.folder) })
    var unknown: [LedgerRun] = []
    try OutputFolder.eachName(in: runs) { name in
      guard !known.contains(ExactText(name)) else { return }
      func length(_ file: String) -> Int {
        var stat = FileStat()
        return stat.look(at: run(name) + "/" + file, followingLinks: false) == nil ? stat.size : 0
      }
      let lengths = RunLengths(
        results: length("results.ndjson"), events: length("events.ndjson"), rescan: length("rescan.csv"),
        timings: length("timings.ndjson"))
      // A number that no run has: the ledger is told nothing of it.
      unknown.append(
        LedgerRun(
          number: -1 - unknown.count, folder: name, key: [], fresh: false, retryFailed: false, state: "complete",
          lengths: lengths))
    }
    return unknown
  }
}
