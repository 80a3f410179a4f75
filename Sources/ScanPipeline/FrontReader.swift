package import CardModel

package import CardReading
private import FieldLocating

/// Reads the front of a new card: locates its lines, reads each with two networks, and decides what is sure enough.
package struct FrontReader: FrontReadingCard {
  private let text: any TextRecognising

  package init(text: any TextRecognising) { self.text = text }

  package func layoutFit(_ card: Raster) -> Double { FieldLocator(card).layoutFit }

  package func read(_ card: Raster, barcodeNumber: IdentityNumber?) -> FrontReading {
    let located = FieldLocator(card).locate()
    let lines = located.lines.map(readLine)
    let decision = decideFront(observations(lines), barcodeNumber: barcodeNumber)
    var reading = FrontReading(
      data: decision.data, confidence: decision.confidence, lifetime: decision.lifetime, layoutFit: located.fit)
    reading.data.raw = rawText(lines)
    reading.labelsRead = lines.filter(\.isLabelRead).count
    reading.boxes = boxes(lines).filter { decision.confidence[$0.key] != nil }
    if reading.data.raw == nil { reading.reasons.append(.recognitionEmpty) }
    return reading
  }

  /// What is seen of each value before anything is decided; the calibration is fitted on this.
  package func observe(_ card: Raster) -> [FieldObservation] {
    let values = FieldLocator(card).locate().lines.filter { line in
      if case .value = line.role { true } else { false }
    }
    return observations(values.map(readLine))
  }

  /// A located line with what was read of it.
  private struct ReadLine {
    var located: LocatedLine
    var first: RecognisedLine
    var second: RecognisedLine?
    var third: RecognisedLine?

    var isLabelRead: Bool {
      if case .label(let name) = located.role { matchesLabel(first.text, name.field) } else { false }
    }
  }

  /// Labels are read once: they are evidence and `raw`, never a value.
  private func readLine(_ line: LocatedLine) -> ReadLine {
    var first = text.recogniseLine(line.image, model: .card)
    if first.text.isEmpty, line.role == .value(.gender) {
      // A single narrow letter is sometimes nothing to the network in one view and itself in the other.
      first = text.recogniseLine(line.secondView, model: .card)
    }
    switch line.role {
    case .label: return ReadLine(located: line, first: first)
    case .value(let field):
      var read = ReadLine(located: line, first: first, second: text.recogniseLine(line.secondView, model: .second))
      let isReadAlike = read.second?.text == first.text
      if !isReadAlike { read.second = text.recogniseLine(line.image, model: .second) }
      // Names have no shape that a wrong letter would break: of 11 that both networks misread alike, 6 did not outlast a
      // third reading, and 3 of 830 right ones. The second network's other view brings back 16 right ones.
      if field == .name || field == .fatherName || !isReadAlike, read.second?.text == first.text {
        read.third = text.recogniseLine(line.secondView, model: .card)
      }
      return read
    }
  }

  private func observations(_ lines: [ReadLine]) -> [FieldObservation] {
    var observations: [FieldObservation] = []
    for line in lines {
      guard case .value(let field) = line.located.role else { continue }
      let observed = observe(line)
      if let index = observations.firstIndex(where: { $0.field == field }) {
        observations[index].lines.append(observed)
      } else {
        observations.append(FieldObservation(field: field, lines: [observed]))
      }
    }
    return observations
  }

  private func observe(_ line: ReadLine) -> ObservedLine {
    let evidence = line.located.evidence
    return ObservedLine(
      first: readText(line.first), second: line.second.map(readText), third: line.third.map(readText),
      gaps: evidence.gaps.map(\.width),
      gapRight: evidence.gapRight, inkRight: evidence.inkRight, inkBelow: evidence.inkBelow,
      glareInside: evidence.glareInside, glareRight: evidence.glareRight, contrast: evidence.contrast,
      faintest: evidence.faintest, textRight: evidence.textRight,
      offsetLeft: evidence.offsetLeft, width: evidence.width)
  }

  private func readText(_ line: RecognisedLine) -> ReadText {
    ReadText(line.text, symbolConfidences: line.symbols.map(\.confidence))
  }

  /// Everything read, in the card's order: each row's labels with their values below them.
  private func rawText(_ lines: [ReadLine]) -> String? {
    let texts = lines.map(\.first.text).filter { !$0.isEmpty }
    return texts.isEmpty ? nil : texts.joined(separator: "\n")
  }

  private func boxes(_ lines: [ReadLine]) -> [FieldName: FractionBox] {
    var boxes: [FieldName: FractionBox] = [:]
    for line in lines {
      guard case .value(let field) = line.located.role else { continue }
      boxes[field] = boxes[field].map { $0.union(line.located.box) } ?? line.located.box
    }
    return boxes
  }
}

extension FractionBox {
  fileprivate func union(_ other: FractionBox) -> FractionBox {
    let left = min(x, other.x)
    let top = min(y, other.y)
    return FractionBox(
      x: left, y: top, width: max(x + width, other.x + other.width) - left,
      height: max(y + height, other.y + other.height) - top)
  }
}
