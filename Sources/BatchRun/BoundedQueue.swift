internal import Dispatch
internal import Synchronization

/// A queue between threads that holds at most `capacity` elements: who puts into a full one waits, who takes from an empty one too.
final class BoundedQueue<Element: Sendable>: Sendable {
  private struct State {
    var elements: [Element?] = []
    var first = 0
    var closed = false
  }
  private let state = Mutex(State())
  private let free: DispatchSemaphore
  private let filled = DispatchSemaphore(value: 0)

  init(capacity: Int) { free = DispatchSemaphore(value: capacity) }

  /// Waits for a place and takes it.
  func put(_ element: Element) {
    free.wait()
    state.withLock { $0.elements.append(element) }
    filled.signal()
  }

  /// Takes a place only where one is free now.
  /// - Returns: whether it was.
  func putIfFree(_ element: Element) -> Bool {
    guard free.wait(timeout: .now()) == .success else { return false }
    state.withLock { $0.elements.append(element) }
    filled.signal()
    return true
  }

  /// Says that nothing comes any more; whoever waits for an element gets `nil`.
  func close() {
    state.withLock { $0.closed = true }
    filled.signal()
  }

  /// The next element; `nil` once the queue is closed and empty.
  func take() -> Element? {
    filled.wait()
    let element = state.withLock { state -> Element? in
      guard state.first < state.elements.count else { return nil }
      let element = state.elements[state.first]
      state.elements[state.first] = nil
      state.first += 1
      if state.first > 64, state.first * 2 > state.elements.count {
        state.elements.removeFirst(state.first)
        state.first = 0
      }
      return element
    }
    // Closing signals once; each taker that finds nothing passes it on to the next.
    if element == nil { filled.signal() } else { free.signal() }
    return element
  }
}

/// Puts what lanes finish in any order back into the order in which it was handed out. At most `capacity` places are out at a time.
final class ReorderWindow<Element: Sendable>: Sendable {
  private struct State {
    var waiting: [Int: Element] = [:]
    var next = 0
    /// Set once no further place is handed out: the number of places in all.
    var end: Int?
  }
  private let state = Mutex(State())
  private let free: DispatchSemaphore
  private let changed = DispatchSemaphore(value: 0)

  init(capacity: Int) { free = DispatchSemaphore(value: capacity) }

  /// Waits until another place may be handed out.
  func reserve() { free.wait() }

  /// Fills the place `index`; places are counted from 0 in the order they were reserved.
  func fill(_ index: Int, _ element: Element) {
    let isNext = state.withLock { state in
      state.waiting[index] = element
      return index == state.next
    }
    if isNext { changed.signal() }
  }

  /// Says how many places there are in all.
  func end(at count: Int) {
    state.withLock { $0.end = count }
    changed.signal()
  }

  enum Next { case element(Element), ended, nothingYet }

  /// The next element in order.
  /// - Parameter timeout: how long to wait for it.
  func next(timeout: DispatchTimeInterval) -> Next {
    if let next = poll() { return next }
    _ = changed.wait(timeout: .now() + timeout)
    return poll() ?? .nothingYet
  }

  private func poll() -> Next? {
    let next = state.withLock { state -> Next? in
      if let element = state.waiting.removeValue(forKey: state.next) {
        state.next += 1
        return .element(element)
      }
      return state.end == state.next ? .ended : nil
    }
    if case .element = next { free.signal() }
    return next
  }
}
