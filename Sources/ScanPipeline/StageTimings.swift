/// Where a pair's time went. Timings stay out of records.
package struct StageTimings: Sendable {
  package enum Stage: String, Sendable, CaseIterable {
    /// Open, decode, find the card and unwarp it.
    case load
    case classify, save, recognise, decode, check
  }

  package private(set) var nanoseconds: [Stage: UInt64] = [:]
  let clock: @Sendable () -> UInt64

  init(clock: @escaping @Sendable () -> UInt64) { self.clock = clock }

  /// Adds the time that `body` takes to a stage.
  mutating func measure<T, E: Error>(_ stage: Stage, _ body: () throws(E) -> T) throws(E) -> T {
    let start = clock()
    defer { nanoseconds[stage, default: 0] += clock() - start }
    return try body()
  }
}
