internal import Dispatch
internal import RecordFormats
internal import Synchronization

/// Pairs of a directory that are scanned while its listing still goes on, before the input's order is known.
///
/// At most as many as the lanes' queue holds are out at a time, 64 in all. What comes of them waits here until their turn in the
/// order; it is taken only where the pair is then exactly what was scanned, so that the results are those of an ordinary run.
final class HeadStart: Sendable {
  private enum State {
    case running(DispatchSemaphore)
    case done(DonePair)
  }
  private let states = Mutex<[ExactText: State]>([:])

  /// Says that a lane will scan this pair early.
  func begin(_ key: String) { states.withLock { $0[ExactText(key)] = .running(DispatchSemaphore(value: 0)) } }

  /// Keeps what came of it; anything but a result is as if it had never begun.
  func finish(_ key: String, _ finished: Finished?) {
    let key = ExactText(key)
    let waiting = states.withLock { states -> DispatchSemaphore? in
      guard case .running(let semaphore) = states[key] else { return nil }
      if case .done(let pair) = finished { states[key] = .done(pair) } else { states[key] = nil }
      return semaphore
    }
    waiting?.signal()
  }

  /// Hands over what was scanned early, waiting for it where it is under way; `nil` where the pair is not the same any more.
  func take(_ item: PairItem) -> DonePair? {
    let key = ExactText(item.key)
    while true {
      let state = states.withLock { states -> State? in
        if case .done = states[key] { return states.removeValue(forKey: key) }
        return states[key]
      }
      switch state {
      case nil: return nil
      case .running(let semaphore)?: semaphore.wait()
      case .done(var pair)?:
        guard pair.item.stamp == item.stamp, pair.item.request == item.request else { return nil }
        pair.item.position = item.position
        return pair
      }
    }
  }
}
