package import CardModel

/// Which pairs a person should look at, and why.
package struct ReviewRule: Sendable, Equatable {
  /// A field read with less confidence is looked at. Nothing is emitted under 0.95 (FrontCalibration), so that the usual floor stands
  /// above: one doubt in a hundred.
  package var confidenceFloor: Double

  package init(confidenceFloor: Double = 0.99) { self.confidenceFloor = confidenceFloor }

  /// Why a pair needs a person.
  package enum Finding: Sendable, Hashable {
    /// It ended other than as matched or unverified.
    case outcome(Outcome)
    case failedCheck(Check)
    case lowConfidence(FieldName)
    /// Nothing is wrong with it: it is part of the sample.
    case sample
  }

  /// Everything that calls for a person; empty where nothing does.
  package func findings(in line: ResultLine) -> [Finding] {
    var findings: [Finding] = []
    switch line.outcome {
    case .matched, .unverified: break
    case .mismatched, .rescanBack, .launchFailure, .noValidFrame, .failed: findings.append(.outcome(line.outcome))
    }
    findings += Check.allCases.filter { line.details.checks[$0] == .fail }.map(Finding.failedCheck)
    findings += FieldName.allCases.filter { (line.details.confidence[$0] ?? 1) < confidenceFloor }.map(
      Finding.lowConfidence)
    return findings
  }

  /// Whether a pair belongs to a sample of that size, 0...1: always the same pairs, whatever the order and the machine.
  package static func isInSample(id: String, fraction: Double) -> Bool {
    // FNV-1a, then a mix (splitmix64), so that ids that differ in their last digit alone spread evenly.
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in id.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    hash = (hash ^ (hash >> 30)) &* 0xBF58_476D_1CE4_E5B9
    hash = (hash ^ (hash >> 27)) &* 0x94D0_49BB_1331_11EB
    hash ^= hash >> 31
    return Double(hash >> 11) < fraction * Double(UInt64(1) << 53)
  }
}
