/// A country as a card prints it in `Country of Stay`.
package struct CountryName: Sendable, Equatable {
  /// The name in the list's spelling, in capitals where the card has capitals.
  package let printed: String
  /// Whether the text had to be matched to its nearest name.
  package let isNear: Bool

  /// Matches a text with the list: the same letters, or one letter off a name of at least six when no other is near.
  /// - Returns: `nil` for everything else; a country is never guessed from a part of the text (the header says `PAKISTAN`).
  package init?(_ text: String) {
    let key = Self.key(text)
    guard key.count >= 3 else { return nil }
    let isUpper = text.contains(where: \.isLetter) && text.filter(\.isLetter).allSatisfy(\.isUppercase)
    if let name = Self.byKey[key] {
      (printed, isNear) = (isUpper ? name.uppercased() : name, false)
      return
    }
    guard key.count >= 6 else { return nil }
    var nearest: String?
    for (other, name) in Self.byKey where abs(other.count - key.count) <= 2 {
      let distance = editDistance(other, key)
      if distance == 1, nearest == nil {
        nearest = name
      } else if distance <= 2 {
        return nil
      }
    }
    guard let nearest else { return nil }
    (printed, isNear) = (isUpper ? nearest.uppercased() : nearest, true)
  }

  /// Whether it was read letter by letter and no other name begins with it: then it is whole, whatever ink stands beyond.
  package var isSurelyWhole: Bool {
    let key = Self.key(printed)
    return !isNear && !Self.byKey.keys.contains { $0.count > key.count && $0.hasPrefix(key) }
  }

  private static func key(_ text: String) -> String {
    String(text.lowercased().filter { $0.isLetter })
  }

  private static let byKey: [String: String] = {
    var names: [String: String] = [:]
    for name in list { names[key(name)] = name }
    return names
  }()

  /// English short names of ISO 3166-1 as a passport office writes them, and usual shorter forms.
  static let list: [String] = [
    "Afghanistan", "Albania", "Algeria", "Andorra", "Angola", "Antigua and Barbuda", "Argentina", "Armenia",
    "Australia",
    "Austria", "Azerbaijan", "Bahamas", "Bahrain", "Bangladesh", "Barbados", "Belarus", "Belgium", "Belize", "Benin",
    "Bermuda", "Bhutan", "Bolivia", "Bosnia and Herzegovina", "Botswana", "Brazil", "Brunei", "Brunei Darussalam",
    "Bulgaria", "Burkina Faso", "Burundi", "Cabo Verde", "Cambodia", "Cameroon", "Canada", "Central African Republic",
    "Chad", "Chile", "China", "Colombia", "Comoros", "Congo", "Costa Rica", "Croatia", "Cuba", "Cyprus", "Czechia",
    "Czech Republic", "Denmark", "Djibouti", "Dominica", "Dominican Republic", "Ecuador", "Egypt", "El Salvador",
    "Equatorial Guinea", "Eritrea", "Estonia", "Eswatini", "Ethiopia", "Fiji", "Finland", "France", "Gabon", "Gambia",
    "Georgia", "Germany", "Ghana", "Gibraltar", "Greece", "Grenada", "Guatemala", "Guinea", "Guinea-Bissau", "Guyana",
    "Haiti", "Honduras", "Hong Kong", "Hungary", "Iceland", "India", "Indonesia", "Iran", "Iraq", "Ireland", "Israel",
    "Italy", "Ivory Coast", "Jamaica", "Japan", "Jersey", "Jordan", "Kazakhstan", "Kenya", "Kiribati", "Kosovo",
    "Kuwait",
    "Kyrgyzstan", "Laos", "Latvia", "Lebanon", "Lesotho", "Liberia", "Libya", "Liechtenstein", "Lithuania",
    "Luxembourg",
    "Macao", "Macau", "Madagascar", "Malawi", "Malaysia", "Maldives", "Mali", "Malta", "Marshall Islands", "Mauritania",
    "Mauritius", "Mexico", "Micronesia", "Moldova", "Monaco", "Mongolia", "Montenegro", "Morocco", "Mozambique",
    "Myanmar", "Namibia", "Nauru", "Nepal", "Netherlands", "New Zealand", "Nicaragua", "Niger", "Nigeria",
    "North Korea",
    "North Macedonia", "Norway", "Oman", "Pakistan", "Palau", "Palestine", "Panama", "Papua New Guinea", "Paraguay",
    "Peru", "Philippines", "Poland", "Portugal", "Puerto Rico", "Qatar", "Romania", "Russia", "Russian Federation",
    "Rwanda", "Saint Lucia", "Samoa", "San Marino", "Saudi Arabia", "Senegal", "Serbia", "Seychelles", "Sierra Leone",
    "Singapore", "Slovakia", "Slovenia", "Solomon Islands", "Somalia", "South Africa", "South Korea", "South Sudan",
    "Spain", "Sri Lanka", "Sudan", "Suriname", "Sweden", "Switzerland", "Syria", "Taiwan", "Tajikistan", "Tanzania",
    "Thailand", "Timor-Leste", "Togo", "Tonga", "Trinidad and Tobago", "Tunisia", "Turkey", "Turkiye", "Turkmenistan",
    "Tuvalu", "UAE", "Uganda", "Ukraine", "United Arab Emirates", "United Kingdom", "United States",
    "United States of America", "Uruguay", "USA", "Uzbekistan", "Vanuatu", "Vatican City", "Venezuela", "Vietnam",
    "Western Sahara", "Yemen", "Zambia", "Zimbabwe", "Great Britain", "Scotland", "England", "Northern Ireland",
    "Republic of Korea", "Korea", "Macedonia", "Cape Verde", "Swaziland", "Isle of Man", "Guernsey", "Greenland",
    "Reunion", "Martinique", "Guadeloupe", "Aruba", "Curacao", "Cayman Islands", "Falkland Islands", "Faroe Islands",
  ]
}
