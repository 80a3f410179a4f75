package import CardModel

/// `summary.json`: what a run came to, in counts. Nothing of a single pair stands in it.
package struct Summary: Sendable, Equatable {
  package static let schemaVersion = 1

  /// Pairs of the input.
  package var found = 0
  /// Pairs that an earlier run had done and that have not changed.
  package var skipped = 0
  package var outcomes: [Outcome: Int] = [:]
  /// Scans that completed, by the card's type.
  package var documentTypes: [DocumentType: Int] = [:]
  /// Completed scans with the front of a new card: the whole of which `fields` are parts.
  package var newFronts = 0
  /// In how many of `newFronts` each field is present.
  package var fields: [FieldName: Int] = [:]
  package var reasons: [Reason: Int] = [:]
  /// Frames that were set aside.
  package var framesSetAside: [Reason: Int] = [:]
  package var checks: [Check: [CheckResult: Int]] = [:]
  package var symbologies: [Symbology: Int] = [:]
  /// Emitted fields by confidence: `Self.confidenceBins` bins of equal width over 0...1.
  package var confidence = [Int](repeating: 0, count: Summary.confidenceBins)
  /// Pairs that a person should look at: see `ReviewRule`.
  package var needsPerson = 0
  package var stages: [String: StageTimes] = [:]
  package var throughput = Throughput()
  /// Wall time of the run that ended it; pairs from before a resume took other time.
  package var seconds = 0.0
  package var pairsPerSecond = 0.0
  /// Rows of the manifest that name no pair.
  package var refusedRows = 0
  /// Files of a directory that belong to no pair.
  package var unpairedFiles = 0
  /// Groups of pairs with one number or one image under several ids.
  package var duplicateGroups = 0
  package var workersReplaced = 0

  package static let confidenceBins = 20

  package init() {}

  /// Pairs that have a result in this run.
  package var done: Int { outcomes.values.reduce(0, +) }

  /// Whether every pair found has exactly one outcome or was skipped. Where not, the run exits 70.
  package var addsUp: Bool { found == done + skipped }

  /// How long one stage took, over the pairs that went through it; milliseconds.
  package struct StageTimes: Sendable, Equatable {
    package var count = 0
    package var mean = 0.0
    /// Within 5%.
    package var median = 0.0
    /// 95 of 100 pairs took no longer; within 5%.
    package var p95 = 0.0
    package var maximum = 0.0
    package init() {}
  }

  /// Pairs done in each stretch of the run.
  package struct Throughput: Sendable, Equatable {
    package var bucketSeconds = 1.0
    package var pairs: [Int] = []
    package init() {}

    /// More stretches are merged in twos.
    package static let maximumBuckets = 120

    /// Counts a pair that was done then.
    package mutating func add(atSeconds seconds: Double) {
      guard seconds.isFinite else { return }
      while seconds >= bucketSeconds * Double(Self.maximumBuckets) { widen() }
      let index = max(0, Int(seconds / bucketSeconds))
      while pairs.count <= index { pairs.append(0) }
      pairs[index] += 1
    }

    private mutating func widen() {
      bucketSeconds *= 2
      pairs = stride(from: 0, to: pairs.count, by: 2).map { pairs[$0] + ($0 + 1 < pairs.count ? pairs[$0 + 1] : 0) }
    }
  }
}
