import CardModel
import Testing

@testable import Specimens

/// The truth: the contract's forms, and that it says what is drawn.
@Suite struct SpecimenTruthTests {
  private func pairs(_ count: Int, seed: UInt64 = 31, options: SpecimenOptions = SpecimenOptions()) throws
    -> [PairDrawing]
  {
    let set = try SpecimenSet(seed: seed, count: count, level: .clean, options: options)
    return try (0..<count).map { try PairDrawing(set: set, index: $0) }
  }

  @Test func fieldsHaveTheContractsForms() throws {
    let set = try SpecimenSet(seed: 21, count: 12, level: .hard)
    for index in 0..<12 {
      let truth = try set.specimen(at: index).truth
      let data = truth.extractedData
      if truth.documentType == "old" {
        #expect(data.isEmpty)
        #expect(truth.front.valueBoxes.isEmpty)
        continue
      }
      #expect(data["identityNumber"].flatMap { IdentityNumber($0) }?.formatted == truth.identityNumber)
      #expect(data["gender"].flatMap(Gender.init(rawValue:)) != nil)
      for field in ["dateOfBirth", "dateOfIssue", "dateOfExpiry"] {
        if field == "dateOfExpiry", truth.lifetime {
          #expect(data[field] == nil)
        } else {
          #expect(data[field].flatMap { CardDate($0) }?.formatted == data[field])
        }
      }
      for field in ["name", "fatherName", "country"] {
        let text = try #require(data[field])
        #expect(!text.isEmpty && !text.contains("  ") && text.utf8.allSatisfy { $0 < 0x80 })
      }
      #expect(truth.front.valueBoxes.count == 8)
    }
  }

  @Test func aSetHoldsEveryKindOfCardAndPerson() throws {
    let pairs = try pairs(160)
    for kind in [PairDrawing.Kind.new, .old, .overseas] {
      let share = Double(pairs.filter { $0.kind == kind }.count) / 160
      let wanted = kind == .new ? 0.65 : kind == .old ? 0.25 : 0.10
      #expect(abs(share - wanted) < 0.12)
    }
    let persons = pairs.map(\.person)
    #expect(Set(persons.map(\.gender)) == Set(Gender.allCases))
    #expect(persons.contains { $0.dateOfExpiry == nil })
    #expect(persons.contains { $0.country != "Pakistan" })
    #expect(persons.contains { !$0.name.contains(" ") })
    #expect(persons.contains { $0.name.count > 24 })
    #expect(persons.contains { $0.hasHusband })
    #expect(Set(pairs.map(\.printing.rowRules)).count == 2)
    #expect(Set(pairs.map(\.printing.family)).count > 12)
    #expect(Set(pairs.map(\.printing.chipPlace)).count == 3)
    #expect(Set(persons.map(\.number)).count == 160)
  }

  @Test func theNumbersLastDigitFitsTheGender() throws {
    for person in try pairs(60).map(\.person) {
      switch person.gender {
      case .male: #expect(person.number.lastDigit % 2 == 1)
      case .female: #expect(person.number.lastDigit % 2 == 0)
      case .other: break
      }
      #expect(person.number.hasKnownRegion)
      #expect(person.dateOfIssue.year - person.dateOfBirth.year >= 18)
      if let expiry = person.dateOfExpiry { #expect(expiry > person.dateOfIssue) }
    }
  }

  @Test func mismatchesDifferInOneDigit() throws {
    var options = SpecimenOptions()
    options.mismatchPercent = 100
    for pair in try pairs(8, options: options) {
      let differing = zip(pair.expected.digits, pair.person.number.digits).filter { $0 != $1 }.count
      #expect(differing == 1)
    }
    options.mismatchPercent = 0
    #expect(try pairs(8, options: options).allSatisfy { $0.expected == $0.person.number })
  }

  @Test func everyFaceIsMarkedAsASpecimen() throws {
    for pair in try pairs(14) {
      #expect(pair.front.drawing.body.contains(">SPECIMEN<"))
      #expect(pair.back.drawing.body.contains(">SPECIMEN<"))
    }
  }

  /// Boxes are measured when the card is drawn; here they are held against the pixels.
  @Test func valueBoxesFrameTheInk() throws {
    var options = SpecimenOptions()
    (options.oldShare, options.overseasShare) = (0, 0)
    let set = try SpecimenSet(seed: 77, count: 3, level: .clean, options: options)
    for index in 0..<3 {
      let truth = try set.specimen(at: index).truth
      let face = try set.face(at: index, .front).grey()
      for (field, box) in truth.front.valueBoxes {
        let (x, y) = (box[0] * 1518, box[1] * 957), (w, h) = (box[2] * 1518, box[3] * 957)
        func darkest(_ left: Double, _ right: Double) throws -> Int {
          let part = PixelBox(x: Int(left), y: Int(y), width: max(1, Int(right - left)), height: max(1, Int(h)))
          return Int(try #require(face.cropped(part)).samples.min() ?? 255)
        }
        #expect(try darkest(x, x + 8) < 130, "\(field) begins at its box's left")
        #expect(try darkest(x + w - 8, x + w) < 130, "\(field) ends at its box's right")
        #expect(w > 4 && h > 10 && x + w < 0.70 * 1518, "\(field) stays left of the portrait")
      }
    }
  }

  /// ICAO Doc 9303 part 5 gives these in its TD1 specimen.
  @Test func checkDigitsAreThoseOfTheStandard() {
    #expect(MachineReadableZone.checkDigit("D23145890") == "7")
    #expect(MachineReadableZone.checkDigit("740812") == "2")
    #expect(MachineReadableZone.checkDigit("120415") == "9")
  }

  @Test func machineReadableLinesAreThirtyCharacters() throws {
    var random = SpecimenRandom(seed: 4, index: 0, purpose: .person)
    for _ in 0..<20 {
      let person = SpecimenPerson(overseas: true, using: &random)
      let zone = MachineReadableZone(person, using: &random)
      #expect(zone.lines.map(\.count) == [30, 30, 30])
      #expect(zone.lines[0].hasPrefix("I<PAK") && zone.lines[0].dropFirst(15).prefix(13) == person.number.digits)
    }
  }
}
