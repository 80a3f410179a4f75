internal import CardModel
internal import Glibc
internal import RecordFormats

/// Writes what is done, in the input's order, batch by batch: see `Ledger` for the order of truth. It belongs to the thread
/// that called the run.
struct RunWriter {
  private let folder: OutputFolder
  private let ledger: Ledger
  private let writer: LedgerWriter
  private let log: RunLog
  private let started: (_ folder: String) -> Void
  private(set) var run: LedgerRun
  private var files: RunFiles?
  private var entries: [LedgerEntry] = []
  private var moved: [Moved] = []
  private var images: [String] = []
  private var tallies = RunTallies()
  private var summary = SummaryBuilder()
  private var refusedRows = 0
  private let start = MonotonicClock.now()
  private var gatheredSince: Double?
  private(set) var progress = RunProgress()
  /// What the run's counters stood at when it was resumed.
  private var pairsBefore = 0

  /// Flushed when this many pairs wait, or the first of them has waited for `flushSeconds`.
  static let flushPairs = 1024
  static let flushSeconds = 0.25

  /// - Parameter run: the one to resume, or a new one that starts with its first pair.
  init(
    folder: OutputFolder, ledger: Ledger, run: LedgerRun, isResumed: Bool, log: RunLog,
    started: @escaping (_ folder: String) -> Void
  ) throws(RunError) {
    self.folder = folder
    self.ledger = ledger
    self.run = run
    self.log = log
    self.started = started
    writer = try LedgerWriter(ledger)
    guard isResumed else { return }
    progress.outcomes = RunTallies(try ledger.tallies(ofRun: run.number)).outcomes
    pairsBefore = progress.done
    try openFiles()
    if try !readBack() { try startOver() }
  }

  /// Somebody has changed a file of the run that is resumed: it is done again from its start.
  private mutating func startOver() throws(RunError) {
    log.write(.warning, "a file of the run was changed by something else: the run is done again from its start")
    try ledger.forgetPairs(ofRun: run.number)
    run.lengths = RunLengths()
    files = try RunFiles(folder: runFolder, lengths: run.lengths)
    (progress, pairsBefore, summary, refusedRows) = (RunProgress(), 0, SummaryBuilder(), 0)
  }

  /// Pairs done by this process.
  var newlyDone: Int { progress.done - pairsBefore }
  /// Whether a run was started or resumed at all.
  var hasRun: Bool { files != nil }
  var runFolder: String { folder.run(run.folder) }

  private mutating func openFiles() throws(RunError) {
    files = try RunFiles(folder: runFolder, lengths: run.lengths)
    try syncFolder(folder.runs)
    try folder.pointLatest(to: run.folder)
    log.open(folder: runFolder)
    started(runFolder)
  }

  /// Takes the next in order.
  mutating func take(_ finished: Finished) throws(RunError) {
    switch finished {
    case .dropped: return
    case .resumed:
      progress.found += 1
      progress.resumed += 1
    case .skipped(let place):
      progress.found += 1
      progress.skipped += 1
      if let place { moved.append(place) }
    case .done(let pair):
      progress.found += 1
      try take(pair)
    }
    if gatheredSince == nil, !entries.isEmpty || !moved.isEmpty { gatheredSince = MonotonicClock.now() }
    if entries.count >= Self.flushPairs || moved.count >= Self.flushPairs { try flush() }
  }

  private mutating func take(_ pair: DonePair) throws(RunError) {
    if files == nil {
      // The shard is about to change: nobody may merge it until it is complete again.
      ShardSeal.remove(from: folder)
      try ledger.insert(run)
      try openFiles()
    }
    guard let files else { preconditionFailure("the files were opened above") }
    let resultsStart = files.results.end
    files.results.append(pair.resultLine + [0x0A])
    let eventsStart = files.events.end
    for line in pair.eventLines { files.events.append(line + [0x0A]) }
    if files.rescan.end == 0 { files.rescan.append(Array(ManifestWriter.header.utf8)) }
    let result = pair.response.result
    if result.outcome == .rescanBack { files.rescan.append(Self.rescanRow(pair.item)) }
    files.timings.append(pair.timingLine + [0x0A])
    entries.append(
      entry(pair, results: resultsStart..<files.results.end, events: eventsStart..<files.events.end))
    images += pair.images
    tallies.count(result)
    count(result, stages: pair.response.timings, at: MonotonicClock.now() - start)
    progress.outcomes[result.outcome, default: 0] += 1
  }

  /// The pair as a row that needs nothing but a new back. Its front is left empty: the ledger has it.
  static func rescanRow(_ item: PairItem) -> [UInt8] {
    let row = ManifestRow(
      id: item.request.id, identityNumber: item.request.expectedNumber, scanMode: item.request.scanMode,
      imageWidthPixels: item.request.imageWidthPixels)
    return Array(ManifestWriter.line(row).utf8)
  }

  private func entry(_ pair: DonePair, results: Range<Int>, events: Range<Int>) -> LedgerEntry {
    let item = pair.item
    var entry = LedgerEntry(
      key: item.key, position: item.position, run: run.number, outcome: pair.response.result.outcome,
      fingerprint: pair.contents.fingerprint, stamp: item.stamp, frontStamp: item.frontStamp,
      content: pair.contents.content,
      rescanFingerprint: nil, frontCapture: pair.response.frontCapture.map { JSONWriter.text($0.json) },
      results: results,
      events: events, images: pair.images.joined(separator: "/"), finished: Int(WallClock.now()))
    if item.isRescan, let prior = item.prior {
      // The pair as it first came stays known, so that the input it came from is not done again; and so does its front.
      entry.rescanFingerprint = entry.fingerprint
      entry.fingerprint = prior.fingerprint
      entry.stamp = prior.stamp
      entry.frontStamp = prior.frontStamp
      entry.content = prior.content
      entry.frontCapture = entry.frontCapture ?? prior.frontCapture
    }
    if let prior = item.prior, !prior.images.isEmpty {
      // Earlier results still speak of earlier images; `purge` must find them all.
      entry.images = Set((prior.images + "/" + entry.images).split(separator: "/").map(String.init)).sorted().joined(
        separator: "/")
    }
    return entry
  }

  /// Whether what was gathered has waited long enough.
  var isDue: Bool { gatheredSince.map { MonotonicClock.now() - $0 >= Self.flushSeconds } ?? false }

  /// Makes everything gathered durable.
  mutating func flush() throws(RunError) {
    gatheredSince = nil
    guard !entries.isEmpty || !moved.isEmpty else { return }
    if !images.isEmpty {
      for name in Set(images) {
        guard try syncFile(folder.images + "/" + name) else {
          log.write(.warning, "a worker named a card image that is not there")
          continue
        }
      }
      try syncFolder(folder.images)
    }
    try files?.sync()
    let lengths = files?.lengths ?? RunLengths()
    try writer.commit(
      run: files == nil ? nil : run.number, entries: entries, seen: moved.map { ($0.key, $0.position, $0.stamp) },
      lengths: lengths,
      tallies: tallies.counts)
    run.lengths = lengths
    entries.removeAll(keepingCapacity: true)
    moved.removeAll(keepingCapacity: true)
    images.removeAll(keepingCapacity: true)
    tallies = RunTallies()
  }

  /// Ends a run that went through its whole input.
  /// - Throws: `RunError(.internalError)` where the counts do not add up.
  mutating func complete(issued: Int) throws(RunError) {
    try flush()
    // Pairs of this run that the input no longer holds were found before it was resumed.
    progress.found += max(0, pairsBefore - progress.resumed)
    let counted = try hasRun ? RunTallies(ledger.tallies(ofRun: run.number)) : RunTallies()
    let isExact =
      counted.outcomes == progress.outcomes && progress.found == progress.skipped + progress.done
      && progress.found == issued + max(0, pairsBefore - progress.resumed)
    guard isExact else {
      throw RunError(
        .internalError,
        "the counts do not add up: \(progress.found) found, \(progress.skipped) skipped, \(progress.done) done")
    }
  }

  /// Writes what is read once the run is over.
  func writeSummary(seconds: Double, outcome: RunOutcome, replaced: Int) throws(RunError) {
    var whole = summary.summary(found: progress.found, skipped: progress.skipped, seconds: seconds)
    whole.duplicateGroups = outcome.duplicateGroups
    whole.unpairedFiles = outcome.unpairedFiles
    whole.workersReplaced = replaced
    whole.refusedRows = refusedRows
    try replaceFile(runFolder + "/summary.json", with: Array(whole.text.utf8))
    try syncFolder(runFolder)
  }

  /// Counts what a resumed run has done already, from its own files: the summary is the same as without the interruption.
  /// - Returns: `false` where a line is none that a run wrote.
  private mutating func readBack() throws(RunError) -> Bool {
    let results = Glibc.open(runFolder + "/results.ndjson", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    let timings = Glibc.open(runFolder + "/timings.ndjson", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    defer {
      if results >= 0 { close(results) }
      if timings >= 0 { close(timings) }
    }
    guard results >= 0, timings >= 0 else { throw FileFailure.error("a file of the run cannot be read back", errno) }
    var resultLines = LineReader(descriptor: results, maximumLineBytes: 1 << 28)
    var timingLines = LineReader(descriptor: timings, maximumLineBytes: 1 << 24)
    // Both hold one line a pair in the same order.
    while case .line(let line) = resultLines.next() {
      do throws(FormatError) {
        var stages: [String: Double] = [:]
        if case .line(let timing) = timingLines.next() { stages = try TimingLine(line: timing).stages }
        count(try ResultLine(line: line), stages: stages, at: nil)
      } catch { return false }
    }
    return true
  }

  private mutating func count(_ result: ResultLine, stages: [String: Double], at seconds: Double?) {
    summary.add(result, stages: stages, secondsSinceStart: seconds)
    if result.reasons == [.invalidRequest] { refusedRows += 1 }
  }

  /// Says that the run is complete, after its summary was written.
  func markComplete() throws(RunError) {
    if hasRun { try ledger.setState("complete", ofRun: run.number) }
  }
}
