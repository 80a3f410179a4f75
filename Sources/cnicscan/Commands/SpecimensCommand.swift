internal import BatchRun
internal import Specimens

extension Command {
  static let specimens = Command(
    name: "specimens", parameters: "[OPTION…]", summary: "Draws invented cards with their truth",
    description: """
      Writes two images a pair, manifest.csv and truth.ndjson. The same seed gives the same persons, numbers and
      payloads everywhere, and the same bytes on the same machine. Every card is marked SPECIMEN.
      """,
    examples: [
      Example(
        "cnicscan specimens --count 24 --seed 71 --level scan --output cards", "24 pairs as an office scanner sees them"
      ),
      Example(
        "cnicscan specimens --count 50 --seed 8 --level photo --mismatch 20 --output cards",
        "phone photographs, a fifth of them with another expected number"),
    ],
    options: [
      Option("count", short: "n", .number, value: "N", "Pairs to draw (24)"),
      Option("seed", short: "s", .number, value: "S", "What the set is drawn from (1)"),
      Option(
        "level", short: "l", .text, value: "LEVEL", choices: SpecimenLevel.allCases.map(\.rawValue),
        "How they are damaged: clean, scan, photo or hard (scan)"),
      Option("output", short: "o", .text, value: "DIR", "Folder to write to, made where missing"),
      Option("mismatch", .number, value: "PERCENT", "Pairs whose expected number is another than the card's (0)"),
      Option("unusual-payloads", .number, value: "PERCENT", "Pairs whose barcode holds an unusual payload (0)"),
      Option(
        "pages", .text, value: "KIND", choices: OfficePages.allCases.map(\.rawValue),
        "Both sides in one file: bothSides or severalPersons on an A4 page, or twoPageTIFF"),
      Option("small-files", .flag, "Cards at most 700 pixels wide, in JPEG files of some 20 to 60 KB"),
      Option("quiet", short: "q", .flag, "Says nothing when all is well"),
    ],
    words: 0...0, run: drawSpecimens)
}

private func drawSpecimens(_ options: ParsedOptions) throws(CommandFailure) -> ExitStatus {
  var extra = SpecimenOptions()
  extra.mismatchPercent = Double(try options.number("mismatch", in: 0...100) ?? 0)
  extra.unusualPayloadPercent = Double(try options.number("unusual-payloads", in: 0...100) ?? 0)
  extra.smallFiles = options.has("small-files")
  extra.pages = try options.choice("pages", of: OfficePages.self)
  let output = try options.required("output")
  let seed = UInt64(try options.number("seed", in: 0...Int(Int32.max)) ?? 1)
  let level = try options.choice("level", of: SpecimenLevel.self) ?? .scan
  let count = try options.number("count", in: 1...1_000_000) ?? 24
  do throws(SpecimenFailure) {
    let set = try SpecimenSet(seed: seed, count: count, level: level, options: extra)
    let bar = CountBar(label: "drawing", total: count, isShown: Terminal.errorIsTerminal && !options.has("quiet"))
    try set.write(to: output) { bar.show($0) }
    bar.clear()
  } catch {
    throw failure(error)
  }
  if !options.has("quiet") { Terminal.writeError("\(count) pairs and their truth are in \(output)\n") }
  return .complete
}

private func failure(_ error: SpecimenFailure) -> CommandFailure {
  switch error {
  case .invalidOptions(let text): CommandFailure(.usage, text)
  case .cannotWrite(let text): CommandFailure(.cannotCreateOutput, text)
  case .barcodeNotEncoded, .imageNotEncoded: CommandFailure(.internalError, "a specimen could not be encoded")
  case .faceNotDrawn:
    CommandFailure(.engineMissing, "a specimen could not be drawn; cnicscan check says what is missing")
  }
}
