package import CardModel
package import ScanPipeline

/// Reads text with Tesseract: our networks for values, Debian's `eng` for the rest.
///
/// It keeps an engine per network, about 10 MB and 20-50 ms to start each, so it is made once per worker thread and kept.
/// Not `Sendable`: one thread at a time.
package final class TesseractReader: TextRecognising {
  private let card: TesseractEngine
  private let second: TesseractEngine
  private let stock: TesseractEngine

  /// - Throws: `ModelMissing` when a network cannot be loaded; the run cannot start without it.
  package init(files: ModelFiles) throws(ModelMissing) {
    card = try TesseractEngine(model: .card, files: files)
    second = try TesseractEngine(model: .second, files: files)
    stock = try TesseractEngine(model: .stock, files: files)
  }

  package func recogniseLine(_ line: Raster, model: TextModel) -> RecognisedLine {
    switch model {
    case .card: card.recogniseLine(line)
    case .second: second.recogniseLine(line)
    case .stock: stock.recogniseLine(line)
    }
  }

  package func recognisePage(_ image: Raster) -> [RecognisedLine] { stock.recognisePage(image) }
}
