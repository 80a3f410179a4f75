import CardModel
import Specimens
import Testing

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
}
