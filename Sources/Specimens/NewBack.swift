import CardModel

extension FaceDrawing {
  /// The back of a new card: the code on its white plate at the right, Urdu addresses left of it, the notice below.
  static func newBack(
    _ person: SpecimenPerson, _ p: Printing, code: SpecimenBarcode, using random: inout SpecimenRandom
  ) -> FaceDrawing {
    var face = FaceDrawing()
    Artwork.ground(p, into: &face.drawing, using: &random)
    let floor = p.y(random.between(0.57, 0.62))
    face.drawing.rectangle(0, floor, SVGDrawing.width, SVGDrawing.height - floor, fill: "#fbfbf9")
    face.markSpecimen(p.x(0.06), p.y(0.10))
    face.drawPlate(person, p, code, using: &random)
    face.drawUrduAddresses(person, p, right: 0.70)
    if random.chance(0.5) {
      Artwork.signature(
        p.x(0.06), p.y(0.70), 0.16 * SVGDrawing.width, 0.10 * SVGDrawing.height, into: &face.drawing, using: &random)
      face.drawing.text(
        "Issuing Officer", p.x(0.07), p.baseline(0.86, size: 14), size: 14, family: p.labelFamily, fill: p.labelInk)
    }
    let size = random.between(22, 28)
    for (line, text) in UrduText.notice.enumerated() {
      face.drawing.text(
        text, p.x(0.62), p.baseline(0.68 + 0.10 * Double(line), size: size), size: size, family: p.urduFamily,
        fill: p.ink,
        anchor: "middle", extra: "direction=\"rtl\" xml:lang=\"ur\"")
    }
    return face
  }

  /// The back of an overseas card: English addresses, the code, and three lines for machines to read.
  static func overseasBack(
    _ person: SpecimenPerson, _ p: Printing, code: SpecimenBarcode, using random: inout SpecimenRandom
  ) -> FaceDrawing {
    var face = FaceDrawing()
    Artwork.ground(p, into: &face.drawing, using: &random)
    let bars = code.symbology == .code128
    face.markSpecimen(p.x(0.36), p.y(0.09))
    let floor = p.y(0.64)
    face.drawing.rectangle(0, floor, SVGDrawing.width, SVGDrawing.height - floor, fill: "#fbfbf9")
    if bars {
      let plate = (x: p.x(0.50), y: p.y(0.42), width: 0.44 * SVGDrawing.width, height: 0.17 * SVGDrawing.height)
      face.drawing.rectangle(plate.x, plate.y, plate.width, plate.height, fill: "#fdfdfc")
      face.place(code, plate.x + plate.width * 0.09, plate.y + 10, plate.width * 0.82, plate.height - 20)
      face.drawing.text(
        person.number.formatted, p.x(0.72), p.y(0.40), size: 24, family: p.family, weight: p.weight, fill: p.ink,
        anchor: "middle")
    } else {
      face.drawPlate(person, p, code, using: &random)
    }
    let size = p.valueSize * 0.76
    for (index, label) in ["Present Address", "Permanent Address"].enumerated() {
      let top = 0.10 + 0.24 * Double(index)
      face.drawing.text(
        label, p.x(0.05), p.baseline(top, size: p.labelSize), size: p.labelSize, family: p.labelFamily,
        weight: p.labelWeight,
        fill: p.labelInk)
      let lines = index == 0 ? [person.addresses[0], person.country] : [person.addresses[1], "Pakistan"]
      for (line, text) in lines.enumerated() {
        face.drawing.text(
          text, p.x(0.05), p.baseline(top + 0.06 + 0.05 * Double(line), size: size), size: size, family: p.family,
          fill: p.ink)
      }
    }
    let zone = MachineReadableZone(person, using: &random)
    let family = random.pick(Typefaces.monospaced)
    for (line, text) in zone.lines.enumerated() {
      for (column, character) in text.enumerated() {
        face.drawing.text(
          String(character), p.x(0.055) + Double(column) * 29.8, p.baseline(0.715 + 0.088 * Double(line), size: 42),
          size: 42,
          family: family, weight: 700, fill: "#17171a")
      }
    }
    return face
  }

  private mutating func drawPlate(
    _ person: SpecimenPerson, _ p: Printing, _ code: SpecimenBarcode, using random: inout SpecimenRandom
  ) {
    let plate = (x: p.x(0.75), y: p.y(0.13), width: 0.18 * SVGDrawing.width, height: 0.285 * SVGDrawing.height)
    drawing.rectangle(plate.x, plate.y, plate.width, plate.height, fill: "#fefefd")
    let side = plate.width * random.between(0.76, 0.86)
    place(code, plate.x + (plate.width - side) / 2, plate.y + (plate.height - side) / 2, side, side)
    drawing.text(
      person.number.formatted, plate.x + plate.width / 2, p.baseline(0.09, size: 22), size: 22, family: p.family,
      weight: p.weight,
      fill: p.ink, anchor: "middle")
    drawing.text(
      random.digits(8), plate.x + plate.width / 2, p.baseline(0.46, size: 20), size: 20, family: p.family,
      weight: p.weight,
      fill: p.ink, anchor: "middle")
  }

  mutating func place(_ code: SpecimenBarcode, _ x: Double, _ y: Double, _ width: Double, _ height: Double) {
    drawing.barcode(code, x, y, width: width, height: height, fill: "#111114")
    barcode = code
    barcodeBox = FractionBox(
      x: x / SVGDrawing.width, y: y / SVGDrawing.height, width: width / SVGDrawing.width,
      height: height / SVGDrawing.height)
  }

  mutating func drawUrduAddresses(_ person: SpecimenPerson, _ p: Printing, right: Double, top: Double = 0.12) {
    for (index, label) in [UrduText.presentAddress, UrduText.permanentAddress].enumerated() {
      let y = top + 0.21 * Double(index)
      drawing.urdu(
        label, right: p.x(right), p.baseline(y, size: 16), size: p.urduSize * 0.82, family: p.urduFamily,
        fill: p.labelInk)
      drawing.urdu(
        person.addressesUrdu[index], right: p.x(right), p.baseline(y + 0.095, size: 18), size: p.urduSize,
        family: p.urduFamily,
        fill: p.ink)
    }
  }
}
