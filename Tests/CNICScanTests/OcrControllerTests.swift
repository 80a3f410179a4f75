import CardModel
import Foundation
import Specimens
import TestSupport
import Testing

@testable import CNICScan

private final class Recorder: OcrControllerDelegate {
  var calls: [String] = []
  var distance: Double?
  var identityNumber: String??
  var images: [String] = []

  func handleResponse(
    identityNumber: String?, frontImage: String, backImage: String, documentType: DocumentType, distance: Double,
    extractedData: ExtractedData
  ) {
    calls.append("handleResponse")
    self.identityNumber = identityNumber
    self.distance = distance
    images = [frontImage, backImage]
  }
  func handleError(code: String) { calls.append("handleError " + code) }
  func handleInfo(message: String) { calls.append("handleInfo " + message) }
}

@Suite(.serialized) struct OcrControllerTests {
  private let folder: FreshDirectory
  private let files: SpecimenFiles
  private let recorder = Recorder()

  init() throws {
    folder = try FreshDirectory()
    files = try SpecimenFiles(seed: 4200, level: .clean, options: SpecimenFiles.onlyNew(), in: folder)
  }

  @Test func aScanIsOneResponseWithJPEGImages() throws {
    let controller = try OcrController(identityNumber: files.truth.identityNumber, delegate: recorder)
    #expect(controller.scan(front: [files.front], back: [files.back]) == .matched)
    #expect(recorder.calls == ["handleInfo Ocr initialized", "handleResponse"])
    #expect(recorder.distance == 0)
    for image in recorder.images { #expect(Data(base64Encoded: image)?.prefix(2) == Data([0xFF, 0xD8])) }
  }

  @Test func frontOnlyHasNoNumberAnEmptyBackAndDistanceOne() throws {
    let controller = try OcrController(
      identityNumber: files.truth.identityNumber, scanMode: .frontOnly, delegate: recorder)
    #expect(controller.scan(front: [files.front], back: []) == .unverified)
    #expect(recorder.identityNumber == .some(nil) && recorder.distance == 1)
    #expect(recorder.images.last == "" && recorder.images.first != "")
  }

  @Test func missingImagesAreNoCamera() throws {
    let controller = try OcrController(identityNumber: files.truth.identityNumber, delegate: recorder)
    controller.scan(front: [folder.path("absent.jpg")], back: [folder.path("absent.jpg")])
    #expect(recorder.calls == ["handleInfo Ocr initialized", "handleError no_camera"])
  }

  @Test func withoutANumberThereIsNoController() {
    for (number, reason) in [(" ", Reason.expectedNumberMissing), ("12345", .expectedNumberInvalid)] {
      let failure = #expect(throws: OcrController.LaunchFailure.self) {
        _ = try OcrController(identityNumber: number, delegate: recorder)
      }
      #expect(failure?.reason == reason)
    }
    #expect(recorder.calls.isEmpty)
  }

  /// The front's image comes from the scan before, out of memory.
  @Test func aBackThatIsScannedAgainCompletesTheScan() throws {
    let controller = try OcrController(identityNumber: files.truth.identityNumber, delegate: recorder)
    let engine = try ScanEngine(settings: ScanEngine.Settings())
    let covered = try SpecimenFiles.coveredBack(seed: 4200, in: folder, by: engine)
    #expect(controller.scan(front: [files.front], back: [covered]) == .rescanBack)
    #expect(controller.scan(front: [], back: [files.back]) == .matched)
    #expect(recorder.calls == ["handleInfo Ocr initialized", "handleInfo Ocr closed", "handleResponse"])
    for image in recorder.images { #expect(Data(base64Encoded: image)?.prefix(2) == Data([0xFF, 0xD8])) }
  }

  @Test func theExampleProgramScansAPairAndLeavesNoFile() throws {
    let program = try RunProgram.builtCommand().deletingLastPathComponent().appendingPathComponent("scan-one-pair")
    try FileManager.default.createDirectory(atPath: folder.path("empty"), withIntermediateDirectories: false)
    let run = try RunProgram.run(
      program.path, [files.truth.identityNumber, files.front, files.back], in: folder.path("empty"),
      environment: ["TMPDIR": folder.path("empty"), "HOME": folder.path("empty")])
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("empty")) == [])
    #expect(run.status == 0)
    #expect(run.lines.first == "info: Ocr initialized")
    #expect(run.lines.contains("the barcode's number is the expected one: true"))
  }
}
