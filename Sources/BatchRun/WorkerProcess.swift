private import CProcess
internal import Glibc

/// Why a worker gave no answer.
enum WorkerFault: Error, Sendable, Equatable {
  /// It ended, or said something that is no answer.
  case crashed
  case timeLimit
  case memoryLimit
  /// The run was stopped meanwhile.
  case stopped
}

/// One running worker. It is used by one lane at a time, which must `end` it.
final class WorkerProcess: Sendable {
  /// Also the id of its process group.
  let pid: Int32
  private let input: Int32
  private let output: Int32
  private let status: Int32

  private init(pid: Int32, input: Int32, output: Int32, status: Int32) {
    (self.pid, self.input, self.output, self.status) = (pid, input, output, status)
  }

  /// Starts a worker; it is not ready yet.
  /// - Throws: `RunError(.engineMissing)` where the program cannot be executed, `outputFailure` where the machine gives no more
  ///   processes or descriptors.
  static func start(_ command: WorkerCommand, limits: WorkerLimits) throws(RunError) -> WorkerProcess {
    var child = cprocess_child()
    let code = withCStrings(command.arguments) { arguments in
      withCStrings(environment(command)) { environment in
        var plan = cprocess_command(
          argv: arguments, envp: environment, address_space_bytes: UInt64(limits.memoryBytes) * 2,
          inherit_stderr: command.showsDiagnostics ? 1 : 0)
        return cprocess_spawn(&plan, &child)
      }
    }
    switch code {
    case 0:
      return WorkerProcess(pid: child.pid, input: child.stdin_fd, output: child.stdout_fd, status: child.status_fd)
    case ENOENT, EACCES, ENOEXEC, ENOTDIR:
      throw RunError(.engineMissing, "the worker cannot be executed (errno \(code))")
    default: throw RunError(.temporaryFailure, "the machine starts no more processes (errno \(code)): run again later")
    }
  }

  /// One thread a worker, set before it starts since later is too late; no backtracer, which could hang holding stderr.
  private static func environment(_ command: WorkerCommand) -> [String] {
    var variables = [
      "LANG": "C.UTF-8", "MALLOC_ARENA_MAX": "2",
      // An image's memory is kept for the next one: giving each back costs a page fault for every 4 KB of it.
      "MALLOC_MMAP_THRESHOLD_": "67108864", "MALLOC_TRIM_THRESHOLD_": "268435456",
      "OMP_NUM_THREADS": "1", "OMP_THREAD_LIMIT": "1",
      "PATH": "/usr/local/bin:/usr/bin:/bin",
      "SWIFT_BACKTRACE": "enable=no", "VIPS_CONCURRENCY": "1",
    ]
    let inherited = [
      "ASAN_OPTIONS", "LD_LIBRARY_PATH", "LLVM_PROFILE_FILE", "TESSDATA_PREFIX", "TSAN_OPTIONS", "UBSAN_OPTIONS",
    ]
    for name in inherited {
      if let value = getenv(name) { variables[name] = String(cString: value) }
    }
    // LD_PRELOAD itself is the supervisor's own; this one is meant for workers: another allocator, or a test's faults.
    if let library = getenv("CNICSCAN_WORKER_PRELOAD") { variables["LD_PRELOAD"] = String(cString: library) }
    variables.merge(command.environment) { $1 }
    if command.announcesReadiness { variables[WorkerGreeting.variable] = "1" }
    return variables.map { "\($0.key)=\($0.value)" }.sorted()
  }

  enum Readiness { case ready(WorkerGreeting), ended(End), silent, stopped }

  /// Waits for the greeting.
  func awaitReadiness(within seconds: Double, stop: StopSwitch) -> Readiness {
    var deadline = WorkerDeadline(pid, seconds: seconds)
    var line: [UInt8] = []
    while line.last != 0x0A {
      guard line.count < 256 else { return .silent }
      if !Self.wait(for: [(status, Int16(POLLIN))], until: min(deadline.next, MonotonicClock.now() + 0.2)) {
        if stop.isGraceOver { return .stopped }
        if deadline.isOver() { return .silent }
        continue
      }
      switch Self.receive(status, into: &line, limit: 256) {
      case .some(0): return .ended(end(force: false))
      case .some: continue
      case nil: return .silent
      }
    }
    guard let greeting = WorkerGreeting(line: line) else { return .silent }
    return .ready(greeting)
  }

  /// Hands over a request line and waits for its answer.
  /// - Returns: the answer's line without its end. After any fault the worker is of no use and must be ended.
  func exchange(_ request: [UInt8], limits: WorkerLimits, stop: StopSwitch) -> Result<[UInt8], WorkerFault> {
    var deadline = WorkerDeadline(pid, seconds: limits.pairSeconds)
    var sent = 0
    var answer: [UInt8] = []
    while true {
      if sent < request.count {
        let count = request.withUnsafeBytes { write(input, $0.baseAddress.map { $0 + sent }, $0.count - sent) }
        if count >= 0 { sent += count } else if errno != EAGAIN && errno != EINTR { return .failure(.crashed) }
      }
      let wanted =
        sent < request.count ? [(output, Int16(POLLIN)), (input, Int16(POLLOUT))] : [(output, Int16(POLLIN))]
      // A slice at a time, so that a growing memory, a stop and the deadline are all seen.
      if !Self.wait(for: wanted, until: min(deadline.next, MonotonicClock.now() + 0.2)) {
        if stop.isGraceOver { return .failure(.stopped) }
        if residentBytes > limits.memoryBytes { return .failure(.memoryLimit) }
        if deadline.isOver() { return .failure(.timeLimit) }
        continue
      }
      let before = answer.count
      switch Self.receive(output, into: &answer, limit: limits.answerBytes + 1) {
      case .some(0): return .failure(.crashed)
      case .some(-1), nil: break
      case .some:
        guard let end = answer[before...].firstIndex(of: 0x0A) else {
          if answer.count > limits.answerBytes { return .failure(.crashed) }
          if residentBytes > limits.memoryBytes { return .failure(.memoryLimit) }
          if deadline.isOver() { return .failure(.timeLimit) }
          continue
        }
        // One line for a line: whoever says more is not in step with us.
        guard end == answer.count - 1, sent == request.count else { return .failure(.crashed) }
        answer.removeLast()
        return .success(answer)
      }
    }
  }

  /// How the worker ended.
  struct End: Sendable {
    /// -1 where it did not exit by itself.
    var exitCode: Int32
    /// The signal that ended it, 0 where none did.
    var signal: Int32
    var peakBytes: Int
  }

  /// Ends the worker and everything in its process group, and reaps it.
  /// - Parameter force: `false` where it has ended by itself and its exit status matters.
  @discardableResult
  func end(force: Bool = true) -> End {
    var waitStatus: Int32 = 0
    var peak = 0
    var reaped = false
    if !force {
      // Its pipes are closed, so it is ending; a worker that closes them and lives on is killed below.
      for _ in 0..<200 where !reaped {
        reaped = cprocess_reap(pid, 0, &waitStatus, &peak) != 0
        if !reaped { usleep(5_000) }
      }
    }
    kill(-pid, SIGKILL)
    if !reaped { cprocess_reap(pid, 1, &waitStatus, &peak) }
    close(input)
    close(output)
    close(status)
    return End(
      exitCode: cprocess_exit_code(waitStatus), signal: cprocess_end_signal(waitStatus), peakBytes: peak * 1024)
  }

  /// Its resident size; 0 where it has ended.
  var residentBytes: Int {
    guard let text = ProcessFile.secondWord(of: "statm", pid), let pages = Int(text) else { return 0 }
    return pages * Int(sysconf(Int32(_SC_PAGESIZE)))
  }

  /// - Returns: `false` at the deadline.
  private static func wait(for wanted: [(descriptor: Int32, events: Int16)], until deadline: Double) -> Bool {
    var list = wanted.map { pollfd(fd: $0.descriptor, events: $0.events, revents: 0) }
    let milliseconds = max(0, min(60_000, (deadline - MonotonicClock.now()) * 1000)).rounded(.up)
    let count = poll(&list, nfds_t(list.count), Int32(milliseconds))
    return count > 0
  }

  /// - Returns: the number of bytes appended, 0 at the end of the stream, -1 where nothing is there yet, `nil` on an error.
  private static func receive(_ descriptor: Int32, into bytes: inout [UInt8], limit: Int) -> Int? {
    let room = min(1 << 16, max(1, limit - bytes.count))
    var failed = false
    var blocked = false
    let filled = bytes.count
    let received = withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { buffer -> Int in
      let count = read(descriptor, buffer.baseAddress, room)
      if count < 0 {
        blocked = errno == EAGAIN || errno == EINTR
        failed = !blocked
        return 0
      }
      bytes.append(contentsOf: UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      return count
    }
    if failed { return nil }
    if blocked { return -1 }
    precondition(bytes.count == filled + received, "what was read is appended")
    return received
  }
}
