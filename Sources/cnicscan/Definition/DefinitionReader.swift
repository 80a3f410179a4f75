internal import BatchRun

internal import CardModel
internal import Foundation

/// Reads a JSON5 pipeline definition and refuses what it does not know, with the place.
enum DefinitionReader {
  /// - Throws: `CommandFailure`: `.noInput` when the file cannot be read; `.badDefinition` with line and key for text
  ///   that is not JSON5, an unknown key, or a value of the wrong kind or range.
  static func read(_ path: String) throws(CommandFailure) -> PipelineDefinition {
    let data: Data
    do {
      data = try Data(contentsOf: URL(fileURLWithPath: path))
    } catch {
      throw CommandFailure(.noInput, "cannot read the definition \(path)")
    }
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    return try read(data, name: path, folder: folder)
  }

  static func read(_ data: Data, name: String, folder: String) throws(CommandFailure) -> PipelineDefinition {
    let root: DefinitionValue
    do {
      let decoder = JSONDecoder()
      decoder.allowsJSON5 = true
      root = try decoder.decode(DefinitionValue.self, from: data)
    } catch {
      throw CommandFailure(.badDefinition, "\(name): not JSON5: \(Self.explanation(of: error))")
    }
    let reader = Reader(name: name, folder: folder, places: JSON5Places(String(decoding: data, as: UTF8.self)))
    guard case .object(let members) = root else {
      throw CommandFailure(.badDefinition, "\(name): a definition is an object, not \(root.kind)")
    }
    var definition = PipelineDefinition()
    try reader.take(members, under: "", into: &definition)
    return definition
  }

  /// The parser's own words hold its position ("around line 3, column 5").
  private static func explanation(of error: any Error) -> String {
    guard case DecodingError.dataCorrupted(let context) = error else { return "it does not parse" }
    let cause = (context.underlyingError as NSError?)?.userInfo[NSDebugDescriptionErrorKey] as? String
    return cause ?? context.debugDescription
  }

  private struct Reader {
    let name: String
    let folder: String
    let places: JSON5Places

    func take(
      _ members: [String: DefinitionValue], under prefix: String, into definition: inout PipelineDefinition
    ) throws(CommandFailure) {
      for key in members.keys.sorted(by: { (place($0, prefix), $0) < (place($1, prefix), $1) }) {
        let path = prefix + key
        guard let value = members[key] else { continue }
        if let setting = Setting.all.first(where: { $0.path == path }) {
          try take(value, for: setting, into: &definition)
        } else if case .object(let inner) = value, Setting.all.contains(where: { $0.path.hasPrefix(path + ".") }) {
          try take(inner, under: path + ".", into: &definition)
        } else {
          throw failure(at: path, unknown(path))
        }
      }
    }

    private func place(_ key: String, _ prefix: String) -> Int { places.line(of: prefix + key) ?? 0 }

    private func unknown(_ path: String) -> String {
      let near = Setting.all.map(\.path).min { distance($0, path) < distance($1, path) }
      let guess = near.flatMap { distance($0, path) <= 3 ? "; did you mean '\($0)'?" : nil } ?? ""
      return "unknown key '\(path)'\(guess)"
    }

    private func failure(at path: String, _ message: String) -> CommandFailure {
      let line = places.line(of: path).map { ":\($0)" } ?? ""
      return CommandFailure(.badDefinition, "\(name)\(line): \(message)")
    }

    private func take(
      _ value: DefinitionValue, for setting: Setting, into definition: inout PipelineDefinition
    ) throws(CommandFailure) {
      func wrong(_ wanted: String) -> CommandFailure {
        failure(at: setting.path, "'\(setting.path)' takes \(wanted), not \(value.kind)")
      }
      func text() throws(CommandFailure) -> String {
        guard case .text(let text) = value, !text.isEmpty else { throw wrong("text") }
        return text
      }
      func choice<Value: RawRepresentable & CaseIterable>(
        _ type: Value.Type, _ text: String
      ) throws(CommandFailure) -> Value where Value.RawValue == String {
        if let choice = Value(rawValue: text) { return choice }
        let known = Value.allCases.map(\.rawValue).joined(separator: ", ")
        throw failure(at: setting.path, "'\(setting.path)' takes one of \(known), not '\(text)'")
      }
      func resolved(_ path: String) -> String { path.hasPrefix("/") ? path : folder + "/" + path }
      func texts(_ wanted: String) throws(CommandFailure) -> [String] {
        guard case .array(let elements) = value else { throw wrong(wanted) }
        var out: [String] = []
        for element in elements {
          guard case .text(let text) = element, !text.isEmpty else { throw wrong(wanted) }
          out.append(text)
        }
        return out
      }
      switch setting.shape {
      case .path(let target): definition[keyPath: target] = resolved(try text())
      case .paths(let target): definition[keyPath: target] = try texts("a list of paths").map(resolved)
      case .texts(let target): definition[keyPath: target] = try texts("a list of texts")
      case .patterns(let target): definition[keyPath: target] = try patterns(value, at: setting.path)
      case .integer(let range, let target):
        guard case .integer(let number) = value else { throw wrong("a whole number") }
        guard range.contains(number) else {
          throw failure(
            at: setting.path, "'\(setting.path)' takes \(range.lowerBound) to \(range.upperBound), not \(number)")
        }
        definition[keyPath: target] = number
      case .truth(let target):
        guard case .truth(let truth) = value else { throw wrong("true or false") }
        definition[keyPath: target] = truth
      case .scanMode(let target): definition[keyPath: target] = try choice(ScanMode.self, text())
      case .delivery(let target): definition[keyPath: target] = try choice(Delivery.self, text())
      case .sandbox(let target): definition[keyPath: target] = try choice(PipelineDefinition.Sandbox.self, text())
      case .logFormat(let target): definition[keyPath: target] = try choice(PipelineDefinition.LogFormat.self, text())
      case .date(let target):
        guard let date = CardDate(try text()) else { throw wrong("a date DD.MM.YYYY") }
        definition[keyPath: target] = date
      case .outcomes(let target):
        var outcomes: [Outcome] = []
        for text in try texts("a list of outcomes") { outcomes.append(try choice(Outcome.self, text)) }
        definition[keyPath: target] = outcomes
      }
    }

    private func patterns(
      _ value: DefinitionValue, at path: String
    ) throws(CommandFailure) -> [PipelineDefinition.PatternPair] {
      let wanted = "'\(path)' takes a list of {front: \"{id}_front.*\", back: \"{id}_back.*\"}"
      guard case .array(let elements) = value else { throw failure(at: path, wanted) }
      var out: [PipelineDefinition.PatternPair] = []
      for element in elements {
        guard case .object(let members) = element, members.count == 2, case .text(let front) = members["front"],
          case .text(let back) = members["back"]
        else { throw failure(at: path, wanted) }
        out.append(PipelineDefinition.PatternPair(front: front, back: back))
      }
      return out
    }

    /// Levenshtein's distance, for a guess at what was meant.
    private func distance(_ a: String, _ b: String) -> Int {
      let b = Array(b)
      var row = Array(0...b.count)
      for (i, letter) in a.enumerated() {
        var diagonal = row[0]
        row[0] = i + 1
        for j in b.indices {
          let above = row[j + 1]
          row[j + 1] = min(above + 1, row[j] + 1, diagonal + (letter == b[j] ? 0 : 1))
          diagonal = above
        }
      }
      return row[b.count]
    }
  }
}
