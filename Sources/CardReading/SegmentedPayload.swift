import CardModel

/// An old card's payload: control number, number, family number, date of birth, then low-byte Urdu text, divided by CR,
/// LF or CRLF, perhaps with empty segments (facts: symbology and CR high, order medium, so order is not relied on where
/// shape can tell).
enum SegmentedPayload {
  /// - Returns: `nil` where nothing of an old card's structure is there.
  static func read(_ bytes: [UInt8], symbology: Symbology) -> BarcodePayload? {
    let segments = split(bytes)
    return segments.count > 1
      ? readSegments(segments, symbology: symbology) : UndelimitedPayload.read(bytes, symbology: symbology)
  }

  // MARK: Delimited

  private static func readSegments(_ segments: [ArraySlice<UInt8>], symbology: Symbology) -> BarcodePayload? {
    var fields: [String: String] = [:]
    var numbers: [(place: Int, number: IdentityNumber)] = []
    var urdu: [ArraySlice<UInt8>] = []
    for (place, segment) in segments.enumerated() {
      // What follows the date of birth is Urdu by its place: there a run of "digits" is letters (U+0630...U+0639).
      if fields["dateOfBirth"] != nil {
        urdu.append(segment)
      } else if let number = PayloadBytes.identityNumber(segment) {
        numbers.append((place, number))
      } else if let date = date(segment) {
        fields["dateOfBirth"] = date.formatted
      } else if fields["controlNumber"] == nil, isControlNumber(segment) {
        fields["controlNumber"] = String(decoding: segment, as: UTF8.self)
      } else if fields["familyNumber"] == nil, isFamilyNumber(segment) {
        fields["familyNumber"] = String(decoding: segment, as: UTF8.self)
      }
    }
    guard let first = numbers.first else { return nil }
    let evidence = fields["controlNumber"] != nil || fields["dateOfBirth"] != nil || fields["familyNumber"] != nil
    // Lines of text with a number of 13 digits among them are no card's payload.
    guard evidence else { return BarcodePayload(kind: .ambiguous, candidate: first.number) }
    let severalNumbers = numbers.contains { $0.number != first.number }
    // The first segment is the control number's place; digit + stamp there is the time stamp trap, letters or not.
    let mayBeStamp =
      first.place == 0 && fields["controlNumber"] == nil
      && PayloadBytes.isStamp(ArraySlice(Array(first.number.digits.utf8)[1...]))
    let otherSymbology = symbology != .pdf417 && fields["controlNumber"] == nil
    for (name, segment) in zip(urduFieldNames, urdu) {
      let text = date(segment)?.formatted ?? LowByteUrdu.decode(segment)
      if !text.isEmpty { fields[name] = text }
    }
    if severalNumbers || mayBeStamp || otherSymbology {
      let candidate = mayBeStamp ? numbers.last : first
      return BarcodePayload(kind: .ambiguous, candidate: candidate?.number, fields: fields)
    }
    return BarcodePayload(kind: .segmented, identityNumber: first.number, fields: fields)
  }

  /// In the order in which the Urdu segments stand (facts M).
  static let urduFieldNames = ["name", "fatherName", "address", "permanentAddress"]

  /// The segments that are not empty. A decoder's or writer's words for control characters, `<CR>` and its kin, divide too.
  static func split(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    var segments: [ArraySlice<UInt8>] = []
    var start = 0
    var i = 0
    func close(at end: Int) {
      let segment = bytes[start..<end].drop { $0 == 0x20 || $0 == 0 }
      let last = segment.lastIndex { $0 != 0x20 && $0 != 0 }
      if let last { segments.append(segment[...last]) }
    }
    while i < bytes.count {
      let width = delimiterWidth(bytes, at: i)
      if width > 0 {
        close(at: i)
        start = i + width
      }
      i += max(1, width)
    }
    close(at: bytes.count)
    return segments
  }

  private static func delimiterWidth(_ bytes: [UInt8], at i: Int) -> Int {
    switch bytes[i] {
    case 0x0D, 0x0A, 0x1D, 0x1E: return 1
    case 0x3C:
      guard i + 3 < bytes.count, bytes[i + 3] == 0x3E else { return 0 }
      let word = String(decoding: bytes[(i + 1)..<(i + 3)], as: UTF8.self)
      return ["CR", "LF", "GS", "RS"].contains(word) ? 4 : 0
    default: return 0
    }
  }

  static func date(_ segment: ArraySlice<UInt8>) -> CardDate? {
    guard segment.count == 10 else { return nil }
    return CardDate(String(decoding: segment, as: UTF8.self))
  }

  /// Capitals and digits that begin with a letter and end with the 12 digits of a stamp, such as `A0X1` + `200801021234`.
  /// Whether those are a date is not asked: a segment of its own needs no proof, unlike `UndelimitedPayload`'s.
  static func isControlNumber(_ segment: ArraySlice<UInt8>) -> Bool {
    guard (13...20).contains(segment.count), let first = segment.first, PayloadBytes.isUpper(first),
      segment.allSatisfy({ PayloadBytes.isUpper($0) || PayloadBytes.isDigit($0) })
    else { return false }
    return segment.suffix(12).allSatisfy(PayloadBytes.isDigit)
  }

  /// 4 to 10 capitals and digits with a letter among them, such as `R0X00M`.
  static func isFamilyNumber(_ segment: ArraySlice<UInt8>) -> Bool {
    (4...10).contains(segment.count) && segment.contains(where: PayloadBytes.isUpper)
      && segment.allSatisfy { PayloadBytes.isUpper($0) || PayloadBytes.isDigit($0) }
  }
}
