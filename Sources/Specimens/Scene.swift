import CardModel
private import CSpecimens
private import Glibc

/// One side as an image: what the file holds, and where the card is in it.
struct Photograph: Sendable {
  var image: Raster
  /// The card's corners in pixels of the file's image, from the card's own top left clockwise.
  var corners: [FractionPoint]
}

extension Damage {
  /// The width at which a face is best drawn for a card that wide in the image.
  static func drawingWidth(for placement: Placement) -> Int { min(1620, max(900, Int(placement.cardWidth * 1.35))) }

  /// Takes the picture of one card.
  func photograph(_ face: Raster, at placement: Placement, using random: inout SpecimenRandom) throws(SpecimenFailure)
    -> Photograph
  {
    try photograph([(face, placement)], using: &random)[0]
  }

  /// Takes one picture of several cards; every placement is of the same image.
  /// - Returns: the picture once for each card, with that card's corners.
  func photograph(
    _ cards: [(face: Raster, placement: Placement)], using random: inout SpecimenRandom
  ) throws(SpecimenFailure) -> [Photograph] {
    guard let placement = cards.first?.placement else { return [] }
    let (width, height) = (Int32(placement.width), Int32(placement.height))
    var scene = [UInt8](repeating: 255, count: placement.width * placement.height * 3)
    cspecimens_desk(&scene, width, height, Int32(desk.rawValue), deskGrain, deskContrast, deskColour, random.next())
    for (face, placement) in cards {
      let card = try worn(face, using: &random)
      let inverse = placement.inverse(cardPixels: (Double(card.width), Double(card.height)))
      let (shadowX, shadowY) = (random.between(-0.012, 0.012), random.between(0, 0.014))
      cspecimens_warp(
        card.samples, Int32(card.width), Int32(card.height), inverse, Double(card.width) * 0.037, dropShadow,
        shadowX * Double(card.width), shadowY * Double(card.width), &scene, width, height)
    }
    if finger { try layFinger(on: &scene, placement, using: &random) }
    shine(on: &scene, placement, using: &random)
    cspecimens_blur(&scene, width, height, blur)
    cspecimens_motion(&scene, width, height, motion, random.between(0, 3.14159))
    if moire > 0 {
      cspecimens_moire(
        &scene, width, height, random.between(3, 9), random.between(0, 3.14), random.between(0, 5), moire)
    }
    cspecimens_tone(&scene, width, height, contrast, brightness, saturation, gain)
    cspecimens_noise(&scene, width, height, noise, saturation == 0 ? 0 : 0.35, random.next())
    let image = try finished(scene, placement)
    return cards.map { Photograph(image: image, corners: turned($0.placement)) }
  }

  /// The light on the scene.
  private func shine(on scene: inout [UInt8], _ placement: Placement, using random: inout SpecimenRandom) {
    let (width, height) = (Int32(placement.width), Int32(placement.height))
    if shade > 0 {
      let at = placement.place(random.between(0.2, 0.8), random.between(0.2, 0.8))
      cspecimens_shade(
        &scene, width, height, at.x, at.y, random.between(0, 6.28), placement.cardWidth * random.between(0.02, 0.4),
        shade)
    }
    if light != 1 || lightX != 0 || lightY != 0 || vignette != 0 {
      cspecimens_light(&scene, width, height, light, lightX, lightY, vignette)
    }
    for glare in glares {
      let at = placement.place(glare.u, glare.v)
      cspecimens_glare(
        &scene, width, height, at.x, at.y, glare.rx * placement.cardWidth, glare.ry * placement.cardWidth, glare.angle,
        glare.strength, glare.flat)
    }
  }

  /// Turns the image, and sends it through an earlier JPEG where there was one.
  private func finished(_ scene: [UInt8], _ placement: Placement) throws(SpecimenFailure) -> Raster {
    let (width, height) = (placement.width, placement.height)
    var samples = scene
    if turn % 4 != 0 { cspecimens_turn(scene, Int32(width), Int32(height), Int32(turn), &samples) }
    let upright = turn % 2 == 0
    let image = Raster(width: upright ? width : height, height: upright ? height : width, channels: 3, samples: samples)
    guard let earlierJPEG else { return image }
    return try image.throughJPEG(quality: earlierJPEG)
  }

  /// A card's corners after the image was turned.
  private func turned(_ placement: Placement) -> [FractionPoint] {
    var (width, height) = (Double(placement.width), Double(placement.height))
    var corners = placement.corners
    for _ in 0..<(turn % 4) {
      corners = corners.map { (height - $0.y, $0.x) }
      (width, height) = (height, width)
    }
    return corners.map { FractionPoint(x: $0.x, y: $0.y) }
  }

  /// Scratches, scuffed edges, and the sheen of a laminated card.
  private func worn(_ face: Raster, using random: inout SpecimenRandom) throws(SpecimenFailure) -> Raster {
    guard wear > 0 || lamination > 0 else { return face }
    var drawing = SVGDrawing()
    for _ in 0..<Int(wear * 26) {
      let (x, y, angle) = (random.between(0, 1012), random.between(0, 638), random.between(0, 3.14))
      let length = random.between(12, 190)
      let tone = random.chance(0.75) ? "#ffffff" : "#3a3a34"
      drawing.path(
        [
          (x, y), (x + length * 0.5 * cos(angle) + random.between(-6, 6), y + length * 0.5 * sin(angle)),
          (x + length * cos(angle), y + length * sin(angle)),
        ],
        stroke: tone, width: random.between(0.5, 1.5),
        extra: "stroke-opacity=\"\(SVGDrawing.decimal(random.between(0.12, 0.5)))\"")
    }
    for _ in 0..<Int(wear * 9) {
      let x = random.chance(0.5) ? random.between(0, 1012) : random.pick([2, 1010])
      drawing.ellipse(
        x, x > 5 && x < 1000 ? random.pick([2, 636]) : random.between(0, 638), random.between(4, 22),
        random.between(3, 9),
        fill: "#f4f2ec", extra: "fill-opacity=\"0.55\"")
    }
    if lamination > 0 {
      let top = random.between(-200, 500), lean = random.between(120, 420), breadth = random.between(50, 170)
      drawing.path(
        [(0, top), (1012, top + lean), (1012, top + lean + breadth), (0, top + breadth)], stroke: "none", width: 0,
        fill: "#ffffff", closed: true,
        extra: "fill-opacity=\"\(SVGDrawing.decimal(lamination * 0.4))\"")
      drawing.rectangle(
        5, 5, 1002, 628, fill: "none", radius: 34,
        extra: "stroke=\"#ffffff\" stroke-opacity=\"\(SVGDrawing.decimal(lamination))\" stroke-width=\"9\"")
    }
    var samples = face.samples
    cspecimens_lay_over(
      &samples, try drawing.render(width: face.width, height: face.height), Int32(face.width), Int32(face.height))
    return Raster(width: face.width, height: face.height, channels: 3, samples: samples)
  }

  /// A finger over the card's left edge, where no value and no barcode stands.
  private func layFinger(on scene: inout [UInt8], _ placement: Placement, using random: inout SpecimenRandom)
    throws(SpecimenFailure)
  {
    let (scaleX, scaleY) = (SVGDrawing.width / Double(placement.width), SVGDrawing.height / Double(placement.height))
    let tip = placement.place(random.between(0.015, 0.045), random.between(0.25, 0.55))
    let radius = placement.cardWidth * random.between(0.05, 0.07)
    let (x, y) = (tip.x * scaleX, tip.y * scaleY)
    let (rx, ry) = (radius * 3.2 * scaleX, radius * scaleY)
    var drawing = SVGDrawing()
    let tone = random.between(-24, 16)
    let lean = random.between(-25, 25)
    let turned = "transform=\"rotate(\(SVGDrawing.decimal(lean)) \(SVGDrawing.decimal(x)) \(SVGDrawing.decimal(y)))\""
    drawing.ellipse(x - rx + 3, y + 4, rx, ry * 1.05, fill: "#000000", extra: "fill-opacity=\"0.25\" \(turned)")
    drawing.ellipse(x - rx, y, rx, ry, fill: SVGDrawing.colour(206 + tone, 158 + tone, 126 + tone), extra: turned)
    drawing.ellipse(
      x - rx * 0.24, y, rx * 0.16, ry * 0.6, fill: SVGDrawing.colour(226 + tone, 188 + tone, 164 + tone), extra: turned)
    cspecimens_lay_over(
      &scene, try drawing.render(width: placement.width, height: placement.height), Int32(placement.width),
      Int32(placement.height))
  }
}
