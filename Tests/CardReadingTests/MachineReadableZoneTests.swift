import CardModel
import Testing

@testable import CardReading

@Suite struct MachineReadableZoneTests {
  /// A made-up zone whose check digits are computed here, apart from the reader's own composite rule.
  private func zone(
    document: String = "AB1234567", number: String = "4210100000017", gender: String = "M", expiry: String = "300101"
  ) -> [String] {
    func check(_ text: String) -> String { String(MachineReadableZone.checkDigit(Array(text.utf8))) }
    let first = "I<PAK" + document + check(document) + number + "<<"
    let birth = "700101"
    let head = birth + check(birth) + gender + expiry + check(expiry) + "PAK"
    let optional = String(repeating: "<", count: 11)
    let composite = String(first.dropFirst(5)) + birth + check(birth) + expiry + check(expiry) + optional
    let name = "DOE<<JOHN<ADAM"
    return [first, head + optional + check(composite), name + String(repeating: "<", count: 30 - name.count)]
  }

  @Test func theStandardsOwnExampleHolds() throws {
    // ICAO 9303-5's specimen is of UTO; its digits are checked through the function the reader uses.
    #expect(MachineReadableZone.checkDigit(Array("D23145890".utf8)) == 7)
    #expect(MachineReadableZone.checkDigit(Array("740812".utf8)) == 2)
    #expect(MachineReadableZone.checkDigit(Array("120415".utf8)) == 9)
    let composite = "D231458907<<<<<<<<<<<<<<<" + "7408122" + "1204159" + "<<<<<<<<<<<"
    #expect(MachineReadableZone.checkDigit(Array(composite.utf8)) == 6)
  }

  @Test func aZoneGivesItsFields() throws {
    let read = try #require(MachineReadableZone(lines: zone()))
    #expect(read.checkDigitsHold)
    #expect(read.documentNumber == "AB1234567")
    #expect(read.identityNumber?.digits == "4210100000017")
    #expect(read.birth == "700101")
    #expect(read.expiry == "300101")
    #expect(read.gender == .male)
    #expect(read.nationality == "PAK")
    #expect(read.surname == "DOE")
    #expect(read.givenNames == "JOHN ADAM")
  }

  @Test func anUnspecifiedGenderIsX() throws {
    #expect(try #require(MachineReadableZone(lines: zone(gender: "<"))).gender == .other)
  }

  @Test func aCardWithoutExpiryHasFillers() throws {
    let read = try #require(MachineReadableZone(lines: zone(expiry: "<<<<<<")))
    #expect(read.checkDigitsHold)
    #expect(read.expiry.isEmpty)
  }

  @Test func oneWrongCharacterDoesNotHold() throws {
    for row in 0..<2 {
      for column in 5..<30 where !(row == 1 && [7, 15, 16, 17].contains(column)) {
        var lines = zone()
        var characters = Array(lines[row])
        characters[column] = characters[column] == "5" ? "6" : "5"
        lines[row] = String(characters)
        if let read = MachineReadableZone(lines: lines) {
          #expect(!read.checkDigitsHold, "row \(row) column \(column)")
        }
      }
    }
  }

  @Test func whatIsNotAZoneIsNil() {
    #expect(MachineReadableZone(lines: []) == nil)
    #expect(MachineReadableZone(lines: Array(zone().prefix(2))) == nil)
    #expect(MachineReadableZone(lines: zone().map { $0.lowercased() }) == nil)
    #expect(MachineReadableZone(lines: zone().map { String($0.dropLast()) }) == nil)
    #expect(MachineReadableZone(lines: zone().map { $0.replacing("PAK", with: "UTO") }) == nil)
  }

  @Test func blanksInsideALineAreDropped() {
    let spaced = zone().map { String($0.prefix(10)) + " " + String($0.dropFirst(10)) }
    #expect(MachineReadableZone(lines: spaced) == MachineReadableZone(lines: zone()))
  }
}
