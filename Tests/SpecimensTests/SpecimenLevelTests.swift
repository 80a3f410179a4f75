import CardModel
import Testing

@testable import Specimens

/// What the levels promise, and where cards lie in their images.
@Suite struct SpecimenLevelTests {
  private func drawn(_ level: SpecimenLevel, _ count: Int = 60) -> [(Damage, Placement)] {
    (0..<count).map { index in
      var random = SpecimenRandom(seed: 90, index: index, purpose: .frontScene)
      return Damage.draw(level, using: &random)
    }
  }

  private func quality(_ damage: Damage) -> Int? {
    if case .jpeg(let quality) = damage.format { quality } else { nil }
  }

  @Test(arguments: SpecimenLevel.allCases) func cornersLieInsideTheImage(level: SpecimenLevel) throws {
    for (_, placement) in drawn(level) {
      for corner in placement.corners {
        #expect(corner.x >= -0.01 && corner.x <= Double(placement.width) + 0.01)
        #expect(corner.y >= -0.01 && corner.y <= Double(placement.height) + 0.01)
      }
    }
    let set = try SpecimenSet(seed: 91, count: 2, level: level)
    for index in 0..<2 {
      let truth = try set.specimen(at: index).truth
      for side in [truth.front, truth.back] {
        #expect(side.corners.count == 4)
        #expect(side.corners.allSatisfy { (0...Double(side.widthPixels)).contains($0[0]) })
        #expect(side.corners.allSatisfy { (0...Double(side.heightPixels)).contains($0[1]) })
        // Clockwise from the card's own top left: the cross products of the edges all have one sign.
        for i in 0..<4 {
          let (a, b, c) = (side.corners[i], side.corners[(i + 1) % 4], side.corners[(i + 2) % 4])
          #expect((b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]) > 0)
        }
      }
    }
  }

  @Test func theProjectionTakesCornersToCorners() {
    for (_, placement) in drawn(.photo, 10) {
      let m = placement.inverse(cardPixels: (1000, 630))
      for (corner, target) in zip(placement.corners, [(0.0, 0.0), (1000, 0), (1000, 630), (0, 630)]) {
        let z = m[6] * corner.x + m[7] * corner.y + m[8]
        #expect(abs((m[0] * corner.x + m[1] * corner.y + m[2]) / z - target.0) < 0.01)
        #expect(abs((m[3] * corner.x + m[4] * corner.y + m[5]) / z - target.1) < 0.01)
      }
    }
  }

  @Test func cleanIsAFlatbedAt300DotsPerInch() {
    for (damage, placement) in drawn(.clean) {
      #expect(abs(placement.cardWidth / 1012 - 1) < 0.04)
      #expect(damage.turn == 0 && damage.motion == 0 && damage.glares.isEmpty && damage.noise <= 2)
      #expect(quality(damage).map { $0 >= 85 } ?? true)
    }
  }

  @Test func scansAreSkewedALittleAndSometimesGrey() {
    let scans = drawn(.scan)
    for (damage, placement) in scans {
      let (a, b) = (placement.corners[0], placement.corners[1])
      #expect(abs(b.y - a.y) / placement.cardWidth < 0.0535, "3 degrees")
      #expect((65...85).contains(quality(damage) ?? 0))
    }
    #expect(scans.contains { $0.0.saturation == 0 })
    #expect(scans.contains { $0.0.turn != 0 })
  }

  @Test func photosHaveATableAndUnevenLight() {
    let photos = drawn(.photo)
    #expect(Set(photos.map(\.0.desk)).count == 5)
    #expect(photos.allSatisfy { (45...72).contains(quality($0.0) ?? 0) && $0.0.lightX != 0 })
    #expect(photos.contains { $0.0.finger } && photos.contains { $0.0.earlierJPEG != nil })
  }

  @Test func hardCardsAreSmallTurnedAndSmeared() {
    let hard = drawn(.hard)
    for (damage, placement) in hard {
      #expect((560...700).contains(placement.cardWidth))
      #expect((25...48).contains(quality(damage) ?? 0))
    }
    #expect(Set(hard.map(\.0.turn)) == [0, 1, 2, 3])
    #expect(hard.filter { !$0.0.glares.isEmpty }.count > 20)
    #expect(hard.filter { $0.0.motion > 0 }.count > 40)
  }

  @Test func anOfficePageHoldsBothSides() throws {
    var options = SpecimenOptions()
    options.pages = .bothSides
    let specimen = try SpecimenSet(seed: 4, count: 1, level: .scan, options: options).specimen(at: 0)
    let truth = specimen.truth
    #expect(truth.personsOnPage == 1)
    #expect(truth.front.file == truth.back.file && specimen.front == specimen.back)
    #expect(
      abs(Double(truth.front.heightPixels) / Double(truth.front.widthPixels) - 1.414) < 0.02
        || truth.front.turnDegrees % 180 != 0)
    #expect(truth.front.corners != truth.back.corners)
    #expect(truth.front.corners.allSatisfy { $0[0] > 0 && $0[0] < Double(truth.front.widthPixels) })
  }

  @Test func otherPersonsOnAPageAreNotOfTheSet() throws {
    var options = SpecimenOptions()
    options.pages = .severalPersons
    let set = try SpecimenSet(seed: 4, count: 2, level: .scan, options: options)
    let persons = try #require(try set.specimen(at: 1).truth.personsOnPage)
    #expect((2...4).contains(persons))
  }

  @Test func twoPagesAreOneFile() throws {
    var options = SpecimenOptions()
    options.pages = .twoPageTIFF
    let specimen = try SpecimenSet(seed: 4, count: 1, level: .hard, options: options).specimen(at: 0)
    #expect(specimen.front.fileExtension == "tif" && specimen.front == specimen.back)
    #expect(specimen.truth.front.page == 0 && specimen.truth.back.page == 1)
    #expect(specimen.frontRaster.width == specimen.backRaster.width)
  }
}
