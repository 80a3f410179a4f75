import CardModel
import Foundation

/// Gathers a summary pair by pair, in memory that does not grow with their number.
package struct SummaryBuilder: Sendable {
  private var counted = Summary()
  private var stages: [String: StageHistogram] = [:]
  private let rule: ReviewRule

  package init(rule: ReviewRule = ReviewRule()) { self.rule = rule }

  /// Counts a pair's result.
  /// - Parameter stages: milliseconds a stage.
  /// - Parameter secondsSinceStart: when it was done; `nil` where that is not known, e.g. from before a resume.
  package mutating func add(
    _ line: ResultLine, stages times: [String: Double] = [:], secondsSinceStart: Double? = nil
  ) {
    counted.outcomes[line.outcome, default: 0] += 1
    for reason in line.reasons { counted.reasons[reason, default: 0] += 1 }
    for frame in line.details.setAside { counted.framesSetAside[frame.reason, default: 0] += 1 }
    for (check, result) in line.details.checks { counted.checks[check, default: [:]][result, default: 0] += 1 }
    if let barcode = line.details.barcode { counted.symbologies[barcode.symbology, default: 0] += 1 }
    for confidence in line.details.confidence.values { counted.confidence[Self.bin(confidence)] += 1 }
    if let payload = line.payload { add(payload) }
    if !rule.findings(in: line).isEmpty { counted.needsPerson += 1 }
    for (stage, milliseconds) in times { self.stages[stage, default: StageHistogram()].add(milliseconds) }
    if let secondsSinceStart { counted.throughput.add(atSeconds: secondsSinceStart) }
  }

  private mutating func add(_ payload: OcrResult) {
    counted.documentTypes[payload.documentType, default: 0] += 1
    guard payload.documentType == .new, payload.frontImage != nil else { return }
    counted.newFronts += 1
    for field in FieldName.allCases where payload.extractedData[field] != nil {
      counted.fields[field, default: 0] += 1
    }
  }

  private static func bin(_ confidence: Double) -> Int {
    guard confidence.isFinite else { return 0 }
    // 0.95 * 20 is 19 and a hair less in binary: what prints as a bin's edge belongs to the bin above it.
    let place = Int((confidence * 10_000).rounded()) * Summary.confidenceBins / 10_000
    return min(max(0, place), Summary.confidenceBins - 1)
  }

  /// The summary so far. The caller adds what results do not tell: `found`, `skipped` and the input's own counts.
  /// - Parameter seconds: wall time; pairs from before a resume do not count for the rate.
  package func summary(found: Int, skipped: Int, seconds: Double) -> Summary {
    var summary = counted
    (summary.found, summary.skipped, summary.seconds) = (found, skipped, seconds)
    let timed = summary.throughput.pairs.reduce(0, +)
    summary.pairsPerSecond = seconds > 0 ? Double(timed > 0 ? timed : summary.done) / seconds : 0
    summary.stages = stages.mapValues(\.times)
    return summary
  }
}

/// Times of one stage in buckets whose bounds grow by a twentieth, from 10 microseconds to several hours.
private struct StageHistogram: Sendable {
  private static let smallest = 0.01
  private static let growth = 1.05
  private static let count = 400

  private var buckets = [Int](repeating: 0, count: count)
  private var pairs = 0
  private var total = 0.0
  private var maximum = 0.0

  mutating func add(_ milliseconds: Double) {
    guard milliseconds.isFinite, milliseconds >= 0 else { return }
    let place = milliseconds <= Self.smallest ? 0 : Int(log(milliseconds / Self.smallest) / log(Self.growth))
    buckets[min(place, Self.count - 1)] += 1
    pairs += 1
    total += milliseconds
    maximum = max(maximum, milliseconds)
  }

  var times: Summary.StageTimes {
    var times = Summary.StageTimes()
    times.count = pairs
    times.mean = pairs > 0 ? total / Double(pairs) : 0
    times.median = quantile(0.5)
    times.p95 = quantile(0.95)
    times.maximum = maximum
    return times
  }

  private func quantile(_ fraction: Double) -> Double {
    let rank = Int((Double(pairs) * fraction).rounded(.up))
    var seen = 0
    for (index, count) in buckets.enumerated() {
      seen += count
      if seen >= rank, seen > 0 { return min(maximum, Self.smallest * pow(Self.growth, Double(index) + 0.5)) }
    }
    return 0
  }
}
