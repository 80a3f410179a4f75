import CardModel
import Foundation
import Specimens
import TestSupport

@testable import CNICScan

/// Specimen images on disk for tests of the real pipeline.
struct SpecimenFiles {
  let directory: FreshDirectory
  let front: String
  let back: String
  let truth: SpecimenTruth

  /// The first pair of a seed that satisfies `wanted`.
  init(
    seed: UInt64 = 4100, level: SpecimenLevel = .scan, options: SpecimenOptions = SpecimenOptions(),
    in directory: FreshDirectory,
    where wanted: (SpecimenTruth) -> Bool = { _ in true }
  ) throws {
    let set = try SpecimenSet(seed: seed, count: 1, level: level, options: options)
    for index in 0..<100 {
      let specimen = try set.specimen(at: index)
      guard wanted(specimen.truth) else { continue }
      self.directory = directory
      truth = specimen.truth
      front = directory.path("\(specimen.truth.documentType)-\(seed)-\(index)-front." + specimen.front.fileExtension)
      back = directory.path("\(specimen.truth.documentType)-\(seed)-\(index)-back." + specimen.back.fileExtension)
      try Data(specimen.front.bytes).write(to: URL(fileURLWithPath: front))
      try Data(specimen.back.bytes).write(to: URL(fileURLWithPath: back))
      return
    }
    throw CocoaError(.fileNoSuchFile)
  }

  static func onlyNew() -> SpecimenOptions {
    var options = SpecimenOptions()
    (options.newShare, options.oldShare, options.overseasShare) = (1, 0, 0)
    return options
  }

  static func onlyOld() -> SpecimenOptions {
    var options = SpecimenOptions()
    (options.newShare, options.oldShare, options.overseasShare) = (0, 1, 0)
    return options
  }

  /// The first new card's back with a grey strip over the middle of the symbol; the rest of the back stays as it is.
  static func coveredBack(seed: UInt64, in folder: FreshDirectory, by engine: ScanEngine) throws -> String {
    let set = try SpecimenSet(seed: seed, count: 1, level: .clean, options: onlyNew())
    var face = try set.face(at: 0, .back)
    for y in Int(0.22 * Double(face.height))..<Int(0.34 * Double(face.height)) {
      for x in Int(0.75 * Double(face.width))..<Int(0.93 * Double(face.width)) {
        for channel in 0..<3 { face.samples[(y * face.width + x) * 3 + channel] = 150 }
      }
    }
    let covered = folder.path("covered.ppm.png")
    try engine.savePNG(face, to: covered)
    return covered
  }
}
