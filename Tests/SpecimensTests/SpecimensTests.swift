import CardModel
import Specimens
import TestSupport
import Testing

/// Sets: what they depend on, what they refuse, what they write.
@Suite struct SpecimensTests {
  @Test func aSpecimenDependsOnSeedAndIndexAndNotOnTheCount() throws {
    let few = try SpecimenSet(seed: 5, count: 3, level: .hard)
    let many = try SpecimenSet(seed: 5, count: 100, level: .hard)
    let (a, b) = (try few.specimen(at: 2), try many.specimen(at: 2))
    #expect(a.front == b.front)
    #expect(a.back == b.back)
    #expect(a.truth == b.truth)
    let other = try SpecimenSet(seed: 6, count: 3, level: .hard).specimen(at: 2)
    #expect(other.truth.identityNumber != a.truth.identityNumber)
    #expect(other.front != a.front)
  }

  @Test func theSamePersonsAreDrawnAtEveryLevel() throws {
    let levels = try SpecimenLevel.allCases.map { try SpecimenSet(seed: 9, count: 1, level: $0).specimen(at: 0).truth }
    #expect(Set(levels.map(\.identityNumber)).count == 1)
    #expect(Set(levels.map(\.extractedData)).count == 1)
    #expect(Set(levels.map(\.back.barcode?.payload)).count == 1)
  }

  @Test func impossibleOptionsAreRefused() {
    #expect(throws: SpecimenFailure.self) { try SpecimenSet(seed: 1, count: 0, level: .clean) }
    var options = SpecimenOptions()
    options.mismatchPercent = 101
    #expect(throws: SpecimenFailure.self) { try SpecimenSet(seed: 1, count: 1, level: .clean, options: options) }
    options = SpecimenOptions()
    (options.newShare, options.oldShare, options.overseasShare) = (0, 0, 0)
    #expect(throws: SpecimenFailure.self) { try SpecimenSet(seed: 1, count: 1, level: .clean, options: options) }
  }

  @Test func aWrittenSetHoldsWhatItsListsSay() throws {
    let directory = try FreshDirectory()
    let set = try SpecimenSet(seed: 3, count: 3, level: .hard)
    var reported: [Int] = []
    try set.write(to: directory.path("set")) { reported.append($0) }
    #expect(reported == [1, 2, 3])
    let manifest = try directory.text(of: "set/manifest.csv").split(separator: "\n")
    #expect(manifest[0] == "id,front,back,identityNumber")
    #expect(manifest.count == 4)
    for line in manifest.dropFirst() {
      let cells = line.split(separator: ",").map(String.init)
      #expect(directory.exists("set/" + cells[1]))
      #expect(directory.exists("set/" + cells[2]))
      #expect(IdentityNumber(cells[3]) != nil)
    }
    let truths = try (0..<3).map { String(decoding: try set.specimen(at: $0).truth.line(), as: UTF8.self) }
    #expect(try directory.text(of: "set/truth.ndjson") == truths.joined())
  }

  @Test func aFolderThatCannotBeMadeIsAnError() throws {
    let directory = try FreshDirectory()
    let file = try directory.write("a file", to: "taken")
    let set = try SpecimenSet(seed: 3, count: 1, level: .hard)
    #expect {
      try set.write(to: file + "/set")
    } throws: { error in
      if case .cannotWrite = error as? SpecimenFailure { true } else { false }
    }
  }

  @Test func smallFilesAreSmall() throws {
    var options = SpecimenOptions()
    options.smallFiles = true
    let set = try SpecimenSet(seed: 12, count: 4, level: .clean, options: options)
    for index in 0..<4 {
      let specimen = try set.specimen(at: index)
      for image in [specimen.front, specimen.back] {
        #expect(image.fileExtension == "jpg")
        #expect(image.bytes.count < 100_000)
      }
      #expect(specimen.truth.front.damage.cardWidthPixels <= 700)
    }
  }
}
