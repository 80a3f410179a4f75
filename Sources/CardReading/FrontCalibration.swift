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

  // Fitted by Tools/calibration/fit.py on 660 spoilt cards of which the networks had seen none (5,000 values, Models/README.md);
  // at these thresholds the half of them that took no part in the fit held no wrong value.

  static let names = FrontCalibration(
    weights: [
      -4.92, 4.21, -0.81, 2.83, -6.00, -1.49, -4.68, -0.77, -1.41, -3.74,
      -3.00, -0.82, -3.00, -1.00, -2.97, -0.83, -0.09, -0.15, 0.34, 0.00, 0.00,
    ], threshold: 0.95)

  static let country = FrontCalibration(
    weights: [
      5.22, 1.25, 0.77, 0.74, -3.00, -0.49, -0.50, -1.95, -2.00, -1.00,
      0.00, -1.00, -0.99, -1.00, -3.00, -0.99, -1.00, 0.05, 0.00, 0.00, 0.00,
    ], threshold: 0.95)

  static let number = FrontCalibration(
    weights: [
      0.52, 1.62, 0.02, 1.70, -5.00, 0.00, 0.00, -1.83, -1.95, -1.00,
      0.00, -1.00, -1.00, -1.00, -2.89, -0.73, -1.00, -0.21, 0.00, 4.00, 0.00,
    ], threshold: 0.97)

  static let dates = FrontCalibration(
    weights: [
      4.33, 1.78, 0.79, 0.77, -5.00, 0.00, 0.00, -1.93, -1.99, -1.00,
      0.00, -1.00, -1.00, -1.00, -3.00, -0.99, -1.00, 0.07, 0.00, 2.51, 0.00,
    ], threshold: 0.95)

  static let gender = FrontCalibration(
    weights: [
      3.65, 1.74, 0.74, 0.75, -5.00, 0.00, 0.00, -0.98, -2.00, -0.50,
      0.00, -0.99, 0.00, -1.00, -3.00, -0.99, -1.00, 0.01, 0.00, 1.01, 0.00,
    ], threshold: 0.95)
}
