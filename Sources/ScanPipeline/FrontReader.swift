package import CardModel

private import CardReading
private import FieldLocating

/// Reads the front of a new card: locates its lines, reads each with two networks, and decides what is sure enough.
package struct FrontReader: FrontReadingCard {
  private let text: any TextRecognising

  package init(text: any TextRecognising) { self.text = text }

  package func observe(_ card: Raster, leastFit: Double) -> FrontObservation {
    let locator = FieldLocator(card)
    guard locator.layoutFit >= leastFit else { return FrontObservation(layoutFit: locator.layoutFit) }
    let located = locator.locate()
    let lines = located.lines.map(readLine)
    var observation = FrontObservation(
      layoutFit: located.fit, fields: observations(lines), boxes: boxes(lines),
      texts: lines.map(\.first.text).filter { !$0.isEmpty }, labelsRead: lines.filter { $0.label == .own }.count)
    // Of what may be no front, or lie otherwise, every line is in doubt.
    if observation.proof >= Self.proofToReadAgain { readAgain(lines, in: &observation) }
    return observation
  }

  /// Half a front's labels, or its number and two dates.
  private static let proofToReadAgain = 4

  /// Reads the lines of values that the first readings left in doubt in further views.
  private func readAgain(_ lines: [ReadLine], in observation: inout FrontObservation) {
    let doubtful = fieldsToReadAgain(observation.fields)
    for index in observation.fields.indices where doubtful.contains(observation.fields[index].field) {
      let field = observation.fields[index].field
      for (position, line) in lines.filter({ $0.located.role == .value(field) }).enumerated() {
        let views = FurtherViews.of(line.located)
        observation.fields[index].lines[position].furtherFirst = views.map { read($0, .card) }
        observation.fields[index].lines[position].furtherSecond = views.map { read($0, .second) }
      }
    }
  }

  private func read(_ view: Raster, _ model: TextModel) -> ReadText {
    readText(text.recogniseLine(view, model: model))
  }

  package func decide(_ observation: FrontObservation, barcodeNumber: IdentityNumber?) -> FrontReading {
    let decision = decideFront(observation.fields, barcodeNumber: barcodeNumber)
    var reading = FrontReading(
      data: decision.data, confidence: decision.confidence, lifetime: decision.lifetime)
    // Everything read, in the card's order: each row's labels with their values below them.
    reading.data.raw = observation.texts.isEmpty ? nil : observation.texts.joined(separator: "\n")
    reading.boxes = observation.boxes.filter { decision.confidence[$0.key] != nil }
    if reading.data.raw == nil { reading.reasons.append(.recognitionEmpty) }
    return reading
  }

  /// *Source*: facts/cards.md: the number stands centred in the lower part, in Latin digits. Beside it lies the thumb's print, which an
  /// outline a little off moves into its rows: looked for with the print's columns and without. Where a guilloche joins the rows, they
  /// part when only the darkest is taken for ink.
  package func oldFrontsNumber(_ card: Raster) -> IdentityNumber? {
    let grey = card.grey()
    var tried: [PixelBox] = []
    for (left, percent) in [(0.15, 80), (0.22, 80), (0.15, 55), (0.22, 55)] {
      let area = FractionBox(x: left, y: 0.55, width: 0.85 - left, height: 0.42)
      for gap in [0.009, 0.013] {
        let lines = InkLines.find(in: grey, area: area, gap: gap, darkerThan: percent).filter { line in
          (0.12...0.36).contains(Double(line.width) / Double(grey.width)) && line.width > 4 * line.height
        }
        for line in lines.prefix(4) where !tried.contains(line) {
          tried.append(line)
          guard let crop = grey.cropped(line) else { continue }
          let readings = [TextModel.card, .second].map { model in
            parseFrontValue(text.recogniseLine(crop, model: model).text, field: .identityNumber)
          }
          if case .number(let number)? = readings[0], readings[1] == .number(number) { return number }
        }
      }
    }
    return nil
  }

  package func findFronts(on page: Raster) -> PrintedFronts { FrontsByText(text: text).find(on: page) }

  package func guessFronts(on page: Raster, leastWidth: Double) -> [[FractionPoint]] {
    FrontsByLayout.places(on: page, leastWidth: leastWidth)
  }

  /// The cut lines of a field's value, both views of each, for a person to look at.
  package func lines(of field: FieldName, on card: Raster) -> [Raster] {
    FieldLocator(card).locate().lines.filter { $0.role == .value(field) }.flatMap { [$0.image, $0.secondView] }
  }

  /// A located line with what was read of it.
  private struct ReadLine {
    var located: LocatedLine
    var first: RecognisedLine
    var second: RecognisedLine?
    var third: RecognisedLine?

    /// `nil` for values.
    var label: LabelVerdict? {
      if case .label(let name) = located.role { readLabel(first.text, at: name.field) } else { nil }
    }

    func isLabel(of field: FieldName) -> Bool {
      if case .label(let name) = located.role { name.field == field } else { false }
    }

    /// Whether what stands in a label's place is too wide for any of the field's labels, and as dark as the value below.
    func standsOut(as value: ReadLine) -> Bool {
      guard case .label(let name) = located.role, let widest = name.widestInCapitals else { return false }
      let evidence = located.evidence
      return evidence.width > widest && evidence.contrast > 0.75 * value.located.evidence.contrast
    }
  }

  /// Labels are read once, and narrowed: they are evidence and `raw`, never a value.
  private func readLine(_ line: LocatedLine) -> ReadLine {
    if case .label = line.role {
      let narrow = Plane(line.image, width: max(1, line.image.width * 4 / 5), height: line.image.height)
      return ReadLine(located: line, first: text.recogniseLine(narrow.raster, model: .card))
    }
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
    var labels: [FieldName: LabelVerdict] = [:]
    for line in lines {
      if case .label(let name) = line.located.role { labels[name.field] = line.label }
      guard case .value(let field) = line.located.role else { continue }
      let observed = observe(line)
      if labels[field] == .unread, let label = lines.first(where: { $0.isLabel(of: field) }), label.standsOut(as: line)
      {
        labels[field] = .text
      }
      if let index = observations.firstIndex(where: { $0.field == field }) {
        observations[index].lines.append(observed)
      } else {
        observations.append(
          FieldObservation(field: field, lines: [observed], label: labels[field] ?? .unread))
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
      faintest: evidence.faintest, textRight: evidence.textRight, inkLeft: evidence.inkLeft,
      offsetLeft: evidence.offsetLeft, width: evidence.width)
  }

  private func readText(_ line: RecognisedLine) -> ReadText {
    ReadText(line.text, symbolConfidences: line.symbols.map(\.confidence))
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
