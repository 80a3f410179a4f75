internal import CardModel
internal import Glibc
internal import RecordFormats

/// The pairs of a directory tree, found by name.
///
/// **Order**: by the pairs' ids, compared byte by byte; so it does not depend on the order in which a file system lists names.
/// Names are kept packed, about 60 bytes a file, and sorted once the tree is read. What is found first is told to `headStart`
/// meanwhile, so that workers need not wait for the end of a long listing.
struct DirectorySource: PairSource {
  private let defaults: ManifestDefaults
  private let identities: IdentityList?
  private var names: FoundNames
  private var index = 0
  private(set) var unpaired: UnpairedFiles
  private(set) var total: Int?

  /// Reads the whole tree.
  /// - Parameter output: a folder that is left out, should it lie inside.
  init(
    path: String, patterns: NamePatterns, identities: String?, defaults: ManifestDefaults, output: String,
    headStart: ((SourcePair) -> Void)? = nil
  ) throws(RunError) {
    self.defaults = defaults
    self.identities = try identities.map { path throws(RunError) in try IdentityList(path: path) }
    var walk = DirectoryWalk(patterns: patterns, output: output)
    if let headStart {
      let numbers = self.identities
      walk.headStart = { id, front, back in
        headStart(Self.pair(id: id, front: [front], back: [back], identities: numbers, defaults: defaults))
      }
    }
    try walk.read(path)
    names = walk.found
    unpaired = walk.unpaired
    names.sort()
    var pairs = 0
    while let group = nextGroup() { if group.isPair(defaults.scanMode) { pairs += 1 } }
    index = 0
    total = pairs
  }

  mutating func next() throws(RunError) -> SourcePair? {
    while let group = nextGroup() {
      guard group.isPair(defaults.scanMode) else {
        for path in group.front + group.back { unpaired.add(path, .otherSideMissing) }
        continue
      }
      return Self.pair(
        id: group.id, front: group.front + group.both, back: group.back + group.both, identities: identities,
        defaults: defaults)
    }
    return nil
  }

  private static func pair(
    id: String, front: [String], back: [String], identities: IdentityList?, defaults: ManifestDefaults
  ) -> SourcePair {
    SourcePair(
      request: PairRequest(
        id: id, frontFiles: defaults.scanMode.includesFront ? front : [],
        backFiles: defaults.scanMode.includesBack ? back : [],
        expectedNumber: identities?.number(of: id) ?? IdentityList.number(in: id), scanMode: defaults.scanMode,
        imageWidthPixels: defaults.imageWidthPixels))
  }

  /// The files of one id.
  private struct Group {
    var id: String
    var front: [String] = []
    var back: [String] = []
    var both: [String] = []

    func isPair(_ mode: ScanMode) -> Bool {
      !both.isEmpty || (!mode.includesFront || !front.isEmpty) && (!mode.includesBack || !back.isEmpty)
    }
  }

  private mutating func nextGroup() -> Group? {
    guard index < names.count else { return nil }
    var group = Group(id: names[index].id)
    while index < names.count, case let name = names[index], name.id.isExactly(group.id) {
      switch name.side {
      case .front?: group.front.append(name.path)
      case .back?: group.back.append(name.path)
      case nil: group.both.append(name.path)
      }
      index += 1
    }
    return group
  }
}

/// The expected numbers of `--identities`, and those in names.
struct IdentityList {
  /// By the id's digest; a number fits into a string without memory of its own.
  private var numbers: [UInt64: String] = [:]

  /// - Throws: `RunError(.noInput)` for a file that cannot be read, or a row that is none: a number left out in silence would
  ///   become a launch failure that nobody understands.
  init(path: String) throws(RunError) {
    do throws(FormatError) {
      var reader = try IdentitiesReader(path: path)
      while let row = try reader.next() {
        switch row {
        case .success(let row): if let number = row.identityNumber { numbers[Self.key(row.id)] = number }
        case .failure(let problem): throw FormatError(problem.description)
        }
      }
    } catch {
      throw RunError(.noInput, "the identities cannot be read: \(error)")
    }
  }

  func number(of id: String) -> String? { numbers[Self.key(id)] }

  private static func key(_ id: String) -> UInt64 { Digest.of(Array(id.utf8)).prefix64 }

  /// The 13 digits in a pair's name, plain or as `#####-#######-#`; `nil` where there are none, or several that differ.
  static func number(in id: String) -> String? {
    let name = Array(id.utf8)[...].split(separator: 0x2F, omittingEmptySubsequences: false).last ?? []
    var found: Set<String> = []
    var index = name.startIndex
    while index < name.endIndex {
      guard isDigit(name[index]) else {
        index += 1
        continue
      }
      // A run of digits and single dashes between digits.
      var end = index
      while end < name.endIndex,
        isDigit(name[end]) || name[end] == 0x2D && end + 1 < name.endIndex && isDigit(name[end + 1])
      { end += 1 }
      let pieces = name[index..<end].split(separator: 0x2D)
      let dashed = pieces.count >= 3 ? IdentityNumber(String(decoding: name[index..<end], as: UTF8.self)) : nil
      if let dashed { found.insert(dashed.digits) }
      for piece in pieces where dashed == nil && piece.count == 13 {
        found.insert(String(decoding: piece, as: UTF8.self))
      }
      index = end
    }
    return found.count == 1 ? found.first : nil
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
}
