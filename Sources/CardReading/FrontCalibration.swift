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

  /// - Parameter isReadAgain: whether further views were read since the first left a doubt: what they say together is other
  ///   evidence.
  package static func model(_ field: FieldName, isReadAgain: Bool) -> FrontCalibration {
    if isReadAgain {
      return switch field {
      case .name, .fatherName: namesAgain
      case .identityNumber: numberAgain
      default: shapedAgain
      }
    }
    return switch field {
    case .name, .fatherName: names
    case .country: country
    case .identityNumber: number
    case .dateOfBirth, .dateOfIssue, .dateOfExpiry: dates
    case .gender: gender
    }
  }

  // Shine right of a number or a date says nothing against it: it has all its characters or no value. Of 184 such values right of which
  // the paper was blown out, and 39 on such paper (Models/README.md), none was wrong.
  //
  // Fitted by Tools/calibration/fit.py on 360 drawn cards (names on 780), 200 (310) of them hard, that took no part in any
  // training (Models/README.md). The thresholds are where the half of them that took no part in the fit held no wrong value.

  static let names = FrontCalibration(
    weights: [
      -3.58, 2.04, -0.16, 3.43, -6.00, -2.24, -2.88, -0.54, -1.76, -3.00, -2.99,
      -0.98, -3.00, -0.82, -2.61, -3.09, -0.75, -0.52, -0.09, 0.00, -1.10,
    ], threshold: 0.98)

  static let country = FrontCalibration(
    weights: [
      4.82, 1.17, 0.68, 0.67, -3.00, -0.50, -0.50, -1.99, -2.00, -1.00, 0.00,
      -1.00, -0.99, -1.00, -3.00, -1.00, -1.00, 0.04, 0.00, 0.00, -0.48,
    ], threshold: 0.95)

  static let number = FrontCalibration(
    weights: [
      -3.85, 4.25, -0.19, 1.32, -5.00, 0.00, 0.00, 0.00, -1.00, -0.30, 0.00,
      -1.00, -1.00, -1.00, -0.50, -0.94, -1.00, -0.57, 0.00, 4.00, -1.09,
    ], threshold: 0.985)

  // A 3 that both networks took for a 5, each nine times in ten sure, had 0.9996 and another 0.99971 (hard): such are read again.
  static let dates = FrontCalibration(
    weights: [
      4.00, 1.70, 0.72, 0.71, -5.00, 0.00, 0.00, 0.00, -1.00, -1.00, 0.00,
      -0.99, -0.99, -1.00, -2.99, -0.99, -1.00, 0.06, 0.00, 2.51, -0.47,
    ], threshold: 0.9998)

  static let gender = FrontCalibration(
    weights: [
      3.12, 1.64, 0.64, 0.63, -5.00, 0.00, 0.00, -1.00, -2.00, -0.50, 0.00,
      -1.00, 0.00, -1.00, -3.00, -1.00, -1.00, 0.00, 0.00, 1.06, -0.48,
    ], threshold: 0.95)

  static let namesAgain = FrontCalibration(
    weights: [
      1.50, 2.05, 0.43, -0.88, -6.00, -1.11, -3.04, 0.89, -1.58, -3.00, -3.00,
      -0.81, -3.00, -0.78, -1.55, -4.22, -0.65, 0.50, -0.50, 0.00, -0.94, -12.06, -0.87,
    ], threshold: 0.97)

  // A wrong one, its first digit washed out, had 0.9948 (hard). A number that the barcode confirms is far above the threshold.
  static let numberAgain = FrontCalibration(weights: shapedAgain.weights, threshold: 0.996)

  static let shapedAgain = FrontCalibration(
    weights: [
      2.00, 1.50, 0.50, 0.50, -5.00, 0.00, 0.00, 0.00, -1.00, -0.30, 0.00,
      -1.00, 0.00, -1.00, -0.50, -1.00, -1.00, 0.00, 0.00, 3.00, -0.50, -12.00, -8.00,
    ], threshold: 0.975)
}
