package import CardModel
internal import Dispatch
internal import RecordFormats
private import CProcess

/// `cnicscan worker --jobs K`: one stream of request lines answered by K worker processes, in the stream's order.
///
/// It is what one task of Spark or another engine runs to use more than a core. A worker that crashes or hangs costs its pair,
/// which is answered as `failed`: a line in is a line out, always. What is read ahead is bounded, so that the pipe's
/// back-pressure reaches the engine.
package struct WorkerFanOut: Sendable {
  private let command: WorkerCommand
  private let limits: WorkerLimits
  private let jobs: Int
  private let delivery: Delivery

  /// - Parameter delivery: of answers that no worker could give.
  package init(command: WorkerCommand, limits: WorkerLimits = WorkerLimits(), jobs: Int, delivery: Delivery) {
    self.command = command
    self.limits = limits
    self.jobs = max(1, jobs)
    self.delivery = delivery
  }

  /// Answers every line of `input` until it ends.
  /// - Throws: `RunError` where no worker can be had, or nobody reads the answers any more.
  package func run(input: Int32 = 0, output: Int32 = 1) throws(RunError) {
    cprocess_harden()
    let stop = StopSwitch()
    let signals = SignalWatch(stop)
    defer { withExtendedLifetime(signals) {} }
    let pool = WorkerPool(command: command, limits: limits, warn: { _ in })
    let queue = BoundedQueue<(Int, [UInt8])>(capacity: 2 * jobs)
    let window = ReorderWindow<[UInt8]>(capacity: 8 * jobs)
    let group = DispatchGroup()
    DispatchQueue(label: "cnicscan.fanout.reader").async(group: group) {
      var lines = LineReader(descriptor: input, maximumLineBytes: WorkerRequest.maximumBytes)
      var count = 0
      while !stop.isStopped, case .line(let line) = lines.next() {
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
        window.reserve()
        queue.put((count, line))
        count += 1
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
    write(window, to: output, stop: stop)
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
      case .answered(let response, _): return response.line
      case .stopped: return []
      case .failed(let reason):
        let record = PairRecord(id: request.pair.id, events: [], outcome: .failed, reasons: [reason])
        return WorkerResponse(record, delivery: request.delivery ?? delivery).line
      }
    } catch {
      stop.stop(error)
      return []
    }
  }

  private func write(_ window: ReorderWindow<[UInt8]>, to output: Int32, stop: StopSwitch) {
    while stop.error == nil {
      switch window.next(timeout: .milliseconds(100)) {
      case .ended: return
      case .nothingYet: continue
      case .element(let answer):
        if answer.isEmpty { return }
        if let code = writeAll(answer + [0x0A], to: output) {
          stop.stop(RunError(.outputFailure, "the answers cannot be written (errno \(code))"))
        }
      }
    }
  }
}
