internal import Synchronization

/// What passes between a run's threads. Every bound is here.
final class RunTraffic: Sendable {
  /// From the reader to the lanes.
  let queue: BoundedQueue<(Int, PairItem)>
  /// What lanes did before its turn came; its places in the queue are numbered `earlyPlace`.
  let headStart = HeadStart()
  static let earlyPlace = -1
  /// From the lanes to the writer, in order. Answers may hold images (iOS): the window bounds their number.
  let window: ReorderWindow<Finished>

  private struct State {
    var total: Int?
    var replaced = 0
    var end: InputEnd?
  }
  private let state = Mutex(State())

  init(jobs: Int) {
    queue = BoundedQueue(capacity: 2 * jobs)
    window = ReorderWindow(capacity: max(256, 16 * jobs))
  }

  func setTotal(_ total: Int?, shard: Shard?) {
    // A shard's own part is only known at the end.
    state.withLock { $0.total = shard == nil ? total : nil }
  }
  var total: Int? { state.withLock { $0.total } }

  func addReplaced(_ count: Int) { state.withLock { $0.replaced += count } }
  var replaced: Int { state.withLock { $0.replaced } }

  /// The reader came to the end of its input.
  func noteEnd(_ end: InputEnd) {
    state.withLock { state in
      state.end = end
      state.total = end.issued
    }
  }
  /// What the reader found, `nil` unless it came to the end of its input.
  var end: InputEnd? { state.withLock { $0.end } }
}

/// What is known of an input once it was read to its end.
struct InputEnd: Sendable {
  /// The number of places handed out: this shard's pairs.
  var issued: Int
  /// The number of pairs in the whole input, other shards' included.
  var positions: Int
  var unpaired: UnpairedFiles
  /// Of everything that the input says; only computed for shards.
  var digest: Digest
}
