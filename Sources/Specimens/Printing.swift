private import Glibc

/// How one run of cards was printed: typefaces, sizes, rules, and by how much the layout is off.
struct Printing: Sendable {
  /// What takes the place of the chip on a new card.
  enum ChipPlace: String, Sendable { case chip, code, bare }

  var family: String
  var weight: Int
  var labelFamily: String
  var labelWeight: Int
  var labelSize: Double
  var valueSize: Double
  var ink: String
  var labelInk: String
  var rowRules: Bool
  var columnRules: Bool
  var ruleInk: String
  var ruleWidth: Double
  var chipPlace: ChipPlace
  var urduFamily: String
  var urduSize: Double
  /// How the second name is labelled, apart from whose name it is.
  var possessive: Bool
  /// Paper: the lighter and the darker of the ground's two colours, and the lines' strength.
  var ground: (light: [Double], dark: [Double])
  var lineStrength: Double
  /// The layout's shift and stretch.
  var shiftX: Double, shiftY: Double, stretchX: Double, stretchY: Double
  /// Each row's own shift, in fractions of the height.
  var rowShifts: [Double]
  var columnShift: Double
  /// How strongly a glossy patch over the values shimmers, 0...1; most cards show none.
  var sheen: Double

  init(using random: inout SpecimenRandom) {
    family = random.pick(Typefaces.latin)
    let wide = ["DejaVu Sans", "PT Sans Caption", "Inter", "M PLUS 1", "M PLUS 2"].contains(family)
    let bold = random.chance(0.65)
    weight = bold ? (random.chance(0.3) && family != "Liberation Sans" ? 600 : 700) : random.pick([400, 400, 500])
    labelFamily = random.chance(0.75) ? family : random.pick(Typefaces.latin)
    labelWeight = random.chance(0.4) ? 700 : 400
    labelSize = random.between(15, 19)
    valueSize = random.between(25, 30.5) * (wide ? 0.93 : 1)
    let dark = random.between(8, 48)
    ink = SVGDrawing.colour(dark + random.between(-6, 10), dark + random.between(-6, 10), dark + random.between(-6, 14))
    let pale = random.between(15, 85)
    labelInk = SVGDrawing.colour(pale, pale + random.between(-5, 18), pale)
    rowRules = random.chance(0.5)
    columnRules = rowRules ? random.chance(0.8) : random.chance(0.08)
    let rule = random.between(20, 130)
    ruleInk = SVGDrawing.colour(rule, rule, rule)
    ruleWidth = random.between(0.9, 2)
    chipPlace = random.pick(weighted: [(.chip, 0.84), (.code, 0.11), (.bare, 0.05)])
    urduFamily = random.pick(weighted: [
      ("Noto Nastaliq Urdu", 0.76), ("Nafees", 0.06), ("Noto Naskh Arabic", 0.10), ("Amiri", 0.08),
    ])
    urduSize = urduFamily == "Noto Nastaliq Urdu" ? random.between(19, 25) : random.between(24, 31)
    possessive = random.chance(0.35)
    let grounds: [(light: [Double], dark: [Double])] = [
      ([236, 246, 232], [205, 228, 200]), ([240, 247, 226], [212, 226, 178]), ([232, 246, 240], [196, 226, 214]),
      ([246, 246, 232], [216, 228, 204]), ([240, 244, 244], [208, 222, 214]), ([244, 248, 240], [226, 236, 218]),
      ([244, 236, 232], [226, 214, 206]), ([238, 240, 248], [214, 222, 236]),
    ]
    let chosen = random.pick(grounds)
    let shade = random.between(-8, 5)
    ground = (chosen.light.map { $0 + shade / 2 }, chosen.dark.map { $0 + shade })
    lineStrength = random.between(0.45, 2.1)
    shiftX = random.between(-0.010, 0.010)
    shiftY = random.between(-0.012, 0.012)
    stretchX = random.between(-0.018, 0.018)
    stretchY = random.between(-0.018, 0.018)
    rowShifts = (0..<5).map { _ in random.between(-0.006, 0.006) }
    columnShift = random.between(-0.010, 0.012)
    sheen = random.chance(0.16) ? random.between(0.15, 0.45) : 0
  }

  /// A place given in fractions of the card (facts: origin top left), in drawing units and with the printing's shift.
  func x(_ fraction: Double) -> Double { (fraction + shiftX + (fraction - 0.5) * stretchX) * SVGDrawing.width }
  func y(_ fraction: Double) -> Double { (fraction + shiftY + (fraction - 0.5) * stretchY) * SVGDrawing.height }

  /// The baseline of text whose capitals are centred on `fraction`.
  func baseline(_ fraction: Double, size: Double) -> Double { y(fraction) + 0.355 * size }
}
