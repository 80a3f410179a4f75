package import CardModel

private import Foundation

/// The logistic model that turns evidence into the probability that a value is right.
package struct FrontCalibration: Sendable, Equatable {
  /// In the order of `FrontEvidence.names`.
  package let weights: [Double]
  /// The least probability at which a value is emitted.
  package let threshold: Double

  /// The probability 0...1 that the value is right.
  package func probability(_ evidence: FrontEvidence) -> Double {
    let sum = zip(weights, evidence.features).reduce(0) { $0 + $1.0 * $1.1 }
    return 1 / (1 + exp(-sum))
  }

  package static func model(_ field: FieldName) -> FrontCalibration {
    switch field {
    case .name, .fatherName: names
    case .country: country
    case .identityNumber: number
    case .dateOfBirth, .dateOfIssue, .dateOfExpiry: dates
    case .gender: gender
    }
  }

  static let names = FrontCalibration(
    weights: [3, 1.5, 0.5, 0.5, -6, -3, -3, -3, -2, -3, -3, -1, -3, -1, -3, -1, -1, 0, -0.5, 0], threshold: 0.96)
  static let country = FrontCalibration(
    weights: [4, 1, 0.5, 0.5, -3, -0.5, -0.5, -2, -2, -1, 0, -1, -1, -1, -3, -1, -1, 0, 0, 0], threshold: 0.95)
  static let number = FrontCalibration(
    weights: [3, 1.5, 0.5, 0.5, -5, 0, 0, -2, -2, -1, 0, -1, -1, -1, -3, -1, -1, 0, 0, 4], threshold: 0.96)
  static let dates = FrontCalibration(
    weights: [3, 1.5, 0.5, 0.5, -5, 0, 0, -2, -2, -1, 0, -1, -1, -1, -3, -1, -1, 0, 0, 2.5], threshold: 0.96)
  static let gender = FrontCalibration(
    weights: [2.5, 1.5, 0.5, 0.5, -5, 0, 0, -1, -2, -0.5, 0, -1, 0, -1, -3, -1, -1, 0, 0, 2], threshold: 0.96)
}
