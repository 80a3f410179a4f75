import CardModel
import Foundation
import ScanPipeline
import Specimens
import TestSupport
import Testing

@testable import CNICScan

/// The contract's rows through the real libraries on drawn cards.
@Suite(.serialized) struct ContractThroughImagesTests {
  private let engine: ScanEngine
  private let folder: FreshDirectory
  private let new: SpecimenFiles
  private let old: SpecimenFiles

  init() throws {
    engine = try ScanEngine(settings: ScanEngine.Settings())
    folder = try FreshDirectory()
    new = try SpecimenFiles(options: SpecimenFiles.onlyNew(), in: folder) { !$0.lifetime }
    old = try SpecimenFiles(options: SpecimenFiles.onlyOld(), in: folder) { $0.barcodeNumber != nil }
  }

  private func scan(
    front: [String], back: [String], expected: String?, mode: ScanMode = .frontAndBack, width: Int = 800
  ) -> PairRecord {
    let request = PairRequest(
      id: "p", frontFiles: front, backFiles: back, expectedNumber: expected, scanMode: mode, imageWidthPixels: width)
    return engine.scan(request, imagesDirectory: folder.path).record
  }

  private func result(_ record: PairRecord) throws -> OcrResult {
    guard case .ocrSuccess(let result)? = record.events.last else {
      throw Failure(record: "\(record.outcome) \(record.reasons)")
    }
    return result
  }

  private struct Failure: Error { let record: String }

  @Test func aNewCardGivesEveryKeyAndEveryFieldThatIsPrinted() throws {
    let record = scan(front: [new.front], back: [new.back], expected: new.truth.identityNumber)
    #expect(record.events.map(\.type) == [.frontSuccess, .backSuccess, .ocrSuccess])
    let result = try result(record)
    #expect(result.documentType == .new && result.distance == 0)
    #expect(result.identityNumber?.formatted == new.truth.barcodeNumber)
    // What is there is right; one field of eight may be withheld for want of confidence.
    let present = FieldName.allCases.filter { result.extractedData[$0] != nil }
    for field in present {
      #expect(result.extractedData[field] == new.truth.extractedData[field.rawValue], "\(field.rawValue)")
    }
    #expect(present.count >= 7)
    #expect(result.extractedData.raw?.isEmpty == false)
  }

  @Test func savedImagesAreThePNGFilesOfTheEventsAtTheLaunchWidth() throws {
    let record = scan(front: [new.front], back: [new.back], expected: new.truth.identityNumber, width: 700)
    let result = try result(record)
    for (path, side) in [(result.frontImage, "front_"), (result.backImage, "back_")] {
      let path = try #require(path)
      #expect(path.hasPrefix("/") && path.contains("/" + side) && path.hasSuffix(".png"))
      let header = try Array(Data(contentsOf: URL(fileURLWithPath: path)).prefix(24))
      #expect(header[1...3].elementsEqual(Array("PNG".utf8)))
      let width = header[16...19].reduce(0) { $0 << 8 | Int($1) }
      let height = header[20...23].reduce(0) { $0 << 8 | Int($1) }
      #expect(width == 700 && height == 441)
      let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      #expect(mode == 0o600)
    }
    #expect(
      record.events.prefix(2) == [
        .frontSuccess(image: result.frontImage ?? ""), .backSuccess(image: result.backImage ?? ""),
      ])
  }

  @Test func theSameInputGetsTheSameImageNames() throws {
    let first = scan(front: [new.front], back: [new.back], expected: new.truth.identityNumber)
    let second = scan(front: [new.front], back: [new.back], expected: new.truth.identityNumber)
    #expect(first == second)
  }

  @Test func anOldCardIsOldAndItsDataAreEmpty() throws {
    let result = try result(scan(front: [old.front], back: [old.back], expected: old.truth.identityNumber))
    #expect(result.documentType == .old && result.extractedData == ExtractedData())
    #expect(result.identityNumber?.formatted == old.truth.barcodeNumber)
  }

  @Test func frontOnlyAndBackOnlyHaveTheirOwnKeys() throws {
    let front = scan(front: [new.front], back: [], expected: new.truth.identityNumber, mode: .frontOnly)
    let frontResult = try result(front)
    #expect(frontResult.identityNumber == nil && frontResult.backImage == nil && frontResult.distance == nil)
    #expect(frontResult.extractedData.identityNumber?.formatted == new.truth.identityNumber)
    let back = scan(front: [], back: [new.back], expected: new.truth.identityNumber, mode: .backOnly)
    let backResult = try result(back)
    #expect(backResult.frontImage == nil && backResult.extractedData == ExtractedData() && backResult.distance == 0)
    #expect(backResult.documentType == .new)
  }

  @Test func aMismatchIsReportedAsOne() throws {
    let record = scan(front: [new.front], back: [new.back], expected: "81111-1111111-1")
    #expect(record.outcome == .mismatched)
    #expect(try result(record).identityNumber?.formatted == new.truth.barcodeNumber)
  }

  @Test func swappedFilesArePutRight() throws {
    let record = scan(front: [new.back], back: [new.front], expected: new.truth.identityNumber)
    #expect(record.outcome == .matched && record.reasons.contains(.sidesSwapped))
  }

  @Test func aFrontAsItsOwnBackIsNoBack() throws {
    let record = scan(front: [new.front], back: [new.front], expected: new.truth.identityNumber)
    #expect(record.outcome == .noValidFrame && record.events.map(\.type) == [.frontSuccess])
    #expect(record.reasons.contains(.wrongSide) && record.reasons.contains(.noBackFrame))
  }

  @Test func aBlurredFrontIsSetAsideAndTheNextFrameIsTried() throws {
    let set = try SpecimenSet(seed: 4100, count: 1, level: .clean, options: SpecimenFiles.onlyNew())
    let sharp = try set.face(at: 0, .front)
    let blurred = blurredByBoxes(sharp, radius: 14)
    let path = folder.path("blurred.png")
    try engine.savePNG(blurred, to: path)
    let record = scan(front: [path, new.front], back: [new.back], expected: new.truth.identityNumber)
    #expect(record.outcome == .matched)
    #expect(record.details.setAside.map(\.file) == [0])
  }

  @Test func aCoveredBarcodeMeansThatTheBackMustBeScannedAgain() throws {
    let covered = try SpecimenFiles.coveredBack(seed: 4100, in: folder, by: engine)
    let record = scan(front: [new.front], back: [covered], expected: new.truth.identityNumber)
    #expect(record.outcome == .rescanBack)
    #expect(record.events.map(\.type) == [.frontSuccess, .backSuccess, .ocrFailure])
    let capture = try #require(record.frontCapture)
    #expect(capture.extractedData.name != nil)
  }
}

/// Three running means of each row and column: close to a Gaussian of about the radius; no letter is left.
private func blurredByBoxes(_ image: Raster, radius: Int) -> Raster {
  var samples = image.samples.map(Int.init)
  func pass(count: Int, lines: Int, stride: Int, lineStride: Int) {
    for line in 0..<lines {
      for channel in 0..<3 {
        let start = line * lineStride + channel
        let values = (0..<count).map { samples[start + $0 * stride] }
        var sum = (-radius...radius).reduce(0) { $0 + values[min(max($1, 0), count - 1)] }
        for i in 0..<count {
          samples[start + i * stride] = sum / (2 * radius + 1)
          sum += values[min(i + radius + 1, count - 1)] - values[max(i - radius, 0)]
        }
      }
    }
  }
  for _ in 0..<3 {
    pass(count: image.width, lines: image.height, stride: 3, lineStride: image.width * 3)
    pass(count: image.height, lines: image.width, stride: image.width * 3, lineStride: 3)
  }
  return Raster(width: image.width, height: image.height, channels: 3, samples: samples.map { UInt8($0) })
}
