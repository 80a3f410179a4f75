internal import CardModel
internal import Glibc
internal import RecordFormats

/// Names that fit a pattern, packed: the id, a NUL, a digit for the side, and the path.
struct FoundNames {
  private var bytes: [UInt8] = []
  private var places: [Place] = []

  private struct Place {
    var start: UInt32
    var count: UInt32
  }

  struct Name {
    var id: String
    var side: CardSide?
    var path: String
  }

  var count: Int { places.count }
  /// Names are addressed with 32 bits.
  static let maximumBytes = Int(UInt32.max) - (1 << 20)
  var isFull: Bool { bytes.count > Self.maximumBytes }

  mutating func add(id: String, side: CardSide?, path: String) {
    let start = bytes.count
    bytes.append(contentsOf: id.utf8)
    bytes.append(0)
    bytes.append(side == nil ? 0x30 : side == .front ? 0x31 : 0x32)
    bytes.append(contentsOf: path.utf8)
    places.append(Place(start: UInt32(start), count: UInt32(bytes.count - start)))
  }

  /// By id, side and path, byte by byte: the NUL after the id is less than any byte of an id.
  mutating func sort() {
    bytes.withUnsafeBytes { bytes in
      places.sort { a, b in
        guard let base = bytes.baseAddress else { return false }
        let order = memcmp(base + Int(a.start), base + Int(b.start), Int(min(a.count, b.count)))
        return order == 0 ? a.count < b.count : order < 0
      }
    }
  }

  subscript(index: Int) -> Name {
    let place = places[index]
    let all = bytes[Int(place.start)..<Int(place.start + place.count)]
    guard let nul = all.firstIndex(of: 0) else { preconditionFailure("every name holds a NUL after its id") }
    let side: CardSide? = all[nul + 1] == 0x31 ? .front : all[nul + 1] == 0x32 ? .back : nil
    return Name(
      id: String(decoding: all[..<nul], as: UTF8.self), side: side,
      path: String(decoding: all[(nul + 2)...], as: UTF8.self))
  }
}

/// Reads a directory tree and sorts its files into pairs' sides and others.
struct DirectoryWalk {
  private let patterns: NamePatterns
  private let output: FileStat?
  private(set) var found = FoundNames()
  private(set) var unpaired = UnpairedFiles()

  /// Told of the first few pairs of which both sides were met: id, front, back.
  var headStart: ((String, String, String) -> Void)?
  private var halves: [ExactText: (side: CardSide, path: String)] = [:]
  private var headStarts = 0
  private static let maximumHalves = 4096
  private static let maximumHeadStarts = 64

  init(patterns: NamePatterns, output: String) {
    self.patterns = patterns
    var stat = FileStat()
    self.output = stat.look(at: output, followingLinks: true) == nil ? stat : nil
  }

  /// - Throws: `RunError(.noInput)` where the directory itself cannot be read.
  mutating func read(_ root: String) throws(RunError) {
    // Depth first with a list of its own: a deep tree must not run out of stack.
    var folders = [""]
    while let folder = folders.popLast() {
      let path = folder.isEmpty ? root : root + "/" + folder
      guard let stream = opendir(path) else {
        guard !folder.isEmpty else { throw RunError(.noInput, "the input directory cannot be read (errno \(errno))") }
        unpaired.add(folder + "/", .folderCannotBeRead)
        continue
      }
      defer { closedir(stream) }
      while let entry = readdir(stream) {
        let kind = Int(entry.pointee.d_type)
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
          pointer.withMemoryRebound(to: CChar.self, capacity: 256) { pointer in
            String(validatingCString: pointer) ?? "\u{FFFD}" + String(cString: pointer)
          }
        }
        if name == "." || name == ".." { continue }
        let relative = folder.isEmpty ? name : folder + "/" + name
        if let subfolder = take(name, relative: relative, kind: kind, root: root) { folders.append(subfolder) }
        if found.isFull {
          throw RunError(.noInput, "the input directory holds too many files: divide it or use a manifest")
        }
      }
    }
    halves = [:]
  }

  /// - Returns: the folder to read next, where it is one.
  private mutating func take(_ name: String, relative: String, kind: Int, root: String) -> String? {
    if name.beginsExactly(with: "\u{FFFD}") {
      unpaired.add(relative, .nameIsNotUTF8)
      return nil
    }
    var kind = kind
    if kind == DT_UNKNOWN || kind == DT_LNK {
      var stat = FileStat()
      let isThere = stat.look(at: root + "/" + relative, followingLinks: true) == nil
      if isThere, stat.isFolder, kind == DT_LNK {
        unpaired.add(relative, .notARegularFile)
        return nil
      }
      if isThere, kind == DT_UNKNOWN { kind = stat.isFolder ? Int(DT_DIR) : Int(DT_REG) }
    }
    if kind == DT_DIR {
      var stat = FileStat()
      if let output, stat.look(at: root + "/" + relative, followingLinks: false) == nil, stat.inode == output.inode,
        stat.device == output.device
      {
        return nil
      }
      if name.hasPrefix(".") {
        unpaired.add(relative + "/", .temporaryName)
        return nil
      }
      return relative
    }
    takeFile(name, relative: relative, isRegular: kind == DT_REG || kind == DT_LNK)
    return nil
  }

  private mutating func takeFile(_ name: String, relative: String, isRegular: Bool) {
    if Self.isTemporary(name) { return unpaired.add(relative, .temporaryName) }
    guard let match = patterns.match(relative) else {
      return unpaired.add(relative, isRegular ? .nameFitsNoPattern : .notARegularFile)
    }
    found.add(id: match.id, side: match.side, path: relative)
    noteHalf(match, relative)
  }

  private mutating func noteHalf(_ match: NamePatterns.Match, _ path: String) {
    guard let headStart, headStarts < Self.maximumHeadStarts, let side = match.side else { return }
    let id = ExactText(match.id)
    if let half = halves[id], half.side != side {
      halves[id] = nil
      headStarts += 1
      headStart(match.id, side == .front ? path : half.path, side == .front ? half.path : path)
    } else if halves.count < Self.maximumHalves {
      halves[id] = (side, path)
    }
  }

  /// Hidden names, and those that browsers, copying programs and editors give to unfinished files.
  static func isTemporary(_ name: String) -> Bool {
    let lower = name.lowercased()
    return name.hasPrefix(".") || name.hasPrefix("~$") || name.hasSuffix("~")
      || [".part", ".partial", ".tmp", ".temp", ".crdownload", ".filepart", ".download", ".swp", ".lock"].contains(
        where: lower.hasSuffix)
  }
}
