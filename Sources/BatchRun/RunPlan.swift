internal import CardModel
internal import Foundation
internal import Glibc
internal import RecordFormats

/// Which run this is: one to resume, or a new one.
struct RunPlan: Sendable {
  let run: LedgerRun
  let isResumed: Bool
  let redo: RedoRule

  /// Decides, and sweeps what an interrupted run left.
  init(_ settings: RunSettings, ledger: Ledger, folder: OutputFolder, fingerprints: Fingerprints, input: RunInput)
    throws(RunError)
  {
    let key = Self.key(settings, fingerprints: fingerprints, input: input)
    let last = try ledger.lastRun()
    if let last, last.state == "running" {
      // The same input and settings: go on. `--fresh` again means to finish the fresh run that was begun.
      if last.key == key, last.fresh || !settings.fresh {
        var last = last
        if !RunFiles.areWhole(folder: folder.run(last.folder), lengths: last.lengths) {
          try ledger.forgetPairs(ofRun: last.number)
          last.lengths = RunLengths()
        }
        try Self.sweepAfterInterruption(folder, ledger: ledger)
        run = last
        isResumed = true
        redo = RedoRule(fresh: last.fresh, retryFailed: last.retryFailed)
        return
      }
      try ledger.setState("abandoned", ofRun: last.number)
      try Self.sweepAfterInterruption(folder, ledger: ledger)
    } else {
      try folder.sweep()
    }
    run = LedgerRun(
      number: (last?.number ?? 0) + 1, folder: Self.freshFolder(folder), key: key, fresh: settings.fresh,
      retryFailed: settings.retryFailed, state: "running", lengths: RunLengths())
    isResumed = false
    redo = RedoRule(fresh: settings.fresh, retryFailed: settings.retryFailed)
  }

  static func sweepAfterInterruption(_ folder: OutputFolder, ledger: Ledger) throws(RunError) {
    try folder.sweep()
    try removeUnnamedImages(folder, ledger: ledger)
  }

  /// Images that no entry names are of pairs that were not finished, or whose workers died. No time is asked for: clocks are set
  /// back, and file systems of other machines have their own. Called where no worker is at work.
  static func removeUnnamedImages(_ folder: OutputFolder, ledger: Ledger) throws(RunError) {
    var images = ImageCensus()
    try folder.eachImage { images.add($0) }
    images.sort()
    let statement = try ledger.database.prepare("SELECT images FROM pairs WHERE images <> ''")
    while try statement.step() {
      for name in statement.text(0).split(separator: "/") { images.note(String(name)) }
    }
    try folder.eachImage { name in if !images.isNoted(name) { unlink(folder.images + "/" + name) } }
  }

  private static func key(_ settings: RunSettings, fingerprints: Fingerprints, input: RunInput) -> [UInt8] {
    var builder = DigestBuilder()
    builder.add(fingerprints.settings.bytes)
    builder.add(text: input.path)
    builder.add(text: settings.scanMode.rawValue)
    builder.add(number: Int64(settings.imageWidthPixels))
    builder.add(number: Int64(settings.shard?.index ?? 0))
    builder.add(number: Int64(settings.shard?.count ?? 1))
    return builder.finish().bytes
  }

  /// `2026-11-30T07-43-45Z`, with `-2` and so on where a run of that second exists.
  private static func freshFolder(_ folder: OutputFolder) -> String {
    let style = Date.ISO8601FormatStyle(
      dateSeparator: .dash, dateTimeSeparator: .standard, timeSeparator: .omitted, timeZone: .gmt)
    let stamp = Date().formatted(style)
    var name = stamp
    var number = 1
    while access(folder.run(name), F_OK) == 0 {
      number += 1
      name = "\(stamp)-\(number)"
    }
    return name
  }
}
