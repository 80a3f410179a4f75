private import Glibc

/// A portrait of a few shapes: shoulders, neck, head, hair or scarf, a face of strokes.
struct Portrait: Sendable {
  /// The shapes in a box of 100 x 128.
  private var shapes = SVGDrawing()

  init(woman: Bool, using random: inout SpecimenRandom) {
    let back = random.between(196, 238)
    shapes.rectangle(
      0, 0, 100, 128, fill: SVGDrawing.colour(back - random.between(0, 16), back, back + random.between(0, 14)))
    let tone = random.pick([[222.0, 178, 142], [200, 152, 116], [176, 128, 96], [236, 198, 166]])
    let skin = SVGDrawing.colour(tone[0], tone[1], tone[2])
    let shaded = SVGDrawing.colour(tone[0] - 26, tone[1] - 26, tone[2] - 24)
    let coat = SVGDrawing.colour(random.between(30, 190), random.between(30, 170), random.between(40, 190))
    let hair = random.pick(["#17130f", "#2b1e15", "#4a3a2e", "#7d7a76"])
    let (wide, tall) = (random.between(20, 24), random.between(26, 31))
    let (cx, cy) = (50 + random.between(-2.5, 2.5), 54 + random.between(-3, 3))
    if woman { shapes.ellipse(cx, cy - 1, wide + 11, tall + 13, fill: coat) }
    shapes.add("<path d=\"M4 128C8 104 28 98 50 97C72 98 92 104 96 128Z\" fill=\"\(coat)\"/>")
    shapes.rectangle(cx - 9, cy + tall - 8, 18, 22, fill: shaded, radius: 6)
    if !woman { shapes.ellipse(cx, cy - 7, wide + 1.5, tall - 2, fill: hair) }
    shapes.ellipse(cx, cy, wide, tall, fill: skin)
    if woman {
      shapes.add(
        "<path d=\"M\(SVGDrawing.decimal(cx - wide)) \(SVGDrawing.decimal(cy - 6))Q\(SVGDrawing.decimal(cx)) "
          + "\(SVGDrawing.decimal(cy - tall * 1.5)) \(SVGDrawing.decimal(cx + wide)) \(SVGDrawing.decimal(cy - 6))"
          + "Q\(SVGDrawing.decimal(cx)) \(SVGDrawing.decimal(cy - tall)) \(SVGDrawing.decimal(cx - wide)) \(SVGDrawing.decimal(cy - 6))Z\""
          + " fill=\"\(hair)\"/>")
    } else {
      shapes.ellipse(cx, cy - tall * 0.82, wide * 0.86, tall * 0.34, fill: hair)
      if random.chance(0.45) {
        shapes.ellipse(cx, cy + tall * 0.72, wide * 0.72, tall * 0.34, fill: hair, extra: "opacity=\"0.85\"")
      }
      if random.chance(0.4) { shapes.rectangle(cx - 8, cy + 9.5, 16, 3.2, fill: hair, radius: 1.5) }
    }
    for side in [-1.0, 1.0] {
      shapes.ellipse(cx + side * 8.5, cy - 3, 3.4, 1.9, fill: "#f6f2ec")
      shapes.ellipse(cx + side * 8.5, cy - 3, 1.7, 1.7, fill: "#241a14")
      shapes.line(cx + side * 5, cy - 8, cx + side * 12.5, cy - 8.4, stroke: hair, width: 1.7)
    }
    shapes.path([(cx, cy - 1), (cx - 2.4, cy + 7), (cx + 1.4, cy + 7.6)], stroke: shaded, width: 1.3)
    shapes.path([(cx - 6, cy + 14), (cx, cy + 15.4), (cx + 6, cy + 14)], stroke: "#8d4b42", width: 1.9)
  }

  /// Draws it in a box; `mark` writes SPECIMEN across.
  func draw(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, opacity: Double, mark: Bool,
    into drawing: inout SVGDrawing,
    using random: inout SpecimenRandom
  ) {
    let d = { (value: Double) in SVGDrawing.decimal(value, 3) }
    drawing.add(
      "<g transform=\"translate(\(d(x)) \(d(y))) scale(\(d(width / 100)) \(d(height / 128)))\" opacity=\"\(d(opacity))\">"
        + shapes.body + "</g>")
    guard mark else { return }
    let (cx, cy, angle) = (x + width / 2, y + height * random.between(0.5, 0.72), random.between(-38, 30))
    drawing.text(
      "SPECIMEN", cx, cy, size: width * 0.17, family: "Liberation Sans", weight: 700,
      fill: random.pick(["#b01818", "#ffffff", "#9c1f5a"]), anchor: "middle",
      extra: "fill-opacity=\"0.8\" letter-spacing=\"1\" transform=\"rotate(\(d(angle)) \(d(cx)) \(d(cy)))\"")
  }
}
