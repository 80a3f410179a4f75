private import Glibc

/// The decoration of a card: ground, fine lines, ornament, chip, portrait, signature, thumbprint.
///
/// None of it is taken from a card. The ornament is a rosette and the flag a bare field: no state emblem and no security
/// feature is imitated, and every portrait is drawn from a few shapes and marked SPECIMEN.
enum Artwork {
  /// The ground's colours with waves of fine lines over them.
  static func ground(_ printing: Printing, into drawing: inout SVGDrawing, using random: inout SpecimenRandom) {
    func tint(_ c: [Double]) -> String { SVGDrawing.colour(c[0], c[1], c[2]) }
    let (x2, y2) = (random.between(0, 1), random.between(0.3, 1))
    drawing.add(
      "<defs><linearGradient id=\"g\" x1=\"0\" y1=\"0\" x2=\"\(SVGDrawing.decimal(x2))\" y2=\"\(SVGDrawing.decimal(y2))\">"
        + "<stop offset=\"0\" stop-color=\"\(tint(printing.ground.light))\"/>"
        + "<stop offset=\"0.5\" stop-color=\"\(tint(printing.ground.dark))\"/>"
        + "<stop offset=\"1\" stop-color=\"\(tint(printing.ground.light))\"/></linearGradient></defs>")
    drawing.rectangle(0, 0, SVGDrawing.width, SVGDrawing.height, fill: "url(#g)")
    for _ in 0..<random.whole(2...4) { waves(printing, into: &drawing, using: &random) }
    if random.chance(0.6) { rings(printing, into: &drawing, using: &random) }
  }

  private static func lineColour(_ printing: Printing, using random: inout SpecimenRandom) -> String {
    let strength = printing.lineStrength * random.between(0.7, 1.15)
    func channel(_ level: Double) -> Double { max(40, 250 - (250 - level) * strength) }
    return SVGDrawing.colour(
      channel(random.between(178, 222)), channel(random.between(200, 226)), channel(random.between(176, 214)))
  }

  private static func waves(_ printing: Printing, into drawing: inout SVGDrawing, using random: inout SpecimenRandom) {
    let colour = lineColour(printing, using: &random)
    let (height, period, phase) = (random.between(6, 70), random.between(120, 450), random.between(0, 6.3))
    let (drift, spacing) = (random.between(0.12, 0.24), random.between(9, 38))
    let width = random.pick([0.5, 0.6, 0.8, 1.2])
    var top = -80.0
    var number = 0.0
    while top < SVGDrawing.height + 80 {
      var points: [(Double, Double)] = []
      for step in 0...46 {
        let x = Double(step) * 22
        let swell = 0.6 + 0.4 * cos(x / period * 2.3 + number * 0.1)
        points.append((x, top + height * sin(x / period * 6.283 + phase + number * drift) * swell))
      }
      drawing.path(points, stroke: colour, width: width)
      top += spacing
      number += 1
    }
  }

  private static func rings(_ printing: Printing, into drawing: inout SVGDrawing, using random: inout SpecimenRandom) {
    let colour = lineColour(printing, using: &random)
    let (cx, cy, petals) = (random.between(300, 700), random.between(180, 460), Double(random.whole(7...14)))
    let (start, step) = (random.between(50, 80), random.between(6, 11))
    for ring in 0..<random.whole(6...14) {
      var points: [(Double, Double)] = []
      for part in 0..<72 {
        let angle = Double(part) / 72 * 6.28318
        let radius = (start + Double(ring) * step) * (1 + 0.16 * sin(angle * petals + Double(ring) * 0.3))
        points.append((cx + radius * cos(angle), cy + 0.8 * radius * sin(angle)))
      }
      drawing.path(points, stroke: colour, width: 0.7, closed: true)
    }
  }

  /// A rosette where cards have their emblem: petals and rings, nobody's arms.
  static func ornament(
    _ x: Double, _ y: Double, radius: Double, into drawing: inout SVGDrawing, using random: inout SpecimenRandom
  ) {
    let colour = SVGDrawing.colour(random.between(20, 90), random.between(90, 130), random.between(50, 90))
    let petals = random.whole(6...12)
    for petal in 0..<petals {
      let angle = Double(petal) / Double(petals) * 360
      drawing.ellipse(
        x, y - radius * 0.55, radius * 0.2, radius * 0.42, fill: "none",
        extra:
          "stroke=\"\(colour)\" stroke-width=\"2.2\" transform=\"rotate(\(SVGDrawing.decimal(angle)) \(SVGDrawing.decimal(x)) \(SVGDrawing.decimal(y)))\""
      )
    }
    drawing.ellipse(x, y, radius, radius, fill: "none", extra: "stroke=\"\(colour)\" stroke-width=\"2\"")
    drawing.ellipse(x, y, radius * 0.2, radius * 0.2, fill: colour)
  }

  /// The contacts of a chip.
  static func chip(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, into drawing: inout SVGDrawing,
    using random: inout SpecimenRandom
  ) {
    let gold = random.chance(0.7)
    let level = random.between(-12, 12)
    let fill =
      gold
      ? SVGDrawing.colour(214 + level, 182 + level, 104 + level)
      : SVGDrawing.colour(198 + level, 200 + level, 200 + level)
    let seam = gold ? "#7d6430" : "#6c6c6c"
    drawing.rectangle(x, y, width, height, fill: fill, radius: 14, extra: "stroke=\"\(seam)\" stroke-width=\"2\"")
    for row in 1...3 {
      let at = y + height * Double(row) / 4
      drawing.line(x, at, x + width * 0.34, at, stroke: seam, width: 2)
      drawing.line(x + width * 0.66, at, x + width, at, stroke: seam, width: 2)
    }
    drawing.rectangle(
      x + width * 0.34, y + height * 0.2, width * 0.32, height * 0.6, fill: "none", radius: 10,
      extra: "stroke=\"\(seam)\" stroke-width=\"2\"")
    drawing.line(x + width * 0.5, y, x + width * 0.5, y + height * 0.2, stroke: seam, width: 2)
    drawing.line(x + width * 0.5, y + height * 0.8, x + width * 0.5, y + height, stroke: seam, width: 2)
  }

  /// A soft patch of changing colour, as a glossy layer shows under a lamp. It stands for no security feature: it has no form.
  static func sheen(
    _ x: Double, _ y: Double, radius: Double, strength: Double, into drawing: inout SVGDrawing,
    using random: inout SpecimenRandom
  ) {
    guard strength > 0 else { return }
    let opacity = SVGDrawing.decimal(strength)
    let colours = random.pick([
      ["#ffd0f0", "#c8fff0", "#fff6b0"], ["#c0e8ff", "#ffd8c8", "#d0ffd0"], ["#ffffff", "#d8c8ff", "#c8f8ff"],
    ])
    var stops = ""
    for (index, colour) in colours.enumerated() {
      stops +=
        "<stop offset=\"\(SVGDrawing.decimal(Double(index) * 0.3))\" stop-color=\"\(colour)\" stop-opacity=\"\(opacity)\"/>"
    }
    drawing.add(
      "<defs><radialGradient id=\"s\">\(stops)<stop offset=\"1\" stop-color=\"#ffffff\" stop-opacity=\"0\"/></radialGradient></defs>"
    )
    drawing.ellipse(x, y, radius, radius * random.between(0.6, 1), fill: "url(#s)")
  }

  /// A green field with a white band at the hoist, and nothing on it.
  static func flag(_ x: Double, _ y: Double, _ width: Double, _ height: Double, into drawing: inout SVGDrawing) {
    drawing.rectangle(x, y, width, height, fill: "#fbfbf8", extra: "stroke=\"#98a898\" stroke-width=\"0.8\"")
    drawing.rectangle(x + width * 0.26, y, width * 0.74, height, fill: "#1d6b41")
  }

  /// A scribble.
  static func signature(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, into drawing: inout SVGDrawing,
    using random: inout SpecimenRandom
  ) {
    let (loops, tilt) = (random.between(2, 5.5), random.between(-0.3, 0.2))
    var points: [(Double, Double)] = []
    let (a, b) = (random.between(0.2, 0.5), random.between(1.5, 3.6))
    for step in 0...70 {
      let t = Double(step) / 70
      let swing = sin(t * loops * 6.283) * (1 - 0.6 * t) + a * sin(t * b * 6.283 + 1)
      points.append(
        (x + width * (t + 0.06 * cos(t * loops * 6.283 * 1.02)), y + height * (0.5 + 0.36 * swing + tilt * (t - 0.5))))
    }
    let ink = random.pick(["#1b1b24", "#20264e", "#2a2a2a"])
    drawing.path(
      points, stroke: ink, width: random.between(1.6, 3.2), extra: "stroke-linejoin=\"round\" stroke-linecap=\"round\"")
  }

  /// Rings as a thumb leaves them.
  static func thumbprint(
    _ x: Double, _ y: Double, radius: Double, into drawing: inout SVGDrawing, using random: inout SpecimenRandom
  ) {
    let ink = SVGDrawing.colour(random.between(50, 90), random.between(50, 90), random.between(80, 120))
    for ring in 1...9 {
      let r = radius * Double(ring) / 9
      var points: [(Double, Double)] = []
      for part in 0..<48 {
        let angle = Double(part) / 48 * 6.28318
        let bent = r * (1 + 0.07 * sin(angle * 3 + Double(ring) * 0.5))
        points.append((x + bent * 0.76 * cos(angle), y + bent * sin(angle) + 0.1 * r))
      }
      drawing.path(
        points, stroke: ink, width: 1.6, closed: true,
        extra: "stroke-dasharray=\"\(random.whole(18...40)) \(random.whole(2...6))\"")
    }
  }
}
