/// Why a line or file does not have the form that it should. The text names keys, columns and rows, never a value.
package struct FormatError: Error, Sendable, Equatable, CustomStringConvertible {
  package var description: String
  package init(_ description: String) { self.description = description }
}

/// The members of a JSON object that is read against a known set of keys.
struct WireFields {
  private let members: [JSONValue.Member]
  /// How errors name the object, e.g. `batch.barcode.`; empty at the top.
  private let path: String

  /// - Parameter known: refuses any other key where it is given.
  init(_ value: JSONValue, path: String = "", known: Set<String>? = nil) throws(FormatError) {
    guard case .object(let members) = value else {
      throw FormatError(path.isEmpty ? "not a JSON object" : "`\(path)` is not an object")
    }
    if let known, members.contains(where: { !known.contains($0.key) }) {
      throw FormatError(
        "\(path.isEmpty ? "it" : "`\(path)`") has a key other than \(known.sorted().joined(separator: ", "))")
    }
    self.members = members
    self.path = path.isEmpty ? "" : path + "."
  }

  private func failure(_ key: String, _ expectation: String) -> FormatError {
    FormatError("`\(path)\(key)` \(expectation)")
  }

  /// The member's value, `nil` where it is absent or null.
  func value(_ key: String) -> JSONValue? {
    for member in members where member.key == key { return member.value.isNull ? nil : member.value }
    return nil
  }

  /// Turns the member into something else; `nil` where it is absent or null.
  func optional<T>(_ key: String, _ expectation: String, _ convert: (JSONValue) -> T?) throws(FormatError) -> T? {
    guard let value = value(key) else { return nil }
    guard let converted = convert(value) else { throw failure(key, expectation) }
    return converted
  }

  func required<T>(_ key: String, _ expectation: String, _ convert: (JSONValue) -> T?) throws(FormatError) -> T {
    guard let converted = try optional(key, expectation, convert) else { throw failure(key, "is missing") }
    return converted
  }

  func optionalText(_ key: String) throws(FormatError) -> String? { try optional(key, "is not a text") { $0.string } }
  func text(_ key: String) throws(FormatError) -> String { try required(key, "is not a text") { $0.string } }
  func optionalInt(_ key: String) throws(FormatError) -> Int? { try optional(key, "is not a whole number") { $0.int } }
  func int(_ key: String) throws(FormatError) -> Int { try required(key, "is not a whole number") { $0.int } }
  func number(_ key: String) throws(FormatError) -> Double { try required(key, "is not a number") { $0.double } }
  func optionalBool(_ key: String) throws(FormatError) -> Bool? {
    try optional(key, "is not true or false") { $0.bool }
  }

  /// A word of a closed vocabulary, `nil` where it is absent or null.
  func optionalWord<T: RawRepresentable & CaseIterable>(_ key: String, _: T.Type = T.self) throws(FormatError) -> T?
  where T.RawValue == String {
    try optional(key, "is none of \(T.allCases.map(\.rawValue).joined(separator: ", "))") {
      $0.string.flatMap(T.init(rawValue:))
    }
  }

  func word<T: RawRepresentable & CaseIterable>(_ key: String, _: T.Type = T.self) throws(FormatError) -> T
  where T.RawValue == String {
    guard let word = try optionalWord(key, T.self) else { throw failure(key, "is missing") }
    return word
  }

  /// An array of words of a vocabulary that later versions add to: what is not known here is passed over. Empty where it is absent.
  func words<T: RawRepresentable>(_ key: String, _: T.Type = T.self) throws(FormatError) -> [T]
  where T.RawValue == String {
    try optional(key, "is not a list of words") { value -> [T]? in
      guard let elements = value.array, elements.allSatisfy({ $0.string != nil }) else { return nil }
      return elements.compactMap { $0.string.flatMap(T.init(rawValue:)) }
    } ?? []
  }

  /// An object whose keys are words of a vocabulary that later versions add to: members that are not known here are passed over,
  /// unread. Empty where it is absent.
  func known<K: RawRepresentable & Hashable, V>(
    _ key: String, _: K.Type = K.self, _ convert: (JSONValue, String) throws(FormatError) -> V
  ) throws(FormatError) -> [K: V] where K.RawValue == String {
    guard let value = value(key) else { return [:] }
    guard let members = value.object else { throw failure(key, "is not an object") }
    var known: [K: V] = [:]
    for member in members {
      guard let word = K(rawValue: member.key) else { continue }
      known[word] = try convert(member.value, path + key + "." + member.key)
    }
    return known
  }

  /// An object whose keys are words of a closed vocabulary, e.g. what a person wrote; empty where it is absent.
  func map<K: RawRepresentable & Hashable, V>(
    _ key: String, _: K.Type = K.self, _ convert: (JSONValue, String) throws(FormatError) -> V
  ) throws(FormatError) -> [K: V] where K.RawValue == String {
    guard let value = value(key) else { return [:] }
    guard let members = value.object else { throw failure(key, "is not an object") }
    var map: [K: V] = [:]
    for member in members {
      guard let word = K(rawValue: member.key) else { throw failure(key, "has an unknown key") }
      map[word] = try convert(member.value, path + key + "." + member.key)
    }
    return map
  }

  /// A nested object read against its own keys, `nil` where it is absent or null.
  func fields(_ key: String) throws(FormatError) -> WireFields? {
    guard let value = value(key) else { return nil }
    return try WireFields(value, path: path + key)
  }

  /// The member's own path, for errors of nested values.
  func pathOf(_ key: String) -> String { path + key }

  /// Every member as text; `nil` where one is none.
  var texts: [String: String]? {
    var texts: [String: String] = [:]
    for member in members {
      guard let text = member.value.string else { return nil }
      texts[member.key] = text
    }
    return texts
  }
}

extension JSONValue {
  /// The value that one line holds.
  package static func parse(line: some Collection<UInt8>) throws(FormatError) -> JSONValue {
    do {
      return try JSONParser.parse(line)
    } catch {
      throw FormatError("not JSON: \(error.reason) (at byte \(error.offset))")
    }
  }
}

/// An object with one member a case, in the vocabulary's own order; what has no value is left out.
func object<K: RawRepresentable & CaseIterable & Hashable, V>(_ map: [K: V], _ convert: (V) -> JSONValue) -> JSONValue
where K.RawValue == String {
  .object(K.allCases.compactMap { key in map[key].map { JSONValue.Member(key.rawValue, convert($0)) } })
}
