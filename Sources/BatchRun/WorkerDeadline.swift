internal import Glibc

/// How long a worker may take, on its own account: the time that it stood in line for a processor does not count, so that a
/// machine with too much to do makes a run slow and no pair a failure.
///
/// *Source*: the second number of `/proc/PID/schedstat` is the time that the main thread, which does a worker's work, waited on
/// a run queue, in nanoseconds (kernel: Documentation/scheduler/sched-stats.rst). Where it is missing the clock on the wall decides.
struct WorkerDeadline {
  /// However busy the machine is, this many times the limit is the end.
  static let patience = 10.0

  private let pid: Int32
  private let limit: Double
  private let start: Double
  private let waitedBefore: Double
  /// The earliest moment at which it can be over.
  private(set) var next: Double

  init(_ pid: Int32, seconds: Double) {
    self.pid = pid
    limit = seconds
    start = MonotonicClock.now()
    waitedBefore = Self.waitedSeconds(pid)
    next = start + seconds
  }

  /// Whether it is over; where not, `next` says when to ask again.
  mutating func isOver() -> Bool {
    let now = MonotonicClock.now()
    guard now >= next else { return false }
    let own = now - start - (Self.waitedSeconds(pid) - waitedBefore)
    guard own < limit, now - start < limit * Self.patience else { return true }
    next = min(now + max(limit - own, 0.01), start + limit * Self.patience)
    return false
  }

  /// Seconds that a process has stood in line for a processor since it began; 0 where that cannot be told.
  static func waitedSeconds(_ pid: Int32) -> Double {
    guard let text = ProcessFile.secondWord(of: "schedstat", pid), let nanoseconds = Double(text) else { return 0 }
    return nanoseconds / 1e9
  }
}
