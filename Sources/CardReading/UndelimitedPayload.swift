import CardModel

/// An old card's payload without any delimiter. The control number's letters, digit and stamp then run straight into the
/// number, so it is read only where exactly one division of the digits fits.
enum UndelimitedPayload {
  /// - Returns: `nil` where the payload neither begins with a control number nor holds a number and a date of birth.
  static func read(_ bytes: [UInt8], symbology: Symbology) -> BarcodePayload? {
    guard symbology == .pdf417 else { return nil }
    guard let head = headBeforeDigits(bytes) else { return withoutControlNumber(bytes) }
    let runEnd = bytes[head...].firstIndex { !PayloadBytes.isDigit($0) } ?? bytes.count
    // What follows the date of birth is Urdu and holds no digits.
    let (date, dateStart) = firstDate(bytes, from: head) ?? (nil, bytes.count)
    let fits = divisions(bytes, head: head, runEnd: min(runEnd, dateStart), limit: dateStart)
    guard let best = fits.first else { return nil }
    guard fits.count == 1 else { return BarcodePayload(kind: .ambiguous, candidate: best.number) }
    var fields = ["controlNumber": String(decoding: bytes[..<best.controlEnd], as: UTF8.self)]
    if let date {
      fields["dateOfBirth"] = date.formatted
      let between = bytes[best.numberEnd..<dateStart]
      if SegmentedPayload.isFamilyNumber(between) { fields["familyNumber"] = String(decoding: between, as: UTF8.self) }
      let text = LowByteUrdu.decode(bytes[(dateStart + 10)...])
      if !text.isEmpty { fields["text"] = text }
    }
    return BarcodePayload(kind: .segmented, identityNumber: best.number, fields: fields)
  }

  /// A number of its own and a date, without the control number that begins every known card's payload.
  private static func withoutControlNumber(_ bytes: [UInt8]) -> BarcodePayload? {
    guard let (_, dateStart) = firstDate(bytes, from: 0) else { return nil }
    let runs = digitRuns(bytes, from: 0, to: dateStart).filter { $0.count == 13 }
    guard let candidate = runs.lazy.compactMap({ PayloadBytes.identityNumber(bytes[$0]) }).first else { return nil }
    return BarcodePayload(kind: .ambiguous, candidate: candidate)
  }

  private struct Division {
    var controlEnd: Int
    var numberEnd: Int
    var number: IdentityNumber
  }

  /// Every way to read stamp and number. A number in the stamp's own run must end it, or what is left would belong to the
  /// family number and the cut would be a guess: such cuts count as fits, so that they make the payload ambiguous.
  private static func divisions(_ bytes: [UInt8], head: Int, runEnd: Int, limit: Int) -> [Division] {
    var fits: [Division] = []
    for stampStart in head..<max(head, min(head + 4, runEnd - 11))
    where PayloadBytes.isStamp(bytes[stampStart..<(stampStart + 12)]) {
      let controlEnd = stampStart + 12
      if controlEnd == runEnd {
        for run in digitRuns(bytes, from: runEnd, to: limit) where run.count >= 13 {
          let windows = run.count == 13 ? [run] : [run.prefix(13), run.suffix(13)]
          for window in windows {
            guard let number = PayloadBytes.identityNumber(bytes[window]) else { continue }
            fits.append(Division(controlEnd: controlEnd, numberEnd: window.upperBound, number: number))
          }
        }
      } else if controlEnd + 13 <= runEnd,
        let number = PayloadBytes.identityNumber(bytes[controlEnd..<(controlEnd + 13)])
      {
        let fit = Division(controlEnd: controlEnd, numberEnd: controlEnd + 13, number: number)
        fits.append(fit)
        if controlEnd + 13 != runEnd { fits.append(fit) }
      }
    }
    return fits
  }

  /// The place of the first digit run that is long enough for a stamp, after 1 to 6 capitals and digits.
  private static func headBeforeDigits(_ bytes: [UInt8]) -> Int? {
    guard let first = bytes.first, PayloadBytes.isUpper(first) else { return nil }
    guard let run = digitRuns(bytes, from: 0, to: bytes.count).first(where: { $0.count >= 12 }), run.lowerBound <= 6,
      bytes[..<run.lowerBound].allSatisfy({ PayloadBytes.isUpper($0) || PayloadBytes.isDigit($0) })
    else { return nil }
    return run.lowerBound
  }

  private static func digitRuns(_ bytes: [UInt8], from start: Int, to end: Int) -> [Range<Int>] {
    var runs: [Range<Int>] = []
    var i = start
    while i < end {
      guard PayloadBytes.isDigit(bytes[i]) else {
        i += 1
        continue
      }
      let begin = i
      while i < end, PayloadBytes.isDigit(bytes[i]) { i += 1 }
      runs.append(begin..<i)
    }
    return runs
  }

  private static func firstDate(_ bytes: [UInt8], from start: Int) -> (CardDate?, Int)? {
    guard bytes.count >= start + 10 else { return nil }
    for i in start...(bytes.count - 10) {
      if let date = SegmentedPayload.date(bytes[i..<(i + 10)]) { return (date, i) }
    }
    return nil
  }
}
