import CardModel

/// The two faces of one pair and all that was decided about them.
struct PairDrawing: Sendable {
  enum Kind: Sendable { case new, old, overseas }

  let set: SpecimenSet
  let index: Int
  let kind: Kind
  let person: SpecimenPerson
  let printing: Printing
  let shape: PayloadShape
  let expected: IdentityNumber
  let front: FaceDrawing
  let back: FaceDrawing

  init(set: SpecimenSet, index: Int) throws(SpecimenFailure) {
    func stream(_ purpose: SpecimenRandom.Purpose) -> SpecimenRandom {
      SpecimenRandom(seed: set.seed, index: index, purpose: purpose)
    }
    (self.set, self.index) = (set, index)
    var random = stream(.kind)
    let options = set.options
    kind = random.pick(weighted: [
      (.new, options.newShare), (.old, options.oldShare), (.overseas, options.overseasShare),
    ])
    let mismatched = random.chance(options.mismatchPercent / 100)
    let unusual = random.chance(options.unusualPayloadPercent / 100)
    shape = unusual ? random.pick([.numberAlone, .otherSeparators, .ambiguous, .webAddress]) : .usual
    let changed = (random.whole(0...12), random.whole(1...9))

    random = stream(.person)
    person = SpecimenPerson(overseas: kind == .overseas, using: &random)
    expected = mismatched ? Self.changed(person.number, at: changed.0, by: changed.1) : person.number
    random = stream(.printing)
    printing = Printing(using: &random)
    random = stream(.barcode)
    let code = try Self.barcode(person, kind, shape, using: &random)
    random = stream(.artwork)
    let portrait = Portrait(woman: person.gender == .female || person.hasHusband, using: &random)
    switch kind {
    case .new:
      front = try .newFront(person, printing, portrait: portrait, using: &random)
      back = .newBack(person, printing, code: code, using: &random)
    case .overseas:
      front = try .newFront(person, printing, portrait: portrait, using: &random)
      back = .overseasBack(person, printing, code: code, using: &random)
    case .old:
      front = .oldFront(person, printing, portrait: portrait, using: &random)
      back = .oldBack(person, printing, code: code, using: &random)
    }
  }

  /// Another number that differs in one digit.
  private static func changed(_ number: IdentityNumber, at position: Int, by step: Int) -> IdentityNumber {
    var digits = Array(number.digits.utf8)
    digits[position] = 0x30 + UInt8((Int(digits[position] - 0x30) + step) % 10)
    return IdentityNumber(String(decoding: digits, as: UTF8.self)) ?? number
  }

  private static func barcode(
    _ person: SpecimenPerson, _ kind: Kind, _ shape: PayloadShape, using random: inout SpecimenRandom
  ) throws(SpecimenFailure) -> SpecimenBarcode {
    let bare = Array((random.chance(0.5) ? person.number.digits : person.number.formatted).utf8)
    let address = Array("https://example.invalid/\(random.digits(6))".utf8)
    if kind == .old {
      let payload: [UInt8]
      switch shape {
      case .usual, .otherSeparators, .ambiguous: payload = person.oldPayload(shape, using: &random)
      case .numberAlone: payload = bare
      case .webAddress: payload = address
      }
      return try SpecimenBarcode(
        .pdf417, payload: payload, columns: random.whole(8...12), errorLevel: random.whole(2...5))
    }
    if kind == .overseas, random.chance(0.35) {
      switch shape {
      case .usual, .numberAlone, .otherSeparators:
        return try SpecimenBarcode(.code128, payload: Array(person.number.digits.utf8))
      case .ambiguous:
        let extra = random.digits(2)
        let digits = random.chance(0.5) ? person.number.digits + extra : extra + person.number.digits
        return try SpecimenBarcode(.code128, payload: Array(digits.utf8))
      case .webAddress: return try SpecimenBarcode(.code128, payload: Array("EXAMPLE \(random.digits(4))".utf8))
      }
    }
    switch shape {
    case .usual, .otherSeparators, .ambiguous: return try SpecimenBarcode(.qr, payload: person.digits26(using: &random))
    case .numberAlone: return try SpecimenBarcode(.qr, payload: bare)
    case .webAddress: return try SpecimenBarcode(.qr, payload: address)
    }
  }

  /// Draws a face at the size that suits a placement.
  func raster(_ face: FaceDrawing, for placement: Placement) throws(SpecimenFailure) -> Raster {
    let width = Damage.drawingWidth(for: placement)
    return try face.raster(widthPixels: width, heightPixels: Int((Double(width) * Placement.aspect).rounded()))
  }

  /// Draws a face, damages and encodes it.
  func photographed(
    _ face: FaceDrawing, purpose: SpecimenRandom.Purpose, level: SpecimenLevel
  ) throws(SpecimenFailure) -> (Raster, SpecimenImage, SpecimenTruth.SideTruth) {
    var random = SpecimenRandom(seed: set.seed, index: index, purpose: purpose)
    var (damage, placement) = Damage.draw(level, using: &random)
    if set.options.smallFiles { damage.makeSmall(&placement) }
    let photograph = try damage.photograph(try raster(face, for: placement), at: placement, using: &random)
    let image = try photograph.image.encoded(damage.format, dpi: damage.dpi)
    let name = id + (purpose == .frontScene ? "_front." : "_back.") + image.fileExtension
    return (photograph.image, image, sideTruth(face, photograph, damage, placement, file: name))
  }

  func sideTruth(
    _ face: FaceDrawing, _ photograph: Photograph, _ damage: Damage, _ placement: Placement, file: String, page: Int = 0
  ) -> SpecimenTruth.SideTruth {
    SpecimenTruth.SideTruth(
      file: file, page: page, widthPixels: photograph.image.width, heightPixels: photograph.image.height,
      corners: photograph.corners.map { [Self.short($0.x, 100), Self.short($0.y, 100)] }, turnDegrees: damage.turn * 90,
      valueBoxes: Dictionary(uniqueKeysWithValues: face.valueBoxes.map { ($0.key.rawValue, Self.box($0.value)) }),
      barcodeBox: face.barcodeBox.map(Self.box), barcode: face.barcode.map(barcodeTruth),
      damage: SpecimenTruth.DamageTruth(damage, placement))
  }

  var id: String {
    let number = String(index + 1)
    return "\(set.level.rawValue)-\(set.seed)-" + String(repeating: "0", count: max(0, 5 - number.count)) + number
  }

  func truth(
    front: SpecimenTruth.SideTruth, back: SpecimenTruth.SideTruth, personsOnPage: Int? = nil
  ) -> SpecimenTruth {
    let readable: Bool
    switch shape {
    case .webAddress: readable = false
    case .ambiguous: readable = back.barcode?.symbology == Symbology.qr.rawValue
    case .usual, .numberAlone, .otherSeparators: readable = true
    }
    return SpecimenTruth(
      id: id, level: set.level.rawValue, documentType: kind == .old ? "old" : "new", overseas: kind == .overseas,
      lifetime: person.dateOfExpiry == nil, identityNumber: person.number.formatted,
      barcodeNumber: readable ? person.number.formatted : nil, expectedNumber: expected.formatted,
      extractedData: kind == .old ? [:] : extractedData, printing: .init(printing, isNew: kind != .old),
      personsOnPage: personsOnPage, front: front, back: back)
  }

  private var extractedData: [String: String] {
    var data = ExtractedData()
    data.name = person.name
    data.fatherName = person.fatherName
    data.identityNumber = person.number
    data.dateOfBirth = person.dateOfBirth
    data.dateOfIssue = person.dateOfIssue
    data.dateOfExpiry = person.dateOfExpiry
    data.gender = person.gender
    data.country = person.country
    return Dictionary(
      uniqueKeysWithValues: FieldName.allCases.compactMap { field in data[field].map { (field.rawValue, $0) } })
  }

  private func barcodeTruth(_ code: SpecimenBarcode) -> SpecimenTruth.BarcodeTruth {
    let digits = Array("0123456789abcdef")
    let hexadecimal = String(code.payload.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    return .init(symbology: code.symbology.rawValue, payload: hexadecimal, shape: shape.rawValue)
  }

  private static func short(_ value: Double, _ scale: Double) -> Double { (value * scale).rounded() / scale }

  private static func box(_ box: FractionBox) -> [Double] {
    [box.x, box.y, box.width, box.height].map { short($0, 100_000) }
  }
}
