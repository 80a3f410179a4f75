internal import Dispatch
internal import Glibc
internal import Synchronization

/// Hands out workers and keeps one warm, so that a lane whose worker died goes on at once.
final class WorkerPool: Sendable {
  let command: WorkerCommand
  let limits: WorkerLimits
  private let warn: @Sendable (String) -> Void

  private struct State {
    var spare: WorkerProcess?
    var isStarting = false
    var isClosed = false
    var startFailures = 0
    var sandboxTold = false
    var started = 0
  }
  private let state = Mutex(State())
  private let queue = DispatchQueue(label: "cnicscan.spare")
  /// Only one pair at a time is tried again: alone, so that a lack of memory is nobody else's.
  private let alone = Mutex(())

  init(command: WorkerCommand, limits: WorkerLimits, warn: @escaping @Sendable (String) -> Void) {
    self.command = command
    self.limits = limits
    self.warn = warn
  }

  /// The number of workers that became ready.
  var started: Int { state.withLock { $0.started } }

  /// Runs `body` while no other lane does.
  func alone<R>(_ body: () throws(RunError) -> sending R) throws(RunError) -> sending R {
    try alone.withLock { _ throws(RunError) in try body() }
  }

  /// A worker that is ready; `nil` where the run stopped before one was.
  /// - Throws: `RunError` where three workers in a row could not start, or one has no sandbox that must have one.
  func take(_ stop: StopSwitch) throws(RunError) -> WorkerProcess? {
    while !stop.isStopped {
      let spare = state.withLock { state -> WorkerProcess? in
        let spare = state.spare
        state.spare = nil
        return spare
      }
      let worker = if let spare { spare } else { try WorkerProcess.start(command, limits: limits) }
      guard command.announcesReadiness else { return counted(worker) }
      switch worker.awaitReadiness(within: limits.startSeconds, stop: stop) {
      case .ready(let greeting):
        try check(greeting.sandbox, of: worker)
        return counted(worker)
      case .ended(let end): try noteStartFailure(.ended(end))
      case .silent:
        worker.end()
        try noteStartFailure(.silent)
      case .stopped: worker.end()
      }
    }
    return nil
  }

  private func counted(_ worker: WorkerProcess) -> WorkerProcess {
    state.withLock { state in
      state.startFailures = 0
      state.started += 1
    }
    return worker
  }

  private enum StartFailure { case ended(WorkerProcess.End), silent }

  private func noteStartFailure(_ failure: StartFailure) throws(RunError) {
    let failures = state.withLock { state in
      state.startFailures += 1
      return state.startFailures
    }
    // A worker that says why it cannot start is believed at once.
    if case .ended(let end) = failure, let status = ExitStatus(rawValue: end.exitCode),
      [.engineMissing, .badDefinition, .usage].contains(status)
    {
      throw RunError(status, "a worker could not start: \(status.meaning)")
    }
    guard failures >= 3 else { return }
    switch failure {
    case .ended(let end) where end.signal == SIGKILL:
      // No worker does that to itself: the kernel does where memory runs out, or somebody.
      throw RunError(
        .temporaryFailure,
        "three workers in a row were killed as they started: run again when the machine has memory to spare")
    case .ended: throw RunError(.internalError, "three workers in a row could not start")
    case .silent:
      // A disk or network drive that does not answer is no fault of the program's.
      throw RunError(
        .temporaryFailure,
        "three workers in a row were not ready within \(Int(limits.startSeconds.rounded(.up))) s: run again when the machine "
          + "has less to do")
    }
  }

  private func check(_ sandbox: SandboxState, of worker: WorkerProcess) throws(RunError) {
    guard !sandbox.isComplete else { return }
    if command.requireSandbox {
      worker.end()
      throw RunError(
        .engineMissing, "workers cannot be confined here (\(sandbox.description)), and --require-sandbox demands it")
    }
    let isFirst = state.withLock { state in
      defer { state.sandboxTold = true }
      return !state.sandboxTold
    }
    if isFirst { warn("workers run without a complete sandbox (\(sandbox.description))") }
  }

  /// Starts a spare worker in the background unless there is one.
  func keepSpareWarm() {
    let isNeeded = state.withLock { state in
      guard state.spare == nil, !state.isStarting, !state.isClosed else { return false }
      state.isStarting = true
      return true
    }
    guard isNeeded else { return }
    queue.async { [self] in
      let worker: WorkerProcess?
      // A failure here is met again, and told, by the lane that needs the worker.
      do { worker = try WorkerProcess.start(command, limits: limits) } catch { worker = nil }
      let isLate = state.withLock { state in
        state.isStarting = false
        if !state.isClosed { state.spare = worker }
        return state.isClosed
      }
      if isLate { worker?.end() }
    }
  }

  /// Ends the spare; none is started any more.
  func close() {
    let spare = state.withLock { state -> WorkerProcess? in
      state.isClosed = true
      defer { state.spare = nil }
      return state.spare
    }
    spare?.end()
    queue.sync {}
  }
}
