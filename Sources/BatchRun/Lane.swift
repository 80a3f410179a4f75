internal import CardModel
internal import Glibc
internal import RecordFormats

/// What became of a place in the input's order.
enum Finished: Sendable {
  case resumed
  case skipped(Moved?)
  case done(DonePair)
  /// The run stops before it was done.
  case dropped
}

/// A pair with everything that is to be written about it.
struct DonePair: Sendable {
  var item: PairItem
  var contents: Fingerprints.Contents
  var response: WorkerResponse
  var milliseconds: Double
  /// Without line ends, made here so that lanes do it side by side.
  var resultLine: [UInt8]
  var eventLines: [[UInt8]]
  var timingLine: [UInt8]
  /// The names of its images.
  var images: [String]
}

/// One lane: takes pairs, has its worker scan them, hands over what comes of it.
struct Lane {
  let fingerprints: Fingerprints
  let redo: RedoRule
  let delivery: Delivery
  let imagesDirectory: String
  /// 0 for a manifest: its rows name files that are there.
  let settleSeconds: Double
  let stop: StopSwitch
  let log: RunLog
  var slot: WorkerSlot

  /// Sees to one pair.
  /// - Throws: `RunError` where no pair can be scanned any more.
  mutating func process(_ item: PairItem) throws(RunError) -> Finished {
    if stop.isStopped { return .dropped }
    if let refusal = item.refusal {
      let contents = fingerprints.contents(item)
      return isUnchanged(item, contents) ? skip(item) : .done(failed(item, contents, refusal))
    }
    var item = item
    for attempt in 0..<2 {
      guard settle(&item) else { return .dropped }
      let contents = fingerprints.contents(item)
      if attempt == 0, isUnchanged(item, contents) { return skip(item) }
      let finished = try scan(item, contents)
      guard case .done = finished else { return finished }
      if !hasChanged(item) { return finished }
      log.write(.warning, "a file changed while it was read", pair: item.position + 1, reason: .fileChanged)
    }
    // Whatever rests there when the next run looks has not been scanned: nothing of it may count as known.
    item.stamp = [0]
    return .done(failed(item, Fingerprints.Contents(fingerprint: [0], content: []), .fileChanged))
  }

  private mutating func scan(_ item: PairItem, _ contents: Fingerprints.Contents) throws(RunError) -> Finished {
    var pair = item.request
    pair.reusedFront = reusableFront(item)
    switch try slot.scan(WorkerRequest(pair: pair, delivery: delivery, imagesDirectory: imagesDirectory)) {
    case .stopped: return .dropped
    case .failed(let reason):
      log.write(.error, "a pair failed twice", pair: item.position + 1, reason: reason)
      return .done(failed(item, contents, reason))
    case .answered(let response, let milliseconds):
      // A card image that could not be written is no property of the pair: the disk's trouble stops the run.
      if response.result.reasons.contains(.outputNotWritten) {
        throw RunError(.outputFailure, "card images cannot be written: the disk is full or may not be written")
      }
      return .done(done(item, contents, response, milliseconds))
    }
  }

  // MARK: What is known already

  private func isUnchanged(_ item: PairItem, _ contents: Fingerprints.Contents) -> Bool {
    guard let prior = item.prior, !redo.applies(to: prior) else { return false }
    return (item.isRescan ? prior.rescanFingerprint : prior.fingerprint) == contents.fingerprint
  }

  private func skip(_ item: PairItem) -> Finished {
    .skipped(item.isRescan ? nil : Moved(key: item.key, position: item.position, stamp: item.stamp))
  }

  /// The front as an earlier run captured it, where this pair's front is the same and its image is still there.
  private func reusableFront(_ item: PairItem) -> FrontCapture? {
    guard let prior = item.prior, let text = prior.frontCapture, item.isRescan || prior.frontStamp == item.frontStamp
    else { return nil }
    // A capture of an earlier version that cannot be read any more is read from the card again.
    do throws(FormatError) {
      let capture = try FrontCapture(json: try JSONValue.parse(line: Array(text.utf8)))
      return access(capture.image, R_OK) == 0 ? capture : nil
    } catch {
      log.write(.warning, "a captured front cannot be reused", pair: item.position + 1)
      return nil
    }
  }

  // MARK: Files that change

  /// Waits until no file changed within the settle time, at most three times as long; then looks at the files again.
  /// - Returns: `false` where the run stopped meanwhile.
  private func settle(_ item: inout PairItem) -> Bool {
    let deadline = MonotonicClock.now() + 3 * settleSeconds
    while true {
      refresh(&item)
      let newest = (item.front + item.back).compactMap { $0.stat?.changed }.max() ?? 0
      let age = WallClock.now() - Double(newest) / 1e9
      // A time in the future is a clock's fault, not a sign of copying.
      guard settleSeconds > 0, age >= 0, age < settleSeconds, MonotonicClock.now() < deadline else { return true }
      if stop.isStopped { return false }
      usleep(UInt32(min(0.1, settleSeconds - age) * 1e6) + 1000)
    }
  }

  private func refresh(_ item: inout PairItem) {
    item.front = item.front.map(Self.lookedAt)
    item.back = item.back.map(Self.lookedAt)
    item.stamp = fingerprints.stamp(item)
    item.frontStamp = fingerprints.frontStamp(item)
  }

  private static func lookedAt(_ file: PairFile) -> PairFile {
    var stat = FileStat()
    return PairFile(path: file.path, stat: stat.look(at: file.path, followingLinks: false) == nil ? stat : nil)
  }

  private func hasChanged(_ item: PairItem) -> Bool {
    (item.front + item.back).contains { Self.lookedAt($0).stat != $0.stat }
  }

  // MARK: Records

  private func failed(_ item: PairItem, _ contents: Fingerprints.Contents, _ reason: Reason) -> DonePair {
    done(item, contents, WorkerResponse(PairRecord(unanswered: item.request, reason), delivery: delivery), 0)
  }

  private func done(
    _ item: PairItem, _ contents: Fingerprints.Contents, _ response: WorkerResponse, _ milliseconds: Double
  ) -> DonePair {
    let timing = TimingLine(id: response.id, milliseconds: milliseconds, stages: response.timings)
    return DonePair(
      item: item, contents: contents, response: response, milliseconds: milliseconds, resultLine: response.result.line,
      eventLines: response.eventLines, timingLine: timing.line, images: images(response))
  }

  /// The names of the card images that a response speaks of.
  private func images(_ response: WorkerResponse) -> [String] {
    var paths = [response.result.payload?.frontImage, response.result.payload?.backImage, response.frontCapture?.image]
    for event in response.events { paths.append(event["payload"]?["image"]?.string) }
    let prefix = imagesDirectory + "/"
    let names = paths.compactMap { path in
      path.flatMap { $0.hasPrefix(prefix) ? String($0.dropFirst(prefix.count)) : nil }
    }
    // iOS's events name no image, so without a payload only the details do.
    return Set((names + response.result.details.images).filter(OutputFolder.isImageName)).sorted()
  }
}
