import CardModel
import ScanPipeline
import Testing

@testable import TextRecognition

/// Tesseract through its C API, with the real networks.
struct TesseractReaderTests {
  @Test func theNetworksOfTheTreeAreFoundAndStart() throws {
    _ = try TesseractReader(files: ModelFiles.locate())
  }

  @Test func aMissingNetworkIsNamed() {
    #expect(throws: ModelMissing(fileName: "card.traineddata")) { try ModelFiles.locate(explicit: "/nonexistent") }
    let files = ModelFiles(cardDirectory: "/nonexistent", stockDirectory: "/nonexistent")
    #expect(throws: ModelMissing(fileName: "card.traineddata")) { try TesseractReader(files: files) }
    #expect(ModelMissing(fileName: "eng.traineddata").description.contains("tesseract-ocr-eng"))
  }

  @Test func nothingOnAnImageIsNoTextAndNoFailure() throws {
    let reader = try TesseractReader(files: ModelFiles.locate())
    let blank = Raster(width: 200, height: 44, channels: 1, samples: Array(repeating: 240, count: 200 * 44))
    #expect(reader.recogniseLine(blank, model: .stock).symbols.isEmpty)
    #expect(reader.recognisePage(blank).isEmpty)
    let tiny = Raster(width: 1, height: 1, channels: 1, samples: [0])
    #expect(reader.recogniseLine(tiny, model: .card).symbols.isEmpty)
  }
}
