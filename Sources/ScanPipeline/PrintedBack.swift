import CardModel
import CardReading

/// What is printed on an upright new back beside its barcode: the number above the QR, and the zone of overseas cards.
///
/// A check fails only on what two networks read alike; a single reading that differs is likelier to be misread than
/// misprinted, and stays `notPerformed`.
struct PrintedBack {
  /// Grey and upright.
  let card: Raster
  let text: any TextRecognising

  /// Where the number stands (facts: above the QR at x .75-.93, y .13-.42; layouts differ by a few per cent).
  static let numberArea = FractionBox(x: 0.48, y: 0.015, width: 0.51, height: 0.125)
  static let zoneArea = FractionBox(x: 0.01, y: 0.6, width: 0.98, height: 0.39)

  func numberCheck(against number: IdentityNumber) -> CheckResult {
    let lines = InkLines.find(in: card, area: Self.numberArea)
    for line in lines {
      // 15 characters at about 0.55 of their height each: shorter or longer lines are other text.
      guard (5.0...14.0).contains(Double(line.width) / Double(line.height)), let crop = card.cropped(line) else {
        continue
      }
      guard let read = printedNumber(crop, .card) ?? printedNumber(crop, .stock) else { continue }
      if read == number { return .pass }
      let other = printedNumber(crop, .stock)
      return printedNumber(crop, .card) == read && other == read ? .fail : .notPerformed
    }
    return .notPerformed
  }

  private func printedNumber(_ crop: Raster, _ model: TextModel) -> IdentityNumber? {
    let line = text.recogniseLine(crop, model: model)
    guard let number = IdentityNumber(line.text), number.hasKnownRegion else { return nil }
    return number
  }

  func machineReadableZoneCheck(against number: IdentityNumber) -> CheckResult {
    let lines = InkLines.find(in: card, area: Self.zoneArea).filter { Double($0.width) > 0.8 * Double(card.width) }
    guard lines.count == 3 else { return .notPerformed }
    var rows: [String] = []
    for line in lines {
      guard let crop = card.cropped(line) else { return .notPerformed }
      rows.append(Self.row(text.recogniseLine(crop, model: .stock), width: crop.width))
    }
    guard let zone = MachineReadableZone(lines: rows), zone.checkDigitsHold, let printed = zone.identityNumber else {
      return .notPerformed
    }
    return printed == number ? .pass : .fail
  }

  /// The 30 characters of a row by their places: the zone is monospaced, so a filler that the network dropped or doubled
  /// shows as an empty cell or two in one, and the count of 30 never depends on it.
  static func row(_ line: RecognisedLine, width: Int) -> String {
    var cells = [Character](repeating: "<", count: 30)
    guard let first = line.symbols.first, let last = line.symbols.last, last.left > first.left else { return "" }
    let pitch = Double(width) / 29.6
    for symbol in line.symbols {
      let centre = Double(symbol.left + symbol.right) / 2
      let cell = Int((centre / pitch - 0.3).rounded())
      guard let character = symbol.text.uppercased().first, cells.indices.contains(cell) else { continue }
      if character.isASCII, character.isLetter || character.isNumber { cells[cell] = character }
    }
    return String(cells)
  }
}
