package import CardModel
internal import Dispatch
internal import Glibc
internal import RecordFormats
internal import Synchronization
private import CProcess

/// `cnicscan worker --jobs K`: one stream of request lines answered by K worker processes, in the stream's order.
///
/// It is what one task of Spark or another engine runs, to use more than a core and to outlive a pair that crashes its worker: such
/// a pair is tried once again, then answered as `failed`. A line in is a line out, always. What is read ahead is bounded (eight lines a
/// worker), so that the pipe's back-pressure reaches the engine.
package struct WorkerFanOut: Sendable {
  private let command: WorkerCommand
  private let limits: WorkerLimits
  private let jobs: Int
  private let delivery: Delivery
  private let handlesSignals: Bool
  private let warn: @Sendable (String) -> Void

  /// - Parameters:
  ///   - delivery: of answers that no worker could give.
  ///   - handlesSignals: off where the caller's process is not ours.
  ///   - warn: told of workers without a complete sandbox.
  package init(
    command: WorkerCommand, limits: WorkerLimits = WorkerLimits(), jobs: Int, delivery: Delivery,
    handlesSignals: Bool = true, warn: @escaping @Sendable (String) -> Void = { _ in }
  ) {
    self.command = command
    self.limits = limits
    self.jobs = max(1, jobs)
    self.delivery = delivery
    self.handlesSignals = handlesSignals
    self.warn = warn
  }

  /// Answers every line of `input` until it ends.
  /// - Throws: `RunError`: where no worker can be had; `temporaryFailure` where a signal stops it or nobody reads the answers any more;
  ///   `outputFailure` where the input cannot be read on, or card images or answers cannot be written. No pair is at fault then, so
  ///   that the engine must try the whole task again: an answer that says so would be committed.
  package func run(input: Int32 = 0, output: Int32 = 1) throws(RunError) {
    cprocess_harden()
    signal(SIGPIPE, SIG_IGN)
    let stop = StopSwitch()
    let signals = handlesSignals ? SignalWatch(stop) : nil
    defer { withExtendedLifetime(signals) {} }
    let pool = WorkerPool(command: command, limits: limits, warn: warn)
    let queue = BoundedQueue<(Int, [UInt8])>(capacity: 2 * jobs)
    let window = ReorderWindow<[UInt8]>(capacity: 8 * jobs)
    let issued = Atomic(0)
    let group = DispatchGroup()
    DispatchQueue(label: "cnicscan.fanout.reader").async(group: group) {
      var lines = LineReader(descriptor: input, maximumLineBytes: WorkerRequest.maximumBytes)
      var count = 0
      reading: while !stop.isStopped {
        switch lines.next() {
        case .line(let line):
          if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
          window.reserve()
          count = issued.add(1, ordering: .relaxed).newValue
          queue.put((count - 1, line))
        case .end: break reading
        case .failed(let code): stop.stop(RunError(.outputFailure, "the input cannot be read on (errno \(code))"))
        }
      }
      window.end(at: count)
      queue.close()
    }
    for number in 0..<jobs {
      DispatchQueue(label: "cnicscan.fanout.\(number)").async(group: group) { [delivery] in
        var slot = WorkerSlot(pool: pool, stop: stop)
        while let (place, line) = queue.take() {
          window.fill(place, Self.answer(line, slot: &slot, stop: stop, delivery: delivery))
        }
        slot.close()
      }
    }
    write(window, to: output, stop: stop) { issued.load(ordering: .relaxed) }
    // A reader that waits for an engine's next line cannot be woken: once stopped, the process ends without it.
    if let error = stop.error { throw error }
    if stop.isStopped { throw RunError(.temporaryFailure, "stopped by a signal") }
    group.wait()
    pool.close()
  }

  /// The answer's line; empty where there is none because everything stops.
  private static func answer(_ line: [UInt8], slot: inout WorkerSlot, stop: StopSwitch, delivery: Delivery) -> [UInt8] {
    if stop.isStopped { return [] }
    let request: WorkerRequest
    do throws(WorkerRequest.Refusal) { request = try WorkerRequest(line: line) } catch {
      return WorkerResponse(error).line
    }
    do throws(RunError) {
      switch try slot.scan(request) {
      case .answered(let response, _):
        if response.result.reasons.contains(.outputNotWritten) {
          throw RunError(.outputFailure, "card images cannot be written: the disk is full or may not be written")
        }
        return response.line
      case .stopped: return []
      case .failed(let reason):
        return WorkerResponse(PairRecord(unanswered: request.pair, reason), delivery: request.delivery ?? delivery).line
      }
    } catch {
      stop.stop(error)
      return []
    }
  }

  /// - Parameter issued: how many lines were read so far.
  private func write(_ window: ReorderWindow<[UInt8]>, to output: Int32, stop: StopSwitch, issued: () -> Int) {
    var written = 0
    while stop.error == nil {
      switch window.next(timeout: .milliseconds(100)) {
      case .ended: return
      case .nothingYet:
        // Stopped with nothing under way: the reader waits for a line that may never come.
        if stop.isStopped, written == issued() || stop.isGraceOver { return }
      case .element(let answer):
        if answer.isEmpty { return }
        written += 1
        guard let code = writeAll(answer + [0x0A], to: output) else { continue }
        stop.stop(
          code == EPIPE
            ? RunError(.temporaryFailure, "nobody reads the answers any more")
            : RunError(.outputFailure, "the answers cannot be written (errno \(code))"))
      }
    }
  }
}
