package import CardModel
package import ScanPipeline

/// Reads text with Tesseract: our networks for values, Debian's `eng` for the rest.
///
/// It keeps an engine per network, and each takes some 500 million instructions to start, so it is made once per worker thread and kept; `eng`,
/// which most pairs do not need, is started when first asked. Not `Sendable`: one thread at a time.
package final class TesseractReader: TextRecognising {
  private let files: ModelFiles
  private let card: TesseractEngine
  private let second: TesseractEngine
  private var startedStock: TesseractEngine?

  /// - Throws: `ModelMissing` when one of our networks cannot be loaded; the run cannot start without it.
  package init(files: ModelFiles) throws(ModelMissing) {
    self.files = files
    card = try TesseractEngine(model: .card, files: files)
    second = try TesseractEngine(model: .second, files: files)
  }

  /// Starts `eng` now rather than when it is first asked.
  /// - Throws: `ModelMissing` when it cannot be loaded.
  package func startStock() throws(ModelMissing) {
    if startedStock == nil { startedStock = try TesseractEngine(model: .stock, files: files) }
  }

  package func recogniseLine(_ line: Raster, model: TextModel) -> RecognisedLine {
    switch model {
    case .card: card.recogniseLine(line)
    case .second: second.recogniseLine(line)
    case .stock: stock.recogniseLine(line)
    }
  }

  package func recognisePage(_ image: Raster) -> [RecognisedLine] { stock.recognisePage(image) }

  /// Its file was found when the worker began. One that is damaged or gone since ends the worker, so that the pair is said to have
  /// failed: reading on without it would look like cards on which nothing is printed.
  private var stock: TesseractEngine {
    do throws(ModelMissing) { try startStock() } catch { fatalError(error.description) }
    guard let startedStock else { fatalError("startStock() starts it or throws") }
    return startedStock
  }
}
