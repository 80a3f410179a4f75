internal import CardModel
internal import Dispatch
internal import Glibc
internal import RecordFormats
private import CProcess

// The batch engine: many pairs through worker processes, in order, exactly once, whatever happens. One thread reads the
// input, one lane a worker has pairs scanned, the calling thread writes. Between them stand a queue and a window of fixed
// size, so that memory does not grow with the input. It reads no image itself and knows no engine.

/// One run over an input.
package struct BatchRun: Sendable {
  package let settings: RunSettings

  package init(_ settings: RunSettings) { self.settings = settings }

  /// Runs to the end, or to the first thing that stops it. It never throws: what went wrong is the outcome's status.
  package func run(_ observer: some RunObserver = SilentObserver()) -> RunOutcome {
    do throws(RunError) {
      return settings.dryRun ? try DryRun(settings).run() : try supervise(observer)
    } catch {
      return RunOutcome(status: error.status, message: error.message)
    }
  }

  private func supervise(_ observer: some RunObserver) throws(RunError) -> RunOutcome {
    let input = try RunInput(settings)
    cprocess_harden()
    let folder = try OutputFolder(making: settings.output)
    let lock = try OutputLock(folder)
    defer { withExtendedLifetime(lock) {} }
    let stop = StopSwitch()
    let signals = settings.handlesSignals ? SignalWatch(stop) : nil
    defer { withExtendedLifetime(signals) {} }

    let ledger = try Ledger(path: folder.ledger)
    try PurgeEnding(folder: folder, ledger: ledger).finishInterrupted()
    let fingerprints = Fingerprints(settings)
    let plan = try RunPlan(settings, ledger: ledger, folder: folder, fingerprints: fingerprints, input: input)
    let log = RunLog()
    let warn: @Sendable (String) -> Void = { message in
      log.write(.warning, message)
      observer.runDidWarn(message)
    }
    var writer = try RunWriter(folder: folder, ledger: ledger, run: plan.run, isResumed: plan.isResumed, log: log) {
      path in
      observer.runDidStart(folder: path, resumed: plan.isResumed)
      log.write(.info, plan.isResumed ? "run resumed" : "run started")
    }
    let pool = WorkerPool(command: settings.worker, limits: settings.workerLimits, warn: warn)
    let traffic = RunTraffic(jobs: settings.jobs)
    let group = DispatchGroup()
    startReader(
      input, plan: plan, ledgerPath: folder.ledger, fingerprints: fingerprints, traffic: traffic, stop: stop,
      group: group)
    startLanes(
      pool, plan: plan, fingerprints: fingerprints, images: folder.images, traffic: traffic, stop: stop, log: log,
      group: group)

    let pulse = RunPulse(settings, observer: observer)
    write(from: traffic, to: &writer, stop: stop) { progress in
      pulse.beat(progress, total: traffic.total, replaced: traffic.replaced)
    }
    group.wait()
    pool.close()
    let ending = RunEnding(
      settings: settings, folder: folder, ledger: ledger, fingerprints: fingerprints, log: log, traffic: traffic)
    let outcome = ending.outcome(of: &writer, stop: stop, seconds: pulse.seconds)
    pulse.end(outcome)
    return outcome
  }

  /// Reads the input in order, decides what is to be done, and hands places out.
  private func startReader(
    _ input: RunInput, plan: RunPlan, ledgerPath: String, fingerprints: Fingerprints, traffic: RunTraffic,
    stop: StopSwitch,
    group: DispatchGroup
  ) {
    DispatchQueue(label: "cnicscan.reader").async(group: group) { [settings] in
      var issued = 0
      do throws(RunError) {
        let ledger = try Ledger(reading: ledgerPath)
        var preparer = ItemPreparer(
          lookup: try LedgerLookup(ledger), fingerprints: fingerprints, redo: plan.redo,
          resumedRun: plan.isResumed ? plan.run.number : nil, confinement: input.confinement(settings))
        var source = try input.open(settings, output: settings.output) { pair in
          Self.beginEarly(pair, preparer: &preparer, traffic: traffic, shard: settings.shard)
        }
        var position = 0
        var inputDigest = DigestBuilder()
        while !stop.isStopped, let pair = try source.next() {
          defer { position += 1 }
          if issued == 0 { traffic.setTotal(source.total, shard: settings.shard) }
          if let shard = settings.shard {
            pair.add(to: &inputDigest)
            guard shard.contains(id: pair.request.id) else { continue }
          }
          let decision = try preparer.decide(pair, position: position)
          traffic.window.reserve()
          switch decision {
          case .resumed: traffic.window.fill(issued, .resumed)
          case .skipped(let place): traffic.window.fill(issued, .skipped(place))
          case .item(let item): traffic.queue.put((issued, item))
          }
          issued += 1
        }
        traffic.noteEnd(
          InputEnd(issued: issued, positions: position, unpaired: source.unpaired, digest: inputDigest.finish()))
      } catch {
        stop.stop(error)
      }
      traffic.window.end(at: issued)
      traffic.queue.close()
    }
  }

  /// Gives a pair to a lane that is free now, while the directory is still being listed.
  private static func beginEarly(
    _ pair: SourcePair, preparer: inout ItemPreparer, traffic: RunTraffic, shard: Shard?
  ) {
    guard shard?.contains(id: pair.request.id) ?? true else { return }
    // An error is met again, and told, when the pair's turn comes.
    guard case .item(let item)? = preparer.decision(pair), item.refusal == nil else { return }
    traffic.headStart.begin(item.key)
    if !traffic.queue.putIfFree((RunTraffic.earlyPlace, item)) { traffic.headStart.finish(item.key, nil) }
  }

  private func startLanes(
    _ pool: WorkerPool, plan: RunPlan, fingerprints: Fingerprints, images: String, traffic: RunTraffic,
    stop: StopSwitch, log: RunLog,
    group: DispatchGroup
  ) {
    let settleSeconds = if case .directory = settings.input { settings.settleSeconds } else { 0.0 }
    for number in 0..<settings.jobs {
      DispatchQueue(label: "cnicscan.lane.\(number)").async(group: group) { [settings] in
        var lane = Lane(
          fingerprints: fingerprints, redo: plan.redo, delivery: settings.delivery, imagesDirectory: images,
          settleSeconds: settleSeconds, stop: stop, log: log, slot: WorkerSlot(pool: pool, stop: stop))
        while let (place, item) = traffic.queue.take() {
          do throws(RunError) {
            if place == RunTraffic.earlyPlace {
              traffic.headStart.finish(item.key, try lane.process(item))
            } else if let pair = traffic.headStart.take(item) {
              traffic.window.fill(place, .done(pair))
            } else {
              traffic.window.fill(place, try lane.process(item))
            }
          } catch {
            stop.stop(error)
            if place == RunTraffic.earlyPlace {
              traffic.headStart.finish(item.key, nil)
            } else {
              traffic.window.fill(place, .dropped)
            }
          }
        }
        traffic.addReplaced(lane.slot.replaced)
        lane.slot.close()
      }
    }
  }

  /// Writes what is done until everything handed out is back. After the first dropped place, or an error, it only drains.
  private func write(
    from traffic: RunTraffic, to writer: inout RunWriter, stop: StopSwitch, beat: (RunProgress) -> Void
  ) {
    var isBroken = false
    while true {
      let next = traffic.window.next(timeout: .milliseconds(100))
      do throws(RunError) {
        switch next {
        case .ended:
          if stop.error == nil { try writer.flush() }
          return
        case .element(.dropped): isBroken = true
        case .element(let finished): if !isBroken { try writer.take(finished) }
        case .nothingYet: break
        }
        if writer.isDue, stop.error == nil { try writer.flush() }
      } catch {
        isBroken = true
        stop.stop(error)
      }
      beat(writer.progress)
    }
  }
}
