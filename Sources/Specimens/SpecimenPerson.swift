import CardModel

/// An invented person with everything that a card says of one.
struct SpecimenPerson: Sendable {
  var name: String
  var nameUrdu: String
  var fatherName: String
  var fatherNameUrdu: String
  /// Whether the second name is the husband's.
  var hasHusband: Bool
  var gender: Gender
  var number: IdentityNumber
  /// The shorter number that groups a family's cards.
  var familyNumber: String
  var country: String
  var dateOfBirth: CardDate
  var dateOfIssue: CardDate
  /// `nil` for lifetime cards.
  var dateOfExpiry: CardDate?
  /// Present and permanent address.
  var addressesUrdu: [String]
  var addresses: [String]

  init(overseas: Bool, using random: inout SpecimenRandom) {
    gender = random.pick(weighted: [(.male, 0.53), (.female, 0.42), (.other, 0.05)])
    let woman = gender == .female || (gender == .other && random.chance(0.5))
    hasHusband = woman && random.chance(0.4)
    var own = Self.drawName(woman: woman, using: &random)
    var father = Self.drawName(woman: false, using: &random)
    if random.chance(0.25), let shared = father.last { own[own.count - 1] = own.count > 1 ? shared : own[0] }
    if random.chance(0.06) {
      own = own.map { ($0.latin.uppercased(), $0.urdu) }
      father = father.map { ($0.latin.uppercased(), $0.urdu) }
    }
    (name, nameUrdu) = Self.joined(own)
    (fatherName, fatherNameUrdu) = Self.joined(father)
    number = Self.drawNumber(gender: gender, using: &random)
    familyNumber = Self.drawFamilyNumber(using: &random)
    country =
      overseas
      ? random.pick(NameParts.countries) : random.chance(0.9) ? "Pakistan" : random.pick(NameParts.countries)
    dateOfBirth = Self.drawDate(years: 1938...2006, using: &random)
    dateOfIssue = Self.drawDate(years: max(2012, dateOfBirth.year + 18)...2026, using: &random)
    let years = random.pick(weighted: [(10, 0.7), (7, 0.12), (5, 0.12), (15, 0.06)])
    dateOfExpiry = random.chance(0.07) ? nil : Self.added(years, to: dateOfIssue, oneDayLess: random.chance(0.3))
    addresses = []
    addressesUrdu = []
    for _ in 0..<2 {
      let (house, street, place) = (
        random.whole(1...460), random.pick(NameParts.streets), random.pick(NameParts.places)
      )
      addresses.append("House \(house), \(street.latin), \(place.latin)")
      addressesUrdu.append("مکان نمبر \(house)، \(street.urdu)، \(place.urdu)")
    }
  }

  private static func drawName(woman: Bool, using random: inout SpecimenRandom) -> [NameParts.Word] {
    let count = random.pick(weighted: [(1, 0.09), (2, 0.49), (3, 0.32), (4, 0.10)])
    var words: [NameParts.Word] = []
    for position in 0..<count {
      if random.chance(0.42) {
        words.append(invented(using: &random))
      } else if position == count - 1 && count > 1 {
        words.append(random.pick(NameParts.family))
      } else {
        words.append(random.pick(woman && position == 0 ? NameParts.female : NameParts.male))
      }
    }
    if count < 4, random.chance(0.08) { words.insert(random.pick(NameParts.titles), at: 0) }
    if count > 1, random.chance(0.05) { words.insert(random.pick(NameParts.joining), at: words.count - 1) }
    if random.chance(0.015) { words = [words[0], words[0]] }
    if words.count > 1, random.chance(0.025) {
      let last = words.removeLast()
      words[words.count - 1].latin += "-" + last.latin
      words[words.count - 1].urdu += " " + last.urdu
    }
    return words
  }

  /// A word of syllables, and now and then of any letters at all.
  private static func invented(using random: inout SpecimenRandom) -> NameParts.Word {
    var word: NameParts.Word = ("", "")
    for _ in 0..<random.whole(2...4) where word.latin.count < 9 {
      let part = random.pick(NameParts.syllables)
      word.latin += part.latin
      word.urdu += part.urdu
    }
    if random.chance(0.12) {
      let letters = Array("abcdefghijklmnopqrstuvwxyz")
      word.latin = String((0..<random.whole(2...8)).map { _ in random.pick(letters) })
    }
    return (word.latin.prefix(1).uppercased() + word.latin.dropFirst(), word.urdu)
  }

  private static func joined(_ words: [NameParts.Word]) -> (String, String) {
    (
      words.map(\.latin).joined(separator: " "),
      words.map(\.urdu).filter { !$0.isEmpty }.joined(separator: " ")
    )
  }

  private static func drawNumber(gender: Gender, using random: inout SpecimenRandom) -> IdentityNumber {
    let last: String
    switch gender {
    case .male: last = random.pick(["1", "3", "5", "7", "9"])
    case .female: last = random.pick(["2", "4", "6", "8"])
    case .other: last = random.digits(1)
    }
    let text = String(random.whole(1...8)) + random.digits(11) + last
    guard let number = IdentityNumber(text) else { preconditionFailure("13 digits make a number") }
    return number
  }

  private static func drawFamilyNumber(using random: inout SpecimenRandom) -> String {
    let letters = Array("ABCDEFGHJKLMNPQRSTUVWXYZ")
    return String((0..<6).map { $0 % 2 == 0 ? random.pick(letters) : Character(random.digits(1)) })
  }

  private static func drawDate(years: ClosedRange<Int>, using random: inout SpecimenRandom) -> CardDate {
    let (year, month) = (random.whole(years), random.whole(1...12))
    var day = random.whole(1...31)
    while true {
      if let date = CardDate(day: day, month: month, year: year) { return date }
      day -= 1
    }
  }

  private static func added(_ years: Int, to date: CardDate, oneDayLess: Bool) -> CardDate? {
    let day = oneDayLess && date.day > 1 ? date.day - 1 : date.day
    return CardDate(day: day, month: date.month, year: date.year + years)
      ?? CardDate(day: 28, month: date.month, year: date.year + years)
  }
}
