internal import CardModel
internal import Glibc
internal import RecordFormats

extension RunSettings {
  /// The folders that workers must be able to read: the input's roots, or everything where paths may lie anywhere.
  /// - Throws: `RunError(.noInput)` where the input does not exist.
  package func readableFolders() throws(RunError) -> [String] { try RunInput(self).readableFolders(self) }
}

/// A run's input: that it is there, what its paths start from, and how it is read.
struct RunInput: Sendable {
  /// The manifest or directory, links resolved.
  let path: String
  private let roots: [String]

  /// - Throws: `RunError(.noInput)`.
  init(_ settings: RunSettings) throws(RunError) {
    let given = settings.input.path
    guard let real = PathConfinement.realPath(given) else {
      throw RunError(.noInput, "the input cannot be found or opened (errno \(errno))")
    }
    path = real
    var stat = FileStat()
    guard stat.look(at: real, followingLinks: true) == nil else {
      throw RunError(.noInput, "the input cannot be looked at")
    }
    switch settings.input {
    case .manifest:
      guard !stat.isFolder else { throw RunError(.noInput, "the manifest named is a directory: use --input") }
      guard access(real, R_OK) == 0 else { throw RunError(.noInput, "the manifest cannot be read (errno \(errno))") }
      roots = [Self.parent(of: real)] + settings.inputRoots
    case .directory:
      guard stat.isFolder else { throw RunError(.noInput, "the input named is not a directory: use --manifest") }
      guard access(real, R_OK | X_OK) == 0 else {
        throw RunError(.noInput, "the input directory cannot be read (errno \(errno))")
      }
      roots = [real] + settings.inputRoots
    }
  }

  /// What holds paths inside the input.
  func confinement(_ settings: RunSettings) -> PathConfinement {
    let base = if case .manifest = settings.input { Self.parent(of: path) } else { path }
    return PathConfinement(base: base, roots: roots, allowOutside: allowsOutside(settings))
  }

  func readableFolders(_ settings: RunSettings) -> [String] { allowsOutside(settings) ? ["/"] : roots }

  /// A manifest below the output is our own `rescan.csv`, filled by whoever may read the results: it may name new images anywhere.
  private func allowsOutside(_ settings: RunSettings) -> Bool {
    guard case .manifest = settings.input, let output = PathConfinement.realPath(settings.output) else {
      return settings.allowOutside
    }
    return settings.allowOutside || path.beginsExactly(with: output + "/")
  }

  /// Starts reading.
  /// - Parameter headStart: told of a directory's first pairs while it is still being listed.
  func open(
    _ settings: RunSettings, output: String, headStart: ((SourcePair) -> Void)? = nil
  ) throws(RunError) -> any PairSource {
    let defaults = ManifestDefaults(scanMode: settings.scanMode, imageWidthPixels: settings.imageWidthPixels)
    switch settings.input {
    case .manifest: return try ManifestSource(path: path, defaults: defaults)
    case .directory(_, let patterns, let identities):
      return try DirectorySource(
        path: path, patterns: patterns, identities: identities, defaults: defaults, output: output,
        headStart: headStart)
    }
  }

  private static func parent(of path: String) -> String {
    guard let slash = path.utf8.lastIndex(of: 0x2F), slash > path.startIndex else { return "/" }
    return String(path[..<slash])
  }
}
