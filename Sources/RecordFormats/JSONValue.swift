/// A JSON value as these formats use it: integers and fractions are kept apart, objects keep their members in order.
package enum JSONValue: Sendable, Equatable {
  case null
  case bool(Bool)
  case int(Int)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([Member])

  /// One member of an object.
  package struct Member: Sendable, Equatable {
    package var key: String
    package var value: JSONValue
    package init(_ key: String, _ value: JSONValue) {
      self.key = key
      self.value = value
    }
  }

  /// The member of that name; `nil` where this is no object or has none.
  package subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    for member in members where member.key == key { return member.value }
    return nil
  }

  /// The text, `nil` where this is no string.
  package var string: String? { if case .string(let text) = self { text } else { nil } }

  /// The whole number, `nil` where this is none. `3.0` is not one: formats say which of both they hold.
  package var int: Int? { if case .int(let value) = self { value } else { nil } }

  /// The number, whole or not; `nil` where this is none.
  package var double: Double? {
    switch self {
    case .int(let value): Double(value)
    case .double(let value): value
    default: nil
    }
  }

  /// The truth value, `nil` where this is none.
  package var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

  /// The elements, `nil` where this is no array.
  package var array: [JSONValue]? { if case .array(let values) = self { values } else { nil } }

  /// The members in the order they stand, `nil` where this is no object.
  package var object: [Member]? { if case .object(let members) = self { members } else { nil } }

  /// Whether this is `null`.
  package var isNull: Bool { self == .null }
}

/// Gathers the members of an object, leaving out what is absent.
struct ObjectBuilder {
  private(set) var members: [JSONValue.Member] = []

  mutating func add(_ key: String, _ value: JSONValue) { members.append(.init(key, value)) }
  mutating func add(_ key: String, text: String?) { if let text { add(key, .string(text)) } }
  mutating func add(_ key: String, number: Int?) { if let number { add(key, .int(number)) } }
  mutating func add(_ key: String, fraction: Double?) { if let fraction { add(key, .double(fraction)) } }
  mutating func add(_ key: String, flag: Bool?) { if let flag { add(key, .bool(flag)) } }
  mutating func add(_ key: String, unlessEmpty value: JSONValue) {
    if case .object(let members) = value, members.isEmpty { return }
    if case .array(let values) = value, values.isEmpty { return }
    add(key, value)
  }

  var value: JSONValue { .object(members) }
}
