import CardModel

extension FaceDrawing {
  /// The front of a new card: labels in English above their values, the portrait on the right.
  /// *Source*: the table "New card, front" in the facts about the cards; every place is a fraction of the card.
  static func newFront(
    _ person: SpecimenPerson, _ p: Printing, portrait: Portrait, using random: inout SpecimenRandom
  ) throws(SpecimenFailure) -> FaceDrawing {
    var face = FaceDrawing()
    Artwork.ground(p, into: &face.drawing, using: &random)
    face.drawHeader(p, using: &random)
    try face.drawChipPlace(p, using: &random)
    portrait.draw(
      p.x(0.07), p.y(0.75), 0.10 * SVGDrawing.width, 0.20 * SVGDrawing.height, opacity: random.between(0.22, 0.45),
      mark: false,
      into: &face.drawing, using: &random)
    portrait.draw(
      p.x(0.69), p.y(0.22), 0.24 * SVGDrawing.width, 0.50 * SVGDrawing.height, opacity: 1, mark: true,
      into: &face.drawing,
      using: &random)
    Artwork.signature(
      p.x(0.74), p.y(0.78), 0.16 * SVGDrawing.width, 0.11 * SVGDrawing.height, into: &face.drawing, using: &random)
    face.drawing.text(
      "Holder's Signature", p.x(0.825), p.baseline(0.945, size: 15), size: p.labelSize * 0.86, family: p.labelFamily,
      weight: p.labelWeight, fill: p.labelInk, anchor: "middle")
    face.drawRules(p)
    try face.drawRows(person, p, using: &random)
    Artwork.sheen(
      p.x(random.between(0.3, 0.7)), p.y(random.between(0.25, 0.9)), radius: random.between(60, 150), strength: p.sheen,
      into: &face.drawing, using: &random)
    return face
  }

  private mutating func drawHeader(_ p: Printing, using random: inout SpecimenRandom) {
    Artwork.ornament(p.x(0.145), p.y(0.16), radius: 54, into: &drawing, using: &random)
    let ink = SVGDrawing.colour(random.between(8, 40), random.between(40, 80), random.between(20, 50))
    drawing.text(
      "PAKISTAN", p.x(0.23), p.baseline(0.10, size: 46), size: random.between(42, 47), family: "Liberation Sans",
      weight: 700, fill: ink)
    drawing.text(
      "National Identity Card", p.x(0.495), p.baseline(0.095, size: 28), size: random.between(24, 28),
      family: p.labelFamily, weight: 700, fill: ink)
    drawing.text(
      "ISLAMIC REPUBLIC OF PAKISTAN", p.x(0.23), p.baseline(0.17, size: 13), size: random.between(12.5, 14),
      family: p.labelFamily, fill: ink)
    Artwork.flag(p.x(0.845), p.y(0.055), 0.095 * SVGDrawing.width, 0.105 * SVGDrawing.height, into: &drawing)
  }

  private mutating func drawChipPlace(_ p: Printing, using random: inout SpecimenRandom) throws(SpecimenFailure) {
    switch p.chipPlace {
    case .chip:
      Artwork.chip(
        p.x(0.10), p.y(0.32), 0.16 * SVGDrawing.width, 0.22 * SVGDrawing.height, into: &drawing, using: &random)
    case .code:
      // Any short text: the design that carries a code here is known, its content is not.
      let code = try SpecimenBarcode(.qr, payload: Array(("S" + random.digits(14)).utf8))
      let side = 0.135 * SVGDrawing.width
      drawing.rectangle(p.x(0.10) - 8, p.y(0.32) - 8, side + 16, side + 16, fill: "#fdfdfb")
      drawing.barcode(code, p.x(0.10), p.y(0.32), width: side, height: side, fill: "#15151a")
    case .bare: break
    }
  }

  private mutating func drawRules(_ p: Printing) {
    let (left, right) = (p.x(0.272), p.x(0.675))
    if p.rowRules {
      for (row, fraction) in [0.385, 0.575, 0.703, 0.828].enumerated() {
        let y = p.y(fraction + p.rowShifts[row + 1] * 0.5)
        drawing.line(left, y, right, y, stroke: p.ruleInk, width: p.ruleWidth)
      }
    }
    if p.columnRules {
      let first = p.x(0.37), second = p.x(0.512 + p.columnShift)
      drawing.line(first, p.y(0.58), first, p.y(0.70), stroke: p.ruleInk, width: p.ruleWidth)
      drawing.line(second, p.y(0.71), second, p.y(0.95), stroke: p.ruleInk, width: p.ruleWidth)
    }
  }

  private mutating func drawRows(_ person: SpecimenPerson, _ p: Printing, using random: inout SpecimenRandom)
    throws(SpecimenFailure)
  {
    let holder = person.hasHusband ? "Husband" : "Father"
    let rows: [(labels: [(String, Double)], label: Double, value: Double)] = [
      ([("Name", 0.28)], 0.22, 0.265),
      ([(p.possessive ? "\(holder)'s Name" : "\(holder) Name", 0.28)], 0.41, 0.46),
      ([("Gender", 0.285), ("Country of Stay", 0.38)], 0.61, 0.66),
      ([("Identity Number", 0.28), ("Date of Birth", 0.52 + p.columnShift)], 0.74, 0.79),
      ([("Date of Issue", 0.28), ("Date of Expiry", 0.52 + p.columnShift)], 0.86, 0.91),
    ]
    for (index, row) in rows.enumerated() {
      for (label, x) in row.labels {
        drawing.text(
          label, p.x(x), p.baseline(row.label + p.rowShifts[index], size: p.labelSize), size: p.labelSize,
          family: p.labelFamily,
          weight: p.labelWeight, fill: p.labelInk)
      }
    }
    for (text, row, y) in [(person.nameUrdu, 0, 0.345), (person.fatherNameUrdu, 1, 0.54)] {
      drawing.urdu(
        text, right: p.x(random.between(0.645, 0.668)), p.baseline(y + p.rowShifts[row], size: p.urduSize * 0.8),
        size: p.urduSize,
        family: p.urduFamily, fill: p.ink)
    }
    let lifetime = random.pick(weighted: [("Lifetime", 0.7), ("LIFETIME", 0.2), ("Life Time", 0.1)])
    func value(_ field: FieldName, _ text: String, _ x: Double, row: Int, limit: Double, wrap: Bool = false)
      -> ValueText
    {
      ValueText(
        field: field, text: text, x: p.x(x),
        baseline: p.baseline(rows[row].value + p.rowShifts[row], size: p.valueSize),
        size: p.valueSize, widthLimit: limit * SVGDrawing.width, mayWrap: wrap)
    }
    let values = [
      value(.name, person.name, 0.28, row: 0, limit: 0.395, wrap: true),
      value(.fatherName, person.fatherName, 0.28, row: 1, limit: 0.395, wrap: true),
      value(.gender, person.gender.rawValue, 0.285, row: 2, limit: 0.06),
      value(.country, person.country, 0.38, row: 2, limit: 0.295),
      value(.identityNumber, person.number.formatted, 0.28, row: 3, limit: 0.222 + p.columnShift),
      value(.dateOfBirth, person.dateOfBirth.formatted, 0.52 + p.columnShift, row: 3, limit: 0.155),
      value(.dateOfIssue, person.dateOfIssue.formatted, 0.28, row: 4, limit: 0.2),
      value(.dateOfExpiry, person.dateOfExpiry?.formatted ?? lifetime, 0.52 + p.columnShift, row: 4, limit: 0.155),
    ]
    try print(values, p, using: &random)
  }
}
