internal import BatchRun
internal import CNICScan
internal import CardModel
internal import RecordFormats
internal import ScanPipeline

extension Command {
  static let decode = Command(
    name: "decode", parameters: "FILE… [OPTION…]", summary: "Reads the barcodes in images, a JSON line a file",
    description: """
      Prints for each file its barcodes: symbology, exact bytes (hexadecimal), identity number and further fields where the
      payload's structure gives them. Files are answered in their order; one that cannot be used has a reason.
      """,
    examples: [
      Example("cnicscan decode back.jpg", "one file"),
      Example("cnicscan decode scans/*_back.png | jq -r '.barcodes[0].identityNumber'", "the numbers of many"),
    ],
    options: engineLimits, words: 1...100_000,
    run: { options throws(CommandFailure) in
      let reader = BarcodeFileReader(limits: try options.scannerSettings().limits)
      var unusable = 0
      for file in options.words {
        let line = reader.read(absolute(file), named: file)
        if let reason = line.reason, reason != .barcodeNotFound { unusable += 1 }
        try Terminal.write(String(decoding: line.line, as: UTF8.self) + "\n")
      }
      guard unusable > 0 else { return .complete }
      Terminal.writeError("cnicscan decode: \(unusable) of \(options.words.count) files cannot be used\n")
      return .completeWithFailures
    })
}
