import CardModel

/// What old cards and backs say in Urdu. The sentences are ours.
enum UrduText {
  static let title = "قومی شناختی کارڈ"
  static let name = "نام"
  static let father = "والد کا نام"
  static let husband = "شوہر کا نام"
  static let gender = "جنس"
  static let birth = "تاریخ پیدائش"
  static let mark = "شناختی علامت"
  static let none = "کوئی نہیں"
  static let issue = "تاریخ اجراء"
  static let expiry = "تاریخ تنسیخ"
  static let lifetime = "تاحیات"
  static let presentAddress = "موجودہ پتہ"
  static let permanentAddress = "مستقل پتہ"
  static let number = "شناختی نمبر"
  static let family = "خاندان نمبر"
  static let notice = [
    "یہ نمونے کا کارڈ ہے، کسی شخص کا نہیں", "گم شدہ کارڈ ملنے پر قریبی دفتر میں جمع کرا دیں",
  ]
  static func gender(_ gender: Gender) -> String {
    switch gender {
    case .male: "مرد"
    case .female: "عورت"
    case .other: "خواجہ سرا"
    }
  }
}

extension FaceDrawing {
  /// The front of an old card: Urdu only, the portrait on the left, number and dates in Latin digits.
  static func oldFront(_ person: SpecimenPerson, _ p: Printing, portrait: Portrait, using random: inout SpecimenRandom)
    -> FaceDrawing
  {
    var face = FaceDrawing()
    Artwork.ground(p, into: &face.drawing, using: &random)
    portrait.draw(
      p.x(0.02), p.y(0.06), 0.18 * SVGDrawing.width, 0.38 * SVGDrawing.height, opacity: 1, mark: true,
      into: &face.drawing, using: &random)
    Artwork.ornament(p.x(0.90), p.y(0.13), radius: 42, into: &face.drawing, using: &random)
    face.drawing.text(
      UrduText.title, p.x(0.55), p.baseline(0.11, size: 24), size: p.urduSize * 1.45, family: p.urduFamily, fill: p.ink,
      anchor: "middle",
      extra: "direction=\"rtl\" xml:lang=\"ur\"")
    let rows = [
      (UrduText.name, person.nameUrdu), (person.hasHusband ? UrduText.husband : UrduText.father, person.fatherNameUrdu),
      (UrduText.gender, UrduText.gender(person.gender)), (UrduText.mark, UrduText.none),
    ]
    for (index, row) in rows.enumerated() {
      let baseline = p.baseline(0.245 + 0.085 * Double(index), size: p.urduSize * 0.8)
      face.drawing.urdu(
        row.0, right: p.x(0.95), baseline, size: p.urduSize * 0.85, family: p.urduFamily, fill: p.labelInk)
      face.drawing.urdu(row.1, right: p.x(0.77), baseline, size: p.urduSize * 1.05, family: p.urduFamily, fill: p.ink)
    }
    let size = p.valueSize
    face.drawing.text(
      person.oldForm(person.dateOfBirth, "/"), p.x(0.52), p.baseline(0.59, size: size * 0.9), size: size * 0.9,
      family: p.family,
      weight: p.weight, fill: p.ink)
    face.drawing.urdu(
      UrduText.birth, right: p.x(0.95), p.baseline(0.59, size: p.urduSize * 0.8), size: p.urduSize * 0.85,
      family: p.urduFamily, fill: p.labelInk)
    face.drawing.text(
      person.number.formatted, p.x(0.5), p.baseline(0.71, size: size * 1.15), size: size * 1.15, family: p.family,
      weight: p.weight,
      fill: p.ink, anchor: "middle")
    Artwork.thumbprint(p.x(0.13), p.y(0.80), radius: 66, into: &face.drawing, using: &random)
    Artwork.signature(
      p.x(0.60), p.y(0.79), 0.2 * SVGDrawing.width, 0.12 * SVGDrawing.height, into: &face.drawing, using: &random)
    return face
  }

  /// The back of an old card: numbers, two addresses, dates, the notice, and the PDF417 along the bottom edge.
  static func oldBack(
    _ person: SpecimenPerson, _ p: Printing, code: SpecimenBarcode, using random: inout SpecimenRandom
  ) -> FaceDrawing {
    var face = FaceDrawing()
    Artwork.ground(p, into: &face.drawing, using: &random)
    face.markSpecimen(p.x(0.06), p.y(0.17))
    let size = p.valueSize * 0.86
    for (value, label, valueX, right) in [
      (person.number.formatted, UrduText.number, 0.56, 0.95), (person.familyNumber, UrduText.family, 0.10, 0.40),
    ] {
      face.drawing.text(
        value, p.x(valueX), p.baseline(0.08, size: size), size: size, family: p.family, weight: p.weight, fill: p.ink)
      face.drawing.urdu(
        label, right: p.x(right), p.baseline(0.08, size: 16), size: p.urduSize * 0.8, family: p.urduFamily,
        fill: p.labelInk)
    }
    face.drawUrduAddresses(person, p, right: 0.95, top: 0.17)
    let dates = [
      (UrduText.issue, person.oldForm(person.dateOfIssue, "/"), 0.95, 0.60),
      (UrduText.expiry, person.dateOfExpiry.map { person.oldForm($0, "/") } ?? "", 0.45, 0.10),
    ]
    for (label, date, right, left) in dates {
      face.drawing.urdu(
        label, right: p.x(right), p.baseline(0.565, size: 16), size: p.urduSize * 0.8, family: p.urduFamily,
        fill: p.labelInk)
      if date.isEmpty {
        face.drawing.urdu(
          UrduText.lifetime, right: p.x(left + 0.13), p.baseline(0.565, size: 16), size: p.urduSize,
          family: p.urduFamily, fill: p.ink)
      } else {
        face.drawing.text(
          date, p.x(left), p.baseline(0.565, size: size), size: size, family: p.family, weight: p.weight, fill: p.ink)
      }
    }
    face.drawing.text(
      UrduText.notice[1], p.x(0.5), p.baseline(0.645, size: 16), size: p.urduSize * 0.85, family: p.urduFamily,
      fill: p.labelInk,
      anchor: "middle", extra: "direction=\"rtl\" xml:lang=\"ur\"")
    let (left, right) = (p.x(random.between(0.05, 0.085)), p.x(random.between(0.915, 0.95)))
    let (top, bottom) = (p.y(random.between(0.715, 0.74)), p.y(random.between(0.93, 0.955)))
    face.drawing.rectangle(left - 14, top - 10, right - left + 28, bottom - top + 20, fill: "#fcfcfa")
    face.place(code, left, top, right - left, bottom - top)
    return face
  }
}
