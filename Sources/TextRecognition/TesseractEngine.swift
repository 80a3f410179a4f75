import CardModel
import ScanPipeline

private import CTesseract
private import Glibc

/// One Tesseract instance with one network: the private owner of its handle.
///
/// *Ownership*: the handle lives as long as the object. An instance must be used by one thread at a time (Tesseract keeps the
/// image and the result in it), so the class is not `Sendable`. Results are copied out before they are released.
final class TesseractEngine {
  private let handle: OpaquePointer

  /// - Throws: `ModelMissing` when Tesseract cannot start with that network.
  init(model: TextModel, files: ModelFiles) throws(ModelMissing) {
    // Leptonica and Tesseract write diagnostics to stderr by themselves; stdout and stderr belong to the command.
    _ = setMsgSeverity(Int32(L_SEVERITY_NONE))
    guard let handle = TessBaseAPICreate() else { throw ModelMissing(fileName: ModelFiles.fileName(model)) }
    let started = Self.start(handle, directory: files.directory(of: model), language: ModelFiles.language(model))
    guard started else {
      TessBaseAPIDelete(handle)
      throw ModelMissing(fileName: ModelFiles.fileName(model))
    }
    self.handle = handle
  }

  deinit { TessBaseAPIDelete(handle) }

  /// Reads an image as one line, taken as it is: no search for lines, which loses single letters (facts: mode 13 reads 84%
  /// of hard values where mode 7 reads 76%).
  func recogniseLine(_ line: Raster) -> RecognisedLine {
    let whole = PixelBox(x: 0, y: 0, width: line.width, height: line.height)
    let nothing = RecognisedLine(text: "", confidence: 0, symbols: [], box: whole)
    guard Self.hasContrast(line) else { return nothing }
    var first = recognise(line, mode: PSM_RAW_LINE).first ?? nothing
    if first.text.isEmpty, line.width < 2 * line.height {
      // A letter alone is sometimes no line to Tesseract, though it is a letter.
      first = recognise(line, mode: PSM_SINGLE_CHAR).first ?? nothing
    }
    return RecognisedLine(text: first.text, confidence: first.confidence, symbols: first.symbols, box: whole)
  }

  /// The network stretches whatever contrast there is, and reads letters into an even surface.
  private static func hasContrast(_ line: Raster) -> Bool {
    guard let darkest = line.samples.min(), let lightest = line.samples.max() else { return false }
    return lightest - darkest >= 16
  }

  /// Reads every line of an image that is one block of text.
  func recognisePage(_ image: Raster) -> [RecognisedLine] { recognise(image, mode: PSM_SPARSE_TEXT) }

  private func recognise(_ image: Raster, mode: TessPageSegMode) -> [RecognisedLine] {
    TessBaseAPISetPageSegMode(handle, mode)
    return image.samples.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return [] }
      TessBaseAPISetImage(
        handle, base, Int32(image.width), Int32(image.height), Int32(image.channels),
        Int32(image.width * image.channels))
      // Without a resolution Tesseract guesses one, and says so.
      TessBaseAPISetSourceResolution(handle, 300)
      defer { TessBaseAPIClear(handle) }
      guard TessBaseAPIRecognize(handle, nil) == 0, let results = TessBaseAPIGetIterator(handle) else { return [] }
      defer { TessResultIteratorDelete(results) }
      return Self.lines(of: results)
    }
  }

  /// Walks the symbols and gathers them to lines; a symbol that opens a word after the first is preceded by a space.
  private static func lines(of results: OpaquePointer) -> [RecognisedLine] {
    let page = TessResultIteratorGetPageIterator(results)
    var lines: [RecognisedLine] = []
    var middle = 0
    repeat {
      guard let pointer = TessResultIteratorGetUTF8Text(results, RIL_SYMBOL) else { continue }
      let text = String(cString: pointer)
      TessDeleteText(pointer)
      let confidence = Double(TessResultIteratorConfidence(results, RIL_SYMBOL)) / 100
      let box = Self.box(page, RIL_SYMBOL)
      if TessPageIteratorIsAtBeginningOf(page, RIL_TEXTLINE) != 0 || lines.isEmpty {
        lines.append(RecognisedLine(text: "", confidence: 0, symbols: [], box: Self.box(page, RIL_TEXTLINE)))
      }
      var line = lines[lines.count - 1]
      if TessPageIteratorIsAtBeginningOf(page, RIL_WORD) != 0 || line.symbols.isEmpty {
        let word = Self.box(page, RIL_WORD)
        middle = word.y + word.height / 2
        if !line.text.isEmpty { line.text += " " }
      }
      line.text += text
      line.symbols.append(
        RecognisedSymbol(
          text: text, confidence: min(1, max(0, confidence)), left: box.x, right: box.x + box.width,
          middle: middle))
      lines[lines.count - 1] = line
    } while TessPageIteratorNext(page, RIL_SYMBOL) != 0
    return lines.map { line in
      var line = line
      line.confidence = line.symbols.map(\.confidence).reduce(0, +) / Double(max(1, line.symbols.count))
      return line
    }
  }

  private static func box(_ page: OpaquePointer?, _ level: TessPageIteratorLevel) -> PixelBox {
    var left: Int32 = 0
    var top: Int32 = 0
    var right: Int32 = 0
    var bottom: Int32 = 0
    guard TessPageIteratorBoundingBox(page, level, &left, &top, &right, &bottom) != 0 else {
      return PixelBox(x: 0, y: 0, width: 0, height: 0)
    }
    return PixelBox(x: Int(left), y: Int(top), width: Int(right - left), height: Int(bottom - top))
  }

  /// Dictionaries are switched off: they cost time and gain nothing on names and numbers (facts/engines.md), and a word
  /// list must not pull a name toward itself. They can only be switched off while starting.
  private static func start(_ handle: OpaquePointer, directory: String, language: String) -> Bool {
    let variables: KeyValuePairs = [
      "debug_file": "/dev/null", "load_system_dawg": "0", "load_freq_dawg": "0", "tessedit_do_invert": "0",
    ]
    var names = variables.map { strdup($0.key) }
    var values = variables.map { strdup($0.value) }
    defer { (names + values).forEach { free($0) } }
    return TessBaseAPIInit4(
      handle, directory, language, OEM_LSTM_ONLY, nil, 0, &names, &values, names.count, 0) == 0
  }
}
