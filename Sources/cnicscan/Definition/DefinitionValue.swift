/// A value of a JSON5 pipeline definition, before anything is made of it.
enum DefinitionValue: Decodable, Equatable {
  case object([String: DefinitionValue])
  case array([DefinitionValue])
  case text(String)
  case integer(Int)
  case real(Double)
  case truth(Bool)
  case null

  init(from decoder: any Decoder) throws {
    if let keyed = try Self.attempt({ try decoder.container(keyedBy: AnyKey.self) }) {
      var members: [String: DefinitionValue] = [:]
      for key in keyed.allKeys { members[key.stringValue] = try keyed.decode(DefinitionValue.self, forKey: key) }
      self = .object(members)
      return
    }
    if var list = try Self.attempt({ try decoder.unkeyedContainer() }) {
      var elements: [DefinitionValue] = []
      while !list.isAtEnd { elements.append(try list.decode(DefinitionValue.self)) }
      self = .array(elements)
      return
    }
    let single = try decoder.singleValueContainer()
    if single.decodeNil() {
      self = .null
    } else if let truth = try Self.attempt({ try single.decode(Bool.self) }) {
      self = .truth(truth)
    } else if let text = try Self.attempt({ try single.decode(String.self) }) {
      self = .text(text)
    } else {
      // A double holds every whole number that a setting can take.
      let number = try single.decode(Double.self)
      self = Int(exactly: number).map { .integer($0) } ?? .real(number)
    }
  }

  /// What kind of value it is, for messages.
  var kind: String {
    switch self {
    case .object: "an object"
    case .array: "a list"
    case .text: "text"
    case .integer, .real: "a number"
    case .truth: "true or false"
    case .null: "null"
    }
  }

  /// A decoder says "not of this type" by throwing; here that is an answer. Every other error goes on.
  private static func attempt<Value>(_ body: () throws -> Value) throws -> Value? {
    do {
      return try body()
    } catch DecodingError.typeMismatch {
      return nil
    }
  }

  private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
