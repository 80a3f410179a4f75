/// Everything that is done to a card between the printer and the file. Drawn once, then applied: the truth records it.
struct Damage: Sendable {
  struct Glare: Sendable {
    /// Fractions of the card; radii in card widths.
    var u: Double, v: Double, rx: Double, ry: Double, angle: Double, strength: Double, flat: Double
  }
  enum Desk: Int, Sendable { case plain = 0, wood, cloth, marble, paper }
  enum FileFormat: Sendable, Equatable { case jpeg(quality: Int), png, tiff }

  // The card itself.
  var wear = 0.0
  var lamination = 0.0
  // The scene.
  var desk = Desk.plain
  var deskColour: [UInt8] = [246, 246, 244]
  var deskContrast = 0.0
  var deskGrain = 40.0
  var dropShadow = 0.0
  var finger = false
  // The light.
  var light = 1.0
  var lightX = 0.0, lightY = 0.0
  var vignette = 0.0
  var glares: [Glare] = []
  var shade = 0.0
  // The camera.
  var blur = 0.0
  var motion = 0.0
  var noise = 0.0
  var moire = 0.0
  // The file.
  var saturation = 1.0
  var contrast = 1.0
  var brightness = 0.0
  var gain = [1.0, 1.0, 1.0]
  var earlierJPEG: Int?
  var format = FileFormat.png
  /// Clockwise quarter turns.
  var turn = 0
  var dpi = 300

  /// - Returns: the damage and the placement of one side at a level.
  static func draw(_ level: SpecimenLevel, using random: inout SpecimenRandom) -> (Damage, Placement) {
    switch level {
    case .clean: clean(using: &random)
    case .scan: scan(using: &random)
    case .photo: photo(using: &random)
    case .hard: hard(using: &random)
    }
  }

  private static func clean(using random: inout SpecimenRandom) -> (Damage, Placement) {
    var d = Damage()
    let filled = random.chance(0.3)
    let cardWidth = 1012 * random.between(0.98, 1.03)
    let margins = (0..<4).map { _ in filled ? 0 : random.between(0.01, 0.16) }
    let placement = Placement(
      cardWidth: cardWidth, tilt: filled ? 0 : random.between(-0.7, 0.7), perspective: 0, margins: margins,
      using: &random)
    d.lid(using: &random)
    d.blur = random.between(0.25, 0.5)
    d.noise = random.between(0, 2)
    d.contrast = random.between(0.95, 1.06)
    d.gain = (0..<3).map { _ in random.between(0.985, 1.015) }
    d.format = random.pick(weighted: [(.png, 0.4), (.jpeg(quality: random.whole(86...95)), 0.55), (.tiff, 0.05)])
    if random.chance(0.15) { d.wear = random.between(0.1, 0.4) }
    return (d, placement)
  }

  private static func scan(using random: inout SpecimenRandom) -> (Damage, Placement) {
    var d = Damage()
    let cardWidth = 1012 * random.between(0.82, 1.02)
    let margins = Self.margins(0.02, 0.3, using: &random)
    let placement = Placement(
      cardWidth: cardWidth, tilt: random.between(-3, 3), perspective: 0, margins: margins, using: &random)
    d.lid(using: &random)
    d.light = random.between(0.93, 1.03)
    d.lightX = random.between(-0.05, 0.05)
    d.blur = random.between(0.4, 0.95)
    d.noise = random.between(1, 5)
    d.contrast = random.between(0.9, 1.12)
    d.gain = (0..<3).map { _ in random.between(0.96, 1.03) }
    d.wear = random.chance(0.35) ? random.between(0.1, 0.7) : 0
    if random.chance(0.08) { d.lamination = random.between(0.1, 0.4) }
    if random.chance(0.18) {
      d.saturation = 0
      d.contrast = random.chance(0.3) ? random.between(1.6, 2.1) : random.between(1.05, 1.55)
      d.brightness = random.between(-4, 18)
    }
    if random.chance(0.05) { d.moire = random.between(2, 6) }
    if random.chance(0.06) { d.turn = random.whole(1...3) }
    d.format = .jpeg(quality: random.whole(68...82))
    return (d, placement)
  }

  private static func photo(using random: inout SpecimenRandom) -> (Damage, Placement) {
    var d = Damage()
    let cardWidth = 1012 * random.between(0.9, 1.3)
    let margins = Self.margins(0.04, 0.26, using: &random)
    let placement = Placement(
      cardWidth: cardWidth, tilt: random.between(-9, 9), perspective: random.between(0.004, 0.045), margins: margins,
      using: &random)
    d.table(using: &random)
    d.light = random.between(0.72, 1.06)
    d.lightX = random.between(-0.34, 0.34)
    d.lightY = random.between(-0.3, 0.3)
    d.vignette = random.between(0, 0.25)
    if random.chance(0.25) { d.glares = [glare(strength: random.between(25, 95), using: &random)] }
    if random.chance(0.25) { d.shade = random.between(0.12, 0.42) }
    d.blur = random.between(0.7, 1.55)
    d.noise = random.between(2, 6.5)
    d.colourCast(0.08, using: &random)
    d.wear = random.chance(0.4) ? random.between(0.1, 0.8) : 0
    if random.chance(0.1) { d.lamination = random.between(0.2, 0.7) }
    d.finger = random.chance(0.06)
    if random.chance(0.04) { d.moire = random.between(2, 5) }
    if random.chance(0.06) { d.turn = random.whole(1...3) }
    if random.chance(0.15) { d.earlierJPEG = random.whole(55...85) }
    d.format = .jpeg(quality: random.whole(50...70))
    d.dpi = 72
    return (d, placement)
  }

  private static func hard(using random: inout SpecimenRandom) -> (Damage, Placement) {
    var d = Damage()
    let cardWidth = 1012 * random.between(0.56, 0.68)
    let margins = Self.margins(0.03, 0.24, using: &random)
    let placement = Placement(
      cardWidth: cardWidth, tilt: random.between(-9, 9), perspective: random.between(0.005, 0.05), margins: margins,
      using: &random)
    d.table(using: &random)
    d.light = random.between(0.6, 1.05)
    d.lightX = random.between(-0.4, 0.4)
    d.lightY = random.between(-0.34, 0.34)
    d.vignette = random.between(0, 0.3)
    if random.chance(0.62) { d.glares = [glare(strength: random.between(50, 165), using: &random)] }
    if random.chance(0.12) { d.glares.append(glare(strength: random.between(30, 90), using: &random)) }
    if random.chance(0.28) { d.shade = random.between(0.15, 0.5) }
    d.blur = random.between(0.4, 0.95)
    d.motion = random.chance(0.85) ? 0.4 + 2.6 * random.unit() * random.between(0.4, 1) : 0
    d.noise = random.between(2, 7)
    d.colourCast(0.11, using: &random)
    d.wear = random.chance(0.5) ? random.between(0.1, 0.9) : 0
    if random.chance(0.12) { d.lamination = random.between(0.2, 0.7) }
    d.finger = random.chance(0.07)
    if random.chance(0.04) { d.moire = random.between(2, 5) }
    d.turn = random.whole(0...3)
    if random.chance(0.25) { d.earlierJPEG = random.whole(45...80) }
    d.format = .jpeg(quality: random.whole(29...45))
    d.dpi = 72
    return (d, placement)
  }

  /// For files of a few dozen kilobytes: a narrower card, softened as much less as it is narrower, in a JPEG.
  mutating func makeSmall(_ placement: inout Placement) {
    let scale = min(1, 700 / placement.cardWidth)
    placement = placement.scaled(by: scale)
    blur = max(0.3, blur * scale)
    noise = min(noise, 3)
    if case .jpeg(let quality) = format {
      format = .jpeg(quality: min(quality, 78))
    } else {
      format = .jpeg(quality: 78)
    }
  }

  /// Room round the card; now and then next to none, as when an app has cropped the picture.
  private static func margins(_ least: Double, _ most: Double, using random: inout SpecimenRandom) -> [Double] {
    let tight = random.chance(0.1)
    return (0..<4).map { _ in tight ? random.between(0.001, 0.015) : random.between(least, most) }
  }

  private static func glare(strength: Double, using random: inout SpecimenRandom) -> Glare {
    Glare(
      u: random.between(-0.05, 1.05), v: random.between(-0.05, 1.05), rx: random.between(0.06, 0.2),
      ry: random.between(0.04, 0.16),
      angle: random.between(0, 3.14), strength: strength, flat: random.chance(0.25) ? random.between(0, 0.5) : 0)
  }

  /// A scanner's lid behind the card: nearly white, sometimes grey or black.
  private mutating func lid(using random: inout SpecimenRandom) {
    let level = random.pick(weighted: [
      (random.between(240, 254), 0.66), (random.between(205, 238), 0.2), (random.between(18, 60), 0.14),
    ])
    deskColour = [level, level - random.between(0, 3), level - random.between(0, 5)].map { UInt8(max(0, $0)) }
    desk = .paper
    deskContrast = 0.02
    dropShadow = random.between(0.02, 0.25)
  }

  /// A table under the card.
  private mutating func table(using random: inout SpecimenRandom) {
    desk = random.pick([.plain, .wood, .wood, .cloth, .marble, .paper])
    let colours: [Desk: [[UInt8]]] = [
      .plain: [[70, 76, 84], [190, 186, 178], [44, 60, 92], [120, 116, 110], [228, 226, 220]],
      .wood: [[142, 98, 60], [186, 146, 100], [96, 62, 40], [206, 178, 140]],
      .cloth: [[60, 70, 110], [130, 44, 50], [170, 166, 158], [40, 44, 44], [72, 104, 84]],
      .marble: [[204, 200, 196], [150, 152, 154], [224, 220, 210]],
      .paper: [[240, 238, 232], [226, 222, 214], [250, 250, 250]],
    ]
    deskColour = random.pick(colours[desk] ?? [[180, 180, 180]])
    deskContrast = desk == .paper ? 0.06 : random.between(0.08, 0.38)
    deskGrain = random.between(14, 70)
    dropShadow = random.between(0.1, 0.6)
  }

  private mutating func colourCast(_ amount: Double, using random: inout SpecimenRandom) {
    let warmth = random.between(-amount, amount)
    gain = [1 + warmth, 1 + random.between(-0.02, 0.02), 1 - warmth]
    contrast = random.between(0.85, 1.1)
    saturation = random.between(0.75, 1.15)
  }
}
