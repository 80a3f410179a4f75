import Foundation
import Specimens
import TestSupport

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
}
