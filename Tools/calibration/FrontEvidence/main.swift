import BarcodeDecoding
import CardModel
import CardReading
import Foundation
import Imaging
import ScanPipeline
import TextRecognition

// Reads the fronts of drawn cards and says of each value what was seen and whether it was right: what Tools/calibration
// fits on, and where one looks when a value was withheld.
//
//   front-evidence TRUTH.ndjson [CROPS] > EVIDENCE.ndjson
//
// TRUTH lists pairs as `cnicscan specimens` writes them; images are looked for beside it, or at its absolute paths. With CROPS every
// line that was not read right is written there as PGM. Drawn cards only: the output holds what was read.

guard (2...3).contains(CommandLine.arguments.count) else {
  FileHandle.standardError.write(Data("usage: front-evidence TRUTH.ndjson [CROPS]\n".utf8))
  exit(64)
}
let truthFile = URL(fileURLWithPath: CommandLine.arguments[1])
let crops = CommandLine.arguments.count == 3 ? CommandLine.arguments[2] : nil
let evidence = try EvidenceReader()
for line in try String(contentsOf: truthFile, encoding: .utf8).split(separator: "\n") {
  guard
    let truth = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
    truth["documentType"] as? String == "new", let id = truth["id"] as? String,
    let values = truth["extractedData"] as? [String: Any], let file = frontFile(truth)
  else { continue }
  let path = file.hasPrefix("/") ? file : truthFile.deletingLastPathComponent().path + "/" + file
  let expected = Dictionary(
    uniqueKeysWithValues: FieldName.allCases.compactMap { name in
      (values[name.rawValue] as? String).map { (name, $0) }
    })
  for record in evidence.records(of: path, id: id, expected: expected, crops: crops) {
    let data = try JSONSerialization.data(withJSONObject: record, options: [.sortedKeys, .withoutEscapingSlashes])
    FileHandle.standardOutput.write(data + Data("\n".utf8))
  }
}

func frontFile(_ truth: [String: Any]) -> String? {
  if let front = truth["front"] as? [String: Any] { return front["file"] as? String }
  let front = (truth["images"] as? [String: Any])?["front"]
  return (front as? [String: Any])?["file"] as? String ?? front as? String
}
