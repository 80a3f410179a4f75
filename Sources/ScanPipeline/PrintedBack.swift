import CardModel
import CardReading

/// What is printed on an upright new back beside its barcode: the number above the QR, and the zone of overseas cards.
///
/// A check fails only on what two networks read alike; a single reading that differs is likelier to be misread than
/// misprinted, and stays `notPerformed`.
struct PrintedBack {
  /// Grey and upright.
  let card: Raster
  /// The card at half its size, on which lines are looked for: a quarter of the pixels shows them as well.
  private let small: Raster
  let text: any TextRecognising

  init(card: Raster, text: any TextRecognising) {
    self.card = card
    self.text = text
    small = card.greyHalved()
  }

  /// Where the number stands: above the QR (facts: at x .75-.93, y .13-.42; layouts differ by a few per cent), so that the
  /// QR's upper edge may end the area, or touch the number's row where the area reaches too far.
  static let numberAreas = [0.095, 0.075, 0.125].map { FractionBox(x: 0.48, y: 0.015, width: 0.51, height: $0) }
  /// Digits of one number stand closer than the number and the Urdu label that may be beside it; a dash's gap is widest.
  static let numberGaps = [0.009, 0.013]
  static let zoneArea = FractionBox(x: 0.01, y: 0.6, width: 0.98, height: 0.39)

  func numberCheck(against number: IdentityNumber) -> CheckResult {
    var tried: [PixelBox] = []
    for area in Self.numberAreas {
      for gap in Self.numberGaps {
        for line in lines(in: area, gap: gap) where Self.mayBeNumber(line, on: card) {
          // The same line is found again by the next area or gap.
          if tried.contains(where: { abs($0.x - line.x) + abs($0.y - line.y) + abs($0.width - line.width) < 24 }) {
            continue
          }
          guard tried.count < Self.triedLimit else { return .notPerformed }
          tried.append(line)
          if let result = check(line, against: number) { return result }
        }
      }
    }
    return .notPerformed
  }

  /// Lines of print in the card's pixels.
  private func lines(in area: FractionBox, gap: Double) -> [PixelBox] {
    InkLines.find(in: small, area: area, gap: gap).map {
      PixelBox(x: 2 * $0.x, y: 2 * $0.y, width: 2 * $0.width, height: 2 * $0.height)
    }
  }

  /// Lines read at most: what is not among the first is not worth its milliseconds.
  private static let triedLimit = 3

  /// - Returns: `nil` where the line holds no number.
  private func check(_ line: PixelBox, against number: IdentityNumber) -> CheckResult? {
    guard let crop = card.cropped(line) else { return nil }
    let first = text.recogniseLine(crop, model: .card).text
    let read = Self.number(in: first)
    if read == number { return .pass }
    guard read != nil || first.count(where: \.isNumber) >= Self.fewestDigits else { return nil }
    let other = Self.number(in: text.recogniseLine(crop, model: .second).text)
    guard let read else { return other == number ? .pass : nil }
    return read == other ? .fail : .notPerformed
  }

  /// 15 characters at about half their height each, some 0.2 of the card wide.
  private static func mayBeNumber(_ line: PixelBox, on card: Raster) -> Bool {
    let width = Double(line.width) / Double(card.width)
    return (0.12...0.3).contains(width) && (4.5...14.0).contains(Double(line.width) / Double(line.height))
  }

  /// A line of which one network reads fewer digits is not read by the other.
  private static let fewestDigits = 7

  private static func number(in text: String) -> IdentityNumber? {
    guard let number = IdentityNumber(text), number.hasKnownRegion else { return nil }
    return number
  }

  func machineReadableZoneCheck(against number: IdentityNumber) -> CheckResult {
    let lines = lines(in: Self.zoneArea, gap: 0.05)
      .filter { Double($0.width) > 0.8 * Double(card.width) }
    guard lines.count == 3 else { return .notPerformed }
    var rows: [String] = []
    for line in lines.prefix(2) {
      guard let crop = card.cropped(line) else { return .notPerformed }
      rows.append(Self.row(text.recogniseLine(crop, model: .stock), width: crop.width))
    }
    // The third row holds the names, which no check digit covers: reading it would prove nothing.
    rows.append(String(repeating: "<", count: 30))
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
