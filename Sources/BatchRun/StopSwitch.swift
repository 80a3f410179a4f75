internal import Synchronization

/// Tells every thread of a run to stop, and why.
final class StopSwitch: Sendable {
  private struct State {
    var since: Double?
    var error: RunError?
  }
  private let state = Mutex(State())
  private let isOn = Atomic(false)

  /// How long pairs in flight may still take after a signal.
  static let graceSeconds = 4.0

  /// Stops the run in order: what is in flight may finish within `graceSeconds`.
  func stop() { set(nil) }

  /// Stops the run because of an error; the first one counts.
  func stop(_ error: RunError) { set(error) }

  private func set(_ error: RunError?) {
    state.withLock { state in
      if state.since == nil { state.since = MonotonicClock.now() }
      if state.error == nil { state.error = error }
    }
    isOn.store(true, ordering: .releasing)
  }

  var isStopped: Bool { isOn.load(ordering: .acquiring) }

  /// What stopped the run, `nil` where it was a signal or nothing.
  var error: RunError? { state.withLock { $0.error } }

  /// Whether what is in flight is to be dropped now.
  var isGraceOver: Bool {
    guard isStopped else { return false }
    return state.withLock { state in
      guard let since = state.since else { return false }
      return state.error != nil || MonotonicClock.now() - since > Self.graceSeconds
    }
  }
}
