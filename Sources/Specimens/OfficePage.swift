import CardModel

extension PairDrawing {
  /// The pair in one file instead of two.
  func onPages(_ pages: OfficePages) throws(SpecimenFailure) -> Specimen {
    switch pages {
    case .bothSides: try onOnePage(persons: 1)
    case .severalPersons:
      try onOnePage(persons: SpecimenRandom.persons(seed: set.seed, index: index))
    case .twoPageTIFF: try asTwoPages()
    }
  }

  /// An A4 page with the front and the back of that many persons' cards, side by side or one above the other.
  private func onOnePage(persons: Int) throws(SpecimenFailure) -> Specimen {
    var random = SpecimenRandom(seed: set.seed, index: index, purpose: .page)
    let level: SpecimenLevel = set.level == .clean ? .clean : .scan
    var (damage, _) = Damage.draw(level, using: &random)
    let dpi = random.whole(150...300)
    let scale = Double(dpi) / 300
    damage.dpi = dpi
    damage.blur *= max(0.6, scale)
    damage.wear *= 0.6
    damage.deskColour = damage.deskColour.map { max($0, 226) }
    damage.dropShadow *= 0.6
    if damage.format == .tiff { damage.format = .png }
    let (width, height) = (Int(8.27 * Double(dpi)), Int(11.69 * Double(dpi)))
    let places = Self.places(persons: persons, width: width, height: height, dpi: dpi, using: &random)

    var cards: [(face: Raster, placement: Placement)] = []
    for person in 0..<persons {
      let pair = person == 0 ? self : try PairDrawing(set: set, index: Self.stranger(person, of: index))
      cards.append((try pair.raster(pair.front, for: places[person * 2]), places[person * 2]))
      cards.append((try pair.raster(pair.back, for: places[person * 2 + 1]), places[person * 2 + 1]))
    }
    let photographs = try damage.photograph(cards, using: &random)
    let image = try photographs[0].image.encoded(damage.format, dpi: dpi)
    let file = id + "." + image.fileExtension
    return Specimen(
      truth: truth(
        front: sideTruth(front, photographs[0], damage, places[0], file: file),
        back: sideTruth(back, photographs[1], damage, places[1], file: file), personsOnPage: persons),
      front: image, back: image, frontRaster: photographs[0].image, backRaster: photographs[1].image)
  }

  /// Front and back of each person in turn. One person's sides mostly stand one above the other; several persons' fronts
  /// stand at the left of their backs.
  private static func places(
    persons: Int, width: Int, height: Int, dpi: Int, using random: inout SpecimenRandom
  ) -> [Placement] {
    let cardWidth = 85.6 / 25.4 * Double(dpi) * random.between(0.97, 1.03)
    let (w, h) = (Double(width), Double(height))
    func place(_ x: Double, _ y: Double) -> Placement {
      let wander = 0.012
      return Placement(
        pageWidth: width, pageHeight: height,
        middle: (w * (x + random.between(-wander, wander)), h * (y + random.between(-wander, wander))),
        cardWidth: cardWidth, tilt: random.between(-2, 2))
    }
    if persons == 1, random.chance(0.75) {
      let x = random.between(0.26, 0.74)
      let y = random.between(0.14, 0.5)
      return [place(x, y), place(x, y + random.between(0.23, 0.34))]
    }
    let top = persons == 1 ? random.between(0.14, 0.8) : 0.14
    return (0..<persons).flatMap { [place(0.26, top + 0.235 * Double($0)), place(0.74, top + 0.235 * Double($0))] }
  }

  /// An index far outside any set, so that the others on a page are nobody of the set.
  private static func stranger(_ number: Int, of index: Int) -> Int { index + 1_000_000_007 * number }

  /// Two pages of a TIFF, laid on sheets of one size.
  private func asTwoPages() throws(SpecimenFailure) -> Specimen {
    let front = try photographed(front, purpose: .frontScene, level: set.level)
    let back = try photographed(back, purpose: .backScene, level: set.level)
    let (width, height) = (max(front.0.width, back.0.width), max(front.0.height, back.0.height))
    let pages = [front.0.onSheet(width: width, height: height), back.0.onSheet(width: width, height: height)]
    let stacked = Raster(width: width, height: height * 2, channels: 3, samples: pages[0].samples + pages[1].samples)
    let image = try stacked.encodedAsPages(height: height)
    func paged(_ side: SpecimenTruth.SideTruth, _ page: Int) -> SpecimenTruth.SideTruth {
      var side = side
      (side.file, side.page, side.widthPixels, side.heightPixels) = (id + ".tif", page, width, height)
      return side
    }
    return Specimen(
      truth: truth(front: paged(front.2, 0), back: paged(back.2, 1), personsOnPage: 1), front: image, back: image,
      frontRaster: pages[0],
      backRaster: pages[1])
  }
}

extension SpecimenRandom {
  /// Two to four, by the pair.
  static func persons(seed: UInt64, index: Int) -> Int {
    var random = SpecimenRandom(seed: seed &+ 1, index: index, purpose: .page)
    return random.whole(2...4)
  }
}

extension Raster {
  /// The image at the top left of a white sheet.
  func onSheet(width: Int, height: Int) -> Raster {
    var samples = [UInt8](repeating: 250, count: width * height * 3)
    for row in 0..<self.height {
      let from = row * self.width * 3, to = row * width * 3
      samples.replaceSubrange(to..<(to + self.width * 3), with: self.samples[from..<(from + self.width * 3)])
    }
    return Raster(width: width, height: height, channels: 3, samples: samples)
  }
}
