internal import BarcodeDecoding
internal import CGLib
internal import Glibc
internal import Imaging
internal import ScanPipeline
internal import TextRecognition

/// Versions of everything that shapes a result: this program, its libraries and its networks.
package enum EngineVersions {
  /// This program's version, by the rules of semver.org for what it reads and writes.
  package static let program = "1.0.0"

  /// The libraries in use, by name.
  package static var libraries: [String: String] {
    ImagingVersions.all.merging(TextVersions.all) { $1 }.merging(BarcodeVersions.all) { $1 }
  }

  /// The networks by file name, each with the first 16 hexadecimal digits of its SHA-256.
  /// - Throws: `ModelMissing` when one is not on this machine.
  package static func models(directory: String? = nil) throws -> [String: String] {
    let files = try ModelFiles.locate(explicit: directory)
    var versions: [String: String] = [:]
    for (model, folder) in [
      (TextModel.card, files.cardDirectory), (.second, files.cardDirectory), (.stock, files.stockDirectory),
    ] {
      let name = ModelFiles.fileName(model)
      guard let digest = sha256(ofFile: folder + "/" + name) else { throw ModelMissing(fileName: name) }
      versions[name] = String(digest.prefix(16))
    }
    return versions
  }

  /// The folders that the networks are read from, for a sandbox to allow.
  /// - Throws: `ModelMissing`.
  package static func modelDirectories(directory: String? = nil) throws -> [String] {
    let files = try ModelFiles.locate(explicit: directory)
    return [files.cardDirectory, files.stockDirectory]
  }

  /// Everything in one: program, libraries and networks.
  /// - Throws: `ModelMissing`.
  package static func all(modelsDirectory: String? = nil) throws -> [String: String] {
    var versions = libraries.merging(try models(directory: modelsDirectory)) { $1 }
    versions["cnicscan"] = program
    return versions
  }

  private static func sha256(ofFile path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let checksum = g_checksum_new(G_CHECKSUM_SHA256) else { return nil }
    defer { g_checksum_free(checksum) }
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      guard count >= 0 else { return nil }
      if count == 0 { return String(cString: g_checksum_get_string(checksum)) }
      g_checksum_update(checksum, chunk, count)
    }
  }
}
