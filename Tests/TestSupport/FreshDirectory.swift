package import Foundation

/// A directory of a test's own, removed with everything in it when the last owner lets go.
package final class FreshDirectory: Sendable {
  package let url: URL

  package init() throws {
    url = FileManager.default.temporaryDirectory
      .appendingPathComponent("cnicscan-test-" + UUID().uuidString, isDirectory: true)
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    do {
      try FileManager.default.removeItem(at: url)
    } catch {
      FileHandle.standardError.write(Data("a test's directory could not be removed: \(url.path)\n".utf8))
    }
  }

  package var path: String { url.path }

  /// The absolute path of a file in it.
  package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Writes a file, making its folder, and gives its absolute path.
  @discardableResult
  package func write(_ text: String, to name: String) throws -> String {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    return file.path
  }

  package func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
  }

  package func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: path(name)) }
}
