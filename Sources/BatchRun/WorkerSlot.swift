internal import CardModel
internal import RecordFormats

/// What a lane gets for a pair.
enum ScanVerdict: Sendable {
  case answered(WorkerResponse, milliseconds: Double)
  /// Tried twice in vain.
  case failed(Reason)
  /// The run was stopped before there was an answer.
  case stopped
}

/// A lane's worker: replaced when it dies, hangs, eats memory, talks nonsense, or has worked long enough.
struct WorkerSlot {
  private let pool: WorkerPool
  private let stop: StopSwitch
  private var worker: WorkerProcess?
  private var answers = 0
  private var firstBytes = 0
  private(set) var replaced = 0

  init(pool: WorkerPool, stop: StopSwitch) {
    self.pool = pool
    self.stop = stop
  }

  /// Has a pair scanned: at once, and once again, alone and by a fresh worker, where the first one failed.
  /// - Throws: `RunError` where no worker can be had.
  mutating func scan(_ request: WorkerRequest) throws(RunError) -> ScanVerdict {
    let line = request.line + [0x0A]
    let first = try attempt(line, id: request.pair.id)
    guard case .failed = first else { return first }
    var slot = self
    let second = try pool.alone { () throws(RunError) in
      let verdict = try slot.attempt(line, id: request.pair.id)
      return (slot, verdict)
    }
    self = second.0
    return second.1
  }

  private mutating func attempt(_ line: [UInt8], id: String) throws(RunError) -> ScanVerdict {
    if stop.isStopped { return .stopped }
    guard let worker = if let current = self.worker { current } else { try pool.take(stop) } else { return .stopped }
    self.worker = worker
    let start = MonotonicClock.now()
    let answer = worker.exchange(line, limits: pool.limits, stop: stop)
    switch answer {
    case .success(let bytes):
      do throws(FormatError) {
        let response = try WorkerResponse(line: bytes)
        guard response.id.isExactly(id) else { return drop(worker, .crashed) }
        noteAnswer(worker)
        return .answered(response, milliseconds: (MonotonicClock.now() - start) * 1000)
      } catch {
        return drop(worker, .crashed)
      }
    case .failure(let fault): return drop(worker, fault)
    }
  }

  private mutating func drop(_ worker: WorkerProcess, _ fault: WorkerFault) -> ScanVerdict {
    self.worker = nil
    answers = 0
    replaced += 1
    let end = worker.end()
    if !stop.isStopped { pool.keepSpareWarm() }
    switch fault {
    case .stopped: return .stopped
    case .timeLimit: return .failed(.timeLimit)
    case .memoryLimit: return .failed(.memoryLimit)
    // An allocation that was refused ends in an abort: its size tells it from other crashes.
    case .crashed: return .failed(end.peakBytes > pool.limits.memoryBytes / 10 * 8 ? .memoryLimit : .workerCrashed)
    }
  }

  /// Counts an answer and retires a worker that has given enough of them or has grown.
  private mutating func noteAnswer(_ worker: WorkerProcess) {
    answers += 1
    if answers == 1 {
      firstBytes = worker.residentBytes
      pool.keepSpareWarm()
    }
    let hasGrown = answers % 32 == 0 && worker.residentBytes - firstBytes > pool.limits.recycleGrowthBytes
    if answers >= pool.limits.recyclePairs || hasGrown {
      self.worker = nil
      answers = 0
      worker.end()
    }
  }

  /// Ends the worker.
  mutating func close() {
    worker?.end()
    worker = nil
  }
}
