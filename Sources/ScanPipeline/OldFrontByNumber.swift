internal import CardModel
private import CardReading

/// Tells the front of an old card by the number printed on it, where neither its outline nor its looks do: a copy that is white all
/// over, a printing whose looks are not known.
///
/// *Source*: facts/cards.md: the front is in Urdu, with the number in Latin digits below the middle; its back has the number at the
/// top, and a new front has English labels.
struct OldFrontByNumber {
  let text: any TextRecognising

  /// A phrase may be read out of nothing; a new front has eleven.
  private static let mostPhrases = 1

  /// - Parameter lines: what is read on the page as it lies.
  func isOldFront(_ lines: [RecognisedLine], on page: Raster) -> Bool {
    guard FrontsByText.phrases(in: lines).count <= Self.mostPhrases,
      let top = lines.map(\.box.y).min(), let bottom = lines.map({ $0.box.y + $0.box.height }).max()
    else { return false }
    return lines.contains { line in
      line.box.y + line.box.height / 2 > (top + bottom) / 2 && isNumber(line, on: page)
    }
  }

  /// A number's fewest digits that a page's reader sees of it, between specks.
  private static let fewestDigits = 9

  /// Whether a line holds what may be a number, and both networks read the same one there.
  private func isNumber(_ line: RecognisedLine, on page: Raster) -> Bool {
    let digits = line.symbols.filter { $0.text.allSatisfy(\.isNumber) }
    guard digits.count >= Self.fewestDigits, let left = digits.map(\.left).min(), let right = digits.map(\.right).max()
    else { return false }
    let margin = max(3, line.box.height / 4)
    let x = max(0, left - margin), y = max(0, line.box.y - margin)
    let height = min(page.height, line.box.y + line.box.height + margin) - y
    // The last dash and digit stand apart, and are lost to the page's reader at times.
    return [margin, (right - left) / 6].contains { more in
      let box = PixelBox(x: x, y: y, width: min(page.width, right + more) - x, height: height)
      guard let crop = page.cropped(box)?.grey() else { return false }
      let readings = [TextModel.card, .second].map { model in
        parseFrontValue(text.recogniseLine(crop, model: model).text, field: .identityNumber)
      }
      return readings[0] != nil && readings[0] == readings[1]
    }
  }
}
