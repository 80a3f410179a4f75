// The batch engine: many pairs through worker processes, in order, exactly once, whatever happens.

/// One run over an input. It supervises workers; it reads no image itself.
package struct BatchRun: Sendable {
  package let settings: RunSettings

  package init(_ settings: RunSettings) { self.settings = settings }

  /// Runs to the end, or to the first thing that stops it. It never throws: what went wrong is the outcome's status.
  package func run(_ observer: some RunObserver = SilentObserver()) -> RunOutcome {
    RunOutcome(status: .internalError, message: "not built yet")
  }
}
