internal import BatchRun
internal import CNICScan
internal import CardModel
internal import Foundation
internal import RecordFormats
internal import ScanPipeline

extension Command {
  static let scan = Command(
    name: "scan", parameters: "--identity-number N [OPTION…]", summary: "Scans one pair and prints its events",
    description: """
      Writes the events of one card, a JSON line each, to standard output. Several files of a side are tried in their
      order until one is valid. The captured images are kept in the folder of --images.
      """,
    examples: [
      Example(
        "cnicscan scan --front front.jpg --back back.jpg --identity-number 42101-0000001-7",
        "both sides, Android's events"),
      Example(
        "cnicscan scan --front a.jpg b.jpg --scan-mode frontOnly --identity-number 4210100000017 --delivery ios",
        "two frames of a front, iOS's delegate calls"),
    ],
    options: [
      Option("front", .list, value: "FILE…", "Images of the front"),
      Option("back", .list, value: "FILE…", "Images of the back"),
      Option("identity-number", .text, value: "N", "The expected number, with or without dashes"),
      Option(
        "scan-mode", .text, value: "MODE", choices: ScanMode.allCases.map(\.rawValue), "What is scanned (frontAndBack)"),
      Option("image-width", .number, value: "PIXELS", "Width of the saved images (1012)"),
      Option("delivery", .text, value: "FORM", choices: Delivery.allCases.map(\.rawValue), "android or ios (android)"),
      Option("images", .text, value: "DIR", "Folder for the captured images, made where missing (cnicscan-images)"),
      Option("id", .text, value: "ID", "The pair's id in the events (scan)"),
      Option("result", .flag, "Prints the result line instead of the events"),
    ] + engineOptions,
    words: 0...0, run: scanPair)
}

private func scanPair(_ options: ParsedOptions) throws(CommandFailure) -> ExitStatus {
  let mode = try options.choice("scan-mode", of: ScanMode.self) ?? .frontAndBack
  let delivery = try options.choice("delivery", of: Delivery.self) ?? .android
  let pair = PairRequest(
    id: options.text("id") ?? "scan", frontFiles: options.list("front").map(absolute),
    backFiles: options.list("back").map(absolute), expectedNumber: options.text("identity-number"), scanMode: mode,
    imageWidthPixels: try options.number("image-width", in: PairRequest.imageWidthRange)
      ?? PairRequest.defaultImageWidthPixels)
  guard !mode.includesFront || !pair.frontFiles.isEmpty else { throw CommandFailure(.usage, "--front is needed") }
  guard !mode.includesBack || !pair.backFiles.isEmpty else { throw CommandFailure(.usage, "--back is needed") }

  let images = absolute(options.text("images") ?? "cnicscan-images")
  try makePrivateFolder(images)
  let engine = try ScanEngine.started(try options.engineSettings(images: images))
  let request = WorkerRequest(pair: pair, delivery: delivery, imagesDirectory: images)
  let response = engine.respond(to: request.line)
  let lines = options.has("result") ? [response.result.line] : response.eventLines
  try Terminal.write(lines.map { String(decoding: $0, as: UTF8.self) + "\n" }.joined())
  let outcome = response.result.outcome
  guard outcome == .failed || outcome == .noValidFrame || outcome == .launchFailure || outcome == .rescanBack else {
    return .complete
  }
  let reasons = response.result.reasons.map(\.rawValue).joined(separator: ", ")
  Terminal.writeError("cnicscan scan: \(outcome.rawValue): \(reasons)\n")
  return outcome == .failed ? .completeWithFailures : .complete
}

/// Makes a folder that only its owner can enter; one that is there is left as it is.
func makePrivateFolder(_ path: String) throws(CommandFailure) {
  do {
    try FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  } catch {
    throw CommandFailure(.cannotCreateOutput, "cannot make the folder \(path): \(error.localizedDescription)")
  }
}
