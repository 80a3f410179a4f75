import CardModel
import Foundation
import Testing

@testable import CardReading

/// Whether the probabilities said of values hold, on evidence of drawn cards of seeds that no fit has seen
/// (`Tools/calibration/fixture.py` makes `evidence.csv`; Models/README.md says of which).
struct CalibrationTests {
  struct Value {
    var model: FrontCalibration
    var isRight: Bool
    var evidence: FrontEvidence
    var probability: Double { model.probability(evidence) }
  }

  struct Malformed: Error { var line: String }

  private let values: [Value]

  init() throws {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "evidence.csv")
    values = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
      let cells = line.split(separator: ",")
      let features = cells.dropFirst(3).compactMap { Double($0) }
      guard cells.count == 3 + FrontEvidence.names.count, features.count == FrontEvidence.names.count,
        let model = Self.model(cells[0])
      else { throw Malformed(line: String(line)) }
      return Value(
        model: model, isRight: cells[1] == "1",
        evidence: FrontEvidence(features: features, isContradicted: cells[2] == "1"))
    }
  }

  private static func model(_ group: Substring) -> FrontCalibration? {
    switch group {
    case "names": .names
    case "namesAgain": .namesAgain
    case "shapedAgain": .shapedAgain
    case "country": .country
    case "number": .number
    case "dates": .dates
    case "gender": .gender
    default: nil
    }
  }

  private func emitted(threshold: Double? = nil) -> [Value] {
    values.filter { !$0.evidence.isContradicted && $0.probability >= threshold ?? $0.model.threshold }
  }

  /// The upper end of Wilson's 95% interval of a share.
  private func upperEnd(_ count: Int, of all: Int) -> Double {
    let (z, n) = (1.96, Double(all))
    let share = Double(count) / n
    let spread = z * (share * (1 - share) / n + z * z / (4 * n * n)).squareRoot()
    return (share + z * z / (2 * n) + spread) / (1 + z * z / n)
  }

  @Test func noWrongValueIsEmitted() {
    #expect(emitted().filter { !$0.isRight }.isEmpty)
    #expect(Double(emitted().count) > 0.9 * Double(values.count))
  }

  @Test(arguments: [0.5...0.9, 0.9...0.97, 0.97...0.99, 0.99...1.0])
  func valuesAreRightAsOftenAsIsSaid(_ said: ClosedRange<Double>) {
    let inside = emitted(threshold: said.lowerBound).filter { $0.probability <= said.upperBound }
    guard !inside.isEmpty else { return }
    let mean = inside.map(\.probability).reduce(0, +) / Double(inside.count)
    #expect(upperEnd(inside.count { $0.isRight }, of: inside.count) >= mean)
  }

  /// Were there nothing to withhold in the evidence, the tests above could not fail.
  @Test func theEvidenceHoldsWrongValuesThatOnlyTheRulesWithhold() {
    #expect(values.contains { !$0.isRight && $0.evidence.isContradicted })
    #expect(values.contains { !$0.isRight && $0.probability > 0.5 })
  }
}
