import CardModel
import CardReading

/// libFuzzer's entry: any bytes, read as each symbology's payload and as lines of a TD1 zone. What must hold of every
/// answer is checked here, so that a broken rule stops the fuzzer as a crash does. `Tests/Fuzz/run` builds and runs it.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzBarcodePayload(_ start: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  for symbology in Symbology.allCases {
    let payload = BarcodePayload.read(bytes, symbology: symbology)
    switch payload.kind {
    case .qr26, .plainNumber, .segmented:
      precondition(payload.candidate == nil)
      precondition(payload.identityNumber?.hasKnownRegion == true)
    case .ambiguous:
      precondition(payload.identityNumber == nil && payload.candidate?.hasKnownRegion == true)
    case .withoutNumber:
      precondition(payload.identityNumber == nil && payload.candidate == nil)
    }
    if payload.kind == .qr26 { precondition(symbology == .qr) }
    // A number comes from the payload's own digits, never from nowhere.
    if let number = payload.identityNumber ?? payload.candidate {
      let digits = String(decoding: bytes, as: UTF8.self).unicodeScalars.compactMap(IdentityNumber.decimalDigit)
      precondition(String(digits.map { Character(Unicode.Scalar(0x30 + $0)) }).contains(number.digits))
    }
  }
  let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false).map { String(decoding: $0, as: UTF8.self) }
  if let zone = MachineReadableZone(lines: lines) { precondition(zone.birth.count <= 6) }
  return 0
}
