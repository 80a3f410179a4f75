internal import CardModel

/// How the sides of a pair are told apart by the names of their files. A pattern's `{id}` is the pair's name, `*` the
/// extension; one slash divides a folder from a file. The first pattern that fits a name decides.
package struct NamePatterns: Sendable, Equatable {
  /// A front and a back pattern that belong together.
  package struct Rule: Sendable, Equatable {
    package var front: String
    package var back: String
    package init(front: String, back: String) {
      self.front = front
      self.back = back
    }
  }

  package var rules: [Rule]
  /// Extensions, lower case, of files that hold both sides as pages: `X.tif` is a pair of its own.
  package var bothSidesExtensions: Set<String>

  /// - Returns: `nil` where a pattern lacks `{id}` or its `.*` at the end.
  package init?(rules: [Rule], bothSidesExtensions: Set<String> = ["tif", "tiff"]) {
    for pattern in rules.flatMap({ [$0.front, $0.back] }) where Template(pattern) == nil { return nil }
    self.rules = rules
    self.bothSidesExtensions = bothSidesExtensions
    templates = rules.flatMap { rule in
      [(rule.front, CardSide.front), (rule.back, CardSide.back)].compactMap { pattern, side in
        Template(pattern).map { SidedTemplate(template: $0, side: side) }
      }
    }
  }

  /// Those of DESIGN 2, for images; with PDF allowed, `X.pdf` is a pair too.
  package static let standard = standard(allowPDF: false)
  package static func standard(allowPDF: Bool) -> NamePatterns {
    let rules = [("_front", "_back"), ("-front", "-back"), (".front", ".back"), ("_f", "_b"), ("_1", "_2")].map {
      Rule(front: "{id}\($0).*", back: "{id}\($1).*")
    }
    let inFolder = Rule(front: "{id}/front.*", back: "{id}/back.*")
    guard
      let patterns = NamePatterns(
        rules: rules + [inFolder], bothSidesExtensions: allowPDF ? ["tif", "tiff", "pdf"] : ["tif", "tiff"])
    else { preconditionFailure("the standard patterns are well formed") }
    return patterns
  }

  /// What a file's name says.
  struct Match: Equatable {
    /// The pair's name: the path with everything that tells the sides apart taken off.
    var id: String
    /// `nil` where the file holds both sides.
    var side: CardSide?
  }

  /// - Parameter path: relative to the input directory, divided by `/`.
  func match(_ path: String) -> Match? {
    let utf8 = Array(path.utf8)
    let nameStart = utf8.lastIndex(of: 0x2F).map { $0 + 1 } ?? 0
    guard let dot = utf8.lastIndex(of: 0x2E), dot > nameStart, dot < utf8.count - 1 else { return nil }
    let stem = utf8[..<dot]
    for candidate in templates {
      if let id = candidate.template.id(in: stem, nameStart: nameStart) { return Match(id: id, side: candidate.side) }
    }
    let fileExtension = String(decoding: utf8[(dot + 1)...], as: UTF8.self).lowercased()
    guard bothSidesExtensions.contains(fileExtension) else { return nil }
    return Match(id: String(decoding: stem, as: UTF8.self), side: nil)
  }

  private var templates: [SidedTemplate] = []

  private struct SidedTemplate: Sendable, Equatable {
    var template: Template
    var side: CardSide
  }

  /// `prefix{id}suffix.*`, taken apart. Letters of the fixed parts match in either case: cameras write `X_FRONT.JPG`.
  private struct Template: Sendable, Equatable {
    var prefix: [UInt8]
    var suffix: [UInt8]

    init?(_ pattern: String) {
      let parts = pattern.split(separator: "{id}", omittingEmptySubsequences: false)
      guard pattern.hasSuffix(".*"), parts.count == 2 else { return nil }
      prefix = Array(parts[0].utf8)
      suffix = Array(parts[1].utf8.dropLast(2))
      guard !prefix.isEmpty || !suffix.isEmpty, !prefix.contains(0x2F) else { return nil }
    }

    func id(in stem: ArraySlice<UInt8>, nameStart: Int) -> String? {
      guard stem.count > suffix.count, Self.equal(stem.suffix(suffix.count), suffix) else { return nil }
      let idEnd = stem.endIndex - suffix.count
      // The prefix stands at the start of the file's name, or of its folder's where the suffix holds the name.
      var start = nameStart
      if suffix.first == 0x2F { start = stem[..<idEnd].lastIndex(of: 0x2F).map { $0 + 1 } ?? 0 }
      guard idEnd - start > prefix.count else { return nil }
      guard Self.equal(stem[start..<(start + prefix.count)], prefix) else { return nil }
      let folder = stem[..<start]
      return String(decoding: folder + stem[(start + prefix.count)..<idEnd], as: UTF8.self)
    }

    private static func equal(_ a: ArraySlice<UInt8>, _ b: [UInt8]) -> Bool {
      a.count == b.count && zip(a, b).allSatisfy { lower($0) == lower($1) }
    }
    private static func lower(_ byte: UInt8) -> UInt8 { (0x41...0x5A).contains(byte) ? byte | 0x20 : byte }
  }
}
