internal import CardModel
internal import RecordFormats

/// The counters of a run. They stand in the ledger and grow with each batch in its transaction, so that they are right after
/// any crash and the results need not be read again.
struct RunTallies: Sendable, Equatable {
  private(set) var counts: [String: Int]

  init(_ counts: [String: Int] = [:]) { self.counts = counts }

  mutating func count(_ result: ResultLine) {
    add("outcome", result.outcome.rawValue)
  }

  private mutating func add(_ group: String, _ name: String) { counts[group + "." + name, default: 0] += 1 }

  /// The counts of one group by name.
  func group(_ group: String) -> [String: Int] {
    var found: [String: Int] = [:]
    for (key, count) in counts where key.hasPrefix(group + ".") {
      found[String(key.dropFirst(group.count + 1))] = count
    }
    return found
  }

  var outcomes: [Outcome: Int] {
    var outcomes: [Outcome: Int] = [:]
    for (name, count) in group("outcome") { if let outcome = Outcome(rawValue: name) { outcomes[outcome] = count } }
    return outcomes
  }
}
