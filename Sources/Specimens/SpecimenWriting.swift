import CardModel
private import Foundation

extension SpecimenSet {
  /// Draws every pair into `directory` (made where missing): the images, `manifest.csv` and `truth.ndjson`.
  ///
  /// Files of an earlier set with the same names are replaced. The two lists are written last, so that a folder with a
  /// manifest is complete.
  /// - Parameter progress: called after each pair with the number of pairs written.
  /// - Throws: `SpecimenFailure`.
  package func write(to directory: String, progress: (Int) -> Void = { _ in }) throws(SpecimenFailure) {
    let folder = URL(fileURLWithPath: directory, isDirectory: true)
    do { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) } catch {
      throw .cannotWrite(Self.explained(error))
    }
    var manifest = "id,front,back,identityNumber\n"
    var truths: [UInt8] = []
    for index in 0..<count {
      let specimen = try specimen(at: index)
      let truth = specimen.truth
      try Self.save(specimen.front.bytes, folder, truth.front.file)
      if truth.back.file != truth.front.file { try Self.save(specimen.back.bytes, folder, truth.back.file) }
      manifest += "\(truth.id),\(truth.front.file),\(truth.back.file),\(truth.expectedNumber)\n"
      truths += try truth.line()
      progress(index + 1)
    }
    try Self.save(truths, folder, "truth.ndjson")
    try Self.save(Array(manifest.utf8), folder, "manifest.csv")
  }

  private static func save(_ bytes: [UInt8], _ folder: URL, _ name: String) throws(SpecimenFailure) {
    do { try Data(bytes).write(to: folder.appendingPathComponent(name), options: .atomic) } catch {
      throw .cannotWrite(explained(error))
    }
  }

  private static func explained(_ error: any Error) -> String { error.localizedDescription }
}

extension SpecimenTruth {
  /// The truth as a line of JSON with sorted keys, its line feed included.
  package func line() throws(SpecimenFailure) -> [UInt8] {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    do { return Array(try encoder.encode(self)) + [0x0A] } catch {
      throw .cannotWrite("truth cannot be written as JSON")
    }
  }
}
