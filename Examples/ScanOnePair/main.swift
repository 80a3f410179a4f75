// Scans one card from files with the library and prints what the delegate is told:
//
//   scan-one-pair 42101-0000001-7 front.jpg back.jpg

import CNICScan
import CardModel

final class Printer: OcrControllerDelegate {
  func handleResponse(
    identityNumber: String?, frontImage: String, backImage: String, documentType: DocumentType, distance: Double,
    extractedData: ExtractedData
  ) {
    print("documentType:", documentType.rawValue)
    print("the barcode's number is the expected one:", distance == 0)
    for field in FieldName.allCases {
      if let value = extractedData[field] { print("\(field.rawValue):", value) }
    }
  }
  func handleError(code: String) { print("error:", code) }
  func handleInfo(message: String) { print("info:", message) }
}

let arguments = CommandLine.arguments.dropFirst()
guard arguments.count == 3, let number = arguments.first, let front = arguments.dropFirst().first,
  let back = arguments.last
else { fatalError("usage: scan-one-pair NUMBER FRONT BACK") }
let printer = Printer()
let controller = try OcrController(identityNumber: number, delegate: printer)
controller.scan(front: [front], back: [back])
