internal import BatchRun
internal import Foundation

/// Looks at what a definition names: its input, its output and the disk below it.
enum DefinitionCheck {
  /// - Parameter name: the definition's file, `nil` for `--output` alone.
  static func findings(_ definition: PipelineDefinition, named name: String?) -> [Finding] {
    var findings: [Finding] = []
    if let name { findings.append(.ok("definition", name)) }
    if name != nil, definition.input == nil, definition.manifest == nil {
      findings.append(
        .warning("input", "none in the definition", remedy: "cnicscan run … --input DIR or --manifest FILE"))
    }
    if definition.input != nil, definition.manifest != nil {
      findings.append(
        .missing(
          "input", "both input and manifest", remedy: "take one of them out of the definition", status: .badDefinition))
    }
    if let input = definition.input { findings.append(readable(input, what: "input", isFolder: true)) }
    if let manifest = definition.manifest { findings.append(readable(manifest, what: "manifest", isFolder: false)) }
    if let identities = definition.identities {
      findings.append(readable(identities, what: "identities", isFolder: false))
    }
    if let output = definition.output {
      findings += folder(absolute(output))
    } else {
      findings.append(.warning("output", "none in the definition", remedy: "cnicscan run … --output OUT"))
    }
    for (what, file) in [("metrics", definition.metrics), ("heartbeat", definition.heartbeat)] {
      guard let file else { continue }
      findings.append(writableParent(absolute(file), what: what))
    }
    return findings
  }

  private static func readable(_ path: String, what: String, isFolder: Bool) -> Finding {
    var folder: ObjCBool = false
    let manager = FileManager.default
    guard manager.fileExists(atPath: path, isDirectory: &folder) else {
      return .missing(
        what, "\(path) does not exist",
        remedy: isFolder ? "mkdir -p '\(path)'" : "write it, or take `\(what)` out of the definition", status: .noInput)
    }
    guard folder.boolValue == isFolder else {
      return .missing(
        what, "\(path) is \(isFolder ? "no folder" : "a folder")", remedy: "mend the path", status: .noInput)
    }
    guard manager.isReadableFile(atPath: path) else {
      return .missing(what, "\(path) cannot be read", remedy: "sudo chmod u+r '\(path)'", status: .noInput)
    }
    return .ok(what, path)
  }

  /// The output folder may not be there yet: then its nearest ancestor counts.
  private static func folder(_ path: String) -> [Finding] {
    let manager = FileManager.default
    let place = nearestExisting(path)
    guard manager.isWritableFile(atPath: place) else {
      return [
        .missing(
          "output", "\(place) cannot be written", remedy: "sudo install -d -m 0700 -o $USER '\(path)'",
          status: .cannotCreateOutput)
      ]
    }
    var findings: [Finding] = []
    if place == path, let mode = permissions(path), mode & 0o077 != 0 {
      findings.append(.warning("output", "\(path) can be entered by others", remedy: "chmod 0700 '\(path)'"))
    } else {
      findings.append(.ok("output", place == path ? path : "\(path) will be made"))
    }
    var numbers = statvfs()
    if statvfs(place, &numbers) == 0 {
      let megabytes = Int((UInt64(numbers.f_bavail) * UInt64(numbers.f_frsize)) / 1_048_576)
      // Two saved images of the default width take about 1.8 MB.
      let pairs = megabytes * 10 / 18
      findings.append(
        megabytes >= 1024
          ? .ok("disk", "\(megabytes) MB free: room for about \(pairs) pairs at the default width")
          : .warning(
            "disk", "\(megabytes) MB free: room for about \(pairs) pairs",
            remedy: "cnicscan purge '\(path)' --older-than 90d"))
    }
    return findings
  }

  private static func writableParent(_ file: String, what: String) -> Finding {
    let parent = URL(fileURLWithPath: file).deletingLastPathComponent().path
    return FileManager.default.isWritableFile(atPath: parent)
      ? .ok(what, file)
      : .missing(what, "\(parent) cannot be written", remedy: "mkdir -p '\(parent)'", status: .cannotCreateOutput)
  }

  private static func nearestExisting(_ path: String) -> String {
    var url = URL(fileURLWithPath: path)
    while url.path != "/", !FileManager.default.fileExists(atPath: url.path) { url = url.deletingLastPathComponent() }
    return url.path
  }

  private static func permissions(_ path: String) -> Int? {
    var information = stat()
    return stat(path, &information) == 0 ? Int(information.st_mode & 0o7777) : nil
  }
}
