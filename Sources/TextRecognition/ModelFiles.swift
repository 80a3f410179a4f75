// TextRecognition: the adapter of Tesseract's C API. It reads lines with our networks and with Debian's `eng`; it knows
// nothing of cards beyond the names of the model files.

package import ScanPipeline

private import Foundation

/// The networks' files on this machine.
package struct ModelFiles: Sendable, Equatable {
  /// Directory of our `card.traineddata` and `second.traineddata`.
  package var cardDirectory: String
  /// Directory of Debian's `eng.traineddata`.
  package var stockDirectory: String

  package init(cardDirectory: String, stockDirectory: String) {
    self.cardDirectory = cardDirectory
    self.stockDirectory = stockDirectory
  }

  /// Finds the files: `explicit`, then `CNICSCAN_MODELS`, then `share/cnicscan/tessdata` of the prefix that the program
  /// is installed in, then `Models/` of the source tree that it was built in.
  /// - Parameter explicit: a directory; when given, no other is tried for our models.
  /// - Throws: `ModelMissing` with the name of the file that none of the directories holds.
  package static func locate(explicit: String? = nil) throws(ModelMissing) -> ModelFiles {
    let ours = explicit.map { [$0] } ?? ownDirectories()
    return ModelFiles(
      cardDirectory: try directory(holding: [fileName(.card), fileName(.second)], among: ours),
      stockDirectory: try directory(holding: [fileName(.stock)], among: stockDirectories()))
  }

  /// The file's name of each network.
  package static func fileName(_ model: TextModel) -> String { language(model) + ".traineddata" }

  static func language(_ model: TextModel) -> String {
    switch model {
    case .card: "card"
    case .second: "second"
    case .stock: "eng"
    }
  }

  func directory(of model: TextModel) -> String { model == .stock ? stockDirectory : cardDirectory }

  private static func ownDirectories() -> [String] {
    var directories: [String] = []
    if let given = ProcessInfo.processInfo.environment["CNICSCAN_MODELS"], !given.isEmpty { directories.append(given) }
    if let program = Bundle.main.executablePath {
      let prefix = URL(fileURLWithPath: program).resolvingSymlinksInPath().deletingLastPathComponent()
        .deletingLastPathComponent()
      directories.append(prefix.appendingPathComponent("share/cnicscan/tessdata").path)
      directories += ancestors(of: program).map { $0 + "/Models" }
    }
    // A test bundle runs under the toolchain's own program, far from the tree; its source says where that is.
    directories += ancestors(of: #filePath).map { $0 + "/Models" }
    return directories
  }

  private static func stockDirectories() -> [String] {
    var directories: [String] = []
    if let given = ProcessInfo.processInfo.environment["TESSDATA_PREFIX"], !given.isEmpty { directories.append(given) }
    return directories + ["/usr/share/tesseract-ocr/5/tessdata", "/usr/share/tessdata", "/usr/local/share/tessdata"]
  }

  private static func ancestors(of path: String) -> [String] {
    var result: [String] = []
    var url = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent()
    while url.path != "/" {
      result.append(url.path)
      url = url.deletingLastPathComponent()
    }
    return result
  }

  private static func directory(holding names: [String], among directories: [String]) throws(ModelMissing) -> String {
    for directory in directories
    where names.allSatisfy({ FileManager.default.isReadableFile(atPath: directory + "/" + $0) }) {
      return directory
    }
    throw ModelMissing(fileName: names[0])
  }
}

/// A network's file is not on this machine, or Tesseract refused it.
package struct ModelMissing: Error, Sendable, Equatable, CustomStringConvertible {
  package let fileName: String
  package init(fileName: String) { self.fileName = fileName }
  package var description: String {
    fileName == ModelFiles.fileName(.stock)
      ? "\(fileName) cannot be used: install the Debian package tesseract-ocr-eng"
      : "\(fileName) cannot be used: run `make install`, or name its directory in CNICSCAN_MODELS"
  }
}
