import BarcodeDecoding
import CardModel
import CardReading
import Foundation
import Imaging
import ScanPipeline
import TextRecognition

/// The run's own stages from a file to what is seen of each value, and the decision that follows from it.
struct EvidenceReader {
  private let imaging = CardImager()
  private let front: FrontReader
  private let classifier: CardClassifier

  /// - Throws: `ModelMissing`.
  init() throws {
    let text = try TesseractReader(files: ModelFiles.locate())
    front = FrontReader(text: text)
    classifier = CardClassifier(front: front, back: BackReader(barcodes: CardBarcodeDecoder(), text: text))
  }

  /// One record a value of the card; one record with `lost` where no front was found.
  func records(of path: String, id: String, expected: [FieldName: String], crops: String?) -> [[String: Any]] {
    let request = PairRequest(id: id, frontFiles: [path], backFiles: [], expectedNumber: nil, scanMode: .frontOnly)
    let (front, reasons) = captureFront(
      of: request, imaging: imaging, classifier: classifier, limits: ImageLimits())
    guard let front, front.face == .newFront else {
      return [["card": id, "lost": reasons.map(\.rawValue).joined(separator: " ")]]
    }
    return records(of: front, id: id, expected: expected, crops: crops)
  }

  private func records(
    of card: ClassifiedCard, id: String, expected: [FieldName: String], crops: String?
  ) -> [[String: Any]] {
    let seen = card.front ?? front.observe(card.image)
    let observations = seen.fields
    let values = frontValues(observations)
    return FieldName.allCases.compactMap { field in
      guard let truth = expected[field] else { return nil }
      var record: [String: Any] = [
        "card": id, "field": field.rawValue, "group": group(field, isReadAgain: false), "truth": truth,
        "proof": seen.proof,
      ]
      guard let observation = observations.first(where: { $0.field == field }) else { return record }
      record["group"] = group(field, isReadAgain: observation.isReadAgain)
      record["label"] = String(describing: observation.label)
      record["texts"] = observation.lines.map { line in
        [line.first.text, line.second?.text ?? "", line.third?.text ?? ""]
          + (line.furtherFirst + line.furtherSecond).map(\.text)
      }
      record["gaps"] = observation.lines.map(\.gaps)
      record["box"] = seen.boxes[field].map { [$0.x, $0.y, $0.width, $0.height] }
      if let value = values[field] {
        let evidence = FrontEvidence(observation, value: value, crossCheck: crossCheck(field, values, nil))
        let model = FrontCalibration.model(field, isReadAgain: observation.isReadAgain)
        let probability = model.probability(evidence)
        record["value"] = printed(value)
        record["right"] = printed(value) == truth
        record["features"] = evidence.features
        record["contradicted"] = evidence.isContradicted
        record["probability"] = probability
        record["emitted"] = !evidence.isContradicted && probability >= model.threshold
      }
      if let crops, record["emitted"] as? Bool != true || record["right"] as? Bool != true {
        write(front.lines(of: field, on: card.image), to: crops + "/" + id + "-" + field.rawValue)
      }
      return record
    }
  }

  private func write(_ lines: [Raster], to path: String) {
    for (index, line) in lines.enumerated() {
      let head = Data("P5\n\(line.width) \(line.height)\n255\n".utf8)
      guard FileManager.default.createFile(atPath: "\(path)-\(index).pgm", contents: head + Data(line.samples)) else {
        fatalError("the crops' directory cannot be written")
      }
    }
  }

  /// The calibration that decides.
  private func group(_ field: FieldName, isReadAgain: Bool) -> String {
    switch field {
    case .name, .fatherName: isReadAgain ? "namesAgain" : "names"
    case _ where isReadAgain: "shapedAgain"
    case .country: "country"
    case .identityNumber: "number"
    case .dateOfBirth, .dateOfIssue, .dateOfExpiry: "dates"
    case .gender: "gender"
    }
  }

  private func printed(_ value: FrontValue) -> String {
    switch value {
    case .text(let text): text
    case .number(let number): number.formatted
    case .date(let date): date.formatted
    case .lifetime: "Lifetime"
    case .gender(let gender): gender.rawValue
    }
  }
}
