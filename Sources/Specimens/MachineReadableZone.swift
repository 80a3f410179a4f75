import CardModel

/// The three lines of 30 characters on an overseas card's back.
/// *Source*: ICAO Doc 9303 part 5 (TD1), with the holder's number in the first line's optional part.
struct MachineReadableZone: Sendable {
  var lines: [String]

  init(_ person: SpecimenPerson, using random: inout SpecimenRandom) {
    let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ")
    let document = "\(random.pick(letters))\(random.pick(letters))" + random.digits(7)
    let first = "I<PAK" + document + Self.checkDigit(document) + person.number.digits + "<<"
    let birth = Self.short(person.dateOfBirth)
    let expiry = person.dateOfExpiry.map(Self.short) ?? "<<<<<<"
    let sex = person.gender == .male ? "M" : person.gender == .female ? "F" : "<"
    let upper = birth + Self.checkDigit(birth) + sex + expiry + Self.checkDigit(expiry)
    let optional = "<<<<<<<<<<<"
    let composite =
      String(first.dropFirst(5)) + birth + Self.checkDigit(birth) + expiry + Self.checkDigit(expiry) + optional
    let second = upper + "PAK" + optional + Self.checkDigit(composite)
    let words = person.name.uppercased().split(separator: " ").map { $0.filter { ("A"..."Z").contains($0) } }
    let surname = words.count > 1 ? words[words.count - 1] : ""
    let given = (words.count > 1 ? words.dropLast() : words[...]).joined(separator: "<")
    let names = surname.isEmpty ? given : surname + "<<" + given
    let third = String((names + String(repeating: "<", count: 30)).prefix(30))
    lines = [first, second, third]
  }

  /// The weighted sum 7, 3, 1 modulo 10.
  static func checkDigit(_ text: String) -> String {
    var sum = 0
    for (index, scalar) in text.unicodeScalars.enumerated() {
      let value: Int
      switch scalar.value {
      case 0x30...0x39: value = Int(scalar.value) - 0x30
      case 0x41...0x5A: value = Int(scalar.value) - 0x41 + 10
      default: value = 0
      }
      sum += value * [7, 3, 1][index % 3]
    }
    return String(sum % 10)
  }

  private static func short(_ date: CardDate) -> String {
    let parts = date.formatted.split(separator: ".")
    return String(parts[2].suffix(2)) + String(parts[1]) + String(parts[0])
  }
}
