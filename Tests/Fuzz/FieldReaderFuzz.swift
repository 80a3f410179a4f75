import CardModel
import CardReading

/// libFuzzer's entry: lines of text as recognition may give them, with any numbers for what was measured, read as the fields of a
/// front. What is emitted must be what was read, well formed, and never altered toward the barcode's number.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzFieldReader(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  var bytes = Array(UnsafeBufferPointer(start: start, count: count))[...]
  /// Zero, one, small, large, negative, infinite and no number at all.
  func number() -> Double {
    guard let byte = bytes.popFirst() else { return 0.5 }
    switch byte {
    case 250: return .infinity
    case 251: return -.infinity
    case 252: return .nan
    case 253: return -1e300
    case 254: return 1e300
    default: return Double(byte) / 128
    }
  }
  let barcode = IdentityNumber(String(decoding: bytes.prefix(13), as: UTF8.self))
  var texts = bytes.split(separator: 0x0A, maxSplits: 24, omittingEmptySubsequences: false)
    .map { String(decoding: $0, as: UTF8.self) }[...]
  func read(_ text: String) -> ReadText {
    ReadText(text, symbolConfidences: text.unicodeScalars.prefix(40).map { _ in number() })
  }
  let observations = FieldName.allCases.map { field in
    let first = texts.popFirst() ?? ""
    let lines = first.split(separator: "|", maxSplits: 2, omittingEmptySubsequences: false).map { part in
      ObservedLine(
        first: read(String(part)), second: texts.popFirst().map(read), third: texts.popFirst().map(read),
        gaps: [number(), number()], gapRight: number(), inkRight: number(), inkBelow: number(), glareInside: number(),
        glareRight: number(), contrast: number(), faintest: number(), textRight: number(), offsetLeft: number(),
        width: number())
    }
    return FieldObservation(field: field, lines: lines)
  }
  let decision = decideFront(observations, barcodeNumber: barcode)
  let withoutBarcode = decideFront(observations, barcodeNumber: nil)
  for observation in observations {
    _ = readLabel(observation.firstText, at: observation.field)
    _ = CountryName(observation.firstText)
    let value = parseFrontValue(observation.firstText, field: observation.field)
    if case .number(let found)? = value {
      // The digits stand in the text in this order, and the form is the card's.
      var digits = found.digits[...]
      for scalar in observation.firstText.unicodeScalars {
        if let digit = IdentityNumber.decimalDigit(scalar), digits.first == Character(Unicode.Scalar(0x30 + digit)) {
          digits.removeFirst()
        }
      }
      precondition(digits.isEmpty, "a number from nowhere")
      precondition(IdentityNumber(found.formatted) == found)
    }
    if case .date(let date)? = value { precondition(CardDate(date.formatted) == date, "a date that is none") }
    if let probability = decision.confidence[observation.field] {
      precondition(value != nil && (0...1).contains(probability), "a probability that is none")
    }
  }
  if let number = decision.data.identityNumber, let other = withoutBarcode.data.identityNumber {
    precondition(number == other, "the barcode altered the printed number")
  }
  return 0
}
