import CardModel
import CardReading
import ScanPipeline
import Testing

@testable import BarcodeDecoding

@Suite struct CardBarcodeDecoderTests {
  private func isCards(_ symbol: DecodedBarcode) -> Bool {
    BarcodePayload.read(symbol.bytes, symbology: symbol.symbology).identityNumber != nil
  }

  private func decode(_ canvas: Canvas, _ likely: [Symbology] = [.qr, .pdf417, .code128]) -> [DecodedBarcode] {
    CardBarcodeDecoder().decode(canvas.raster, likely: likely, accept: isCards)
  }

  private func newBack() throws -> Canvas {
    var canvas = Canvas()
    try canvas.draw(.qr, newPayload, x: 765, y: 90, module: 8)
    return canvas
  }

  private func oldBack(module: Int = 3, ink: UInt8 = 20, plate: UInt8 = 245) throws -> Canvas {
    var canvas = Canvas()
    try canvas.draw(.pdf417, oldPayload, x: 130, y: 450, module: module, columns: 10, ink: ink, plate: plate)
    return canvas
  }

  @Test func aQRCodeIsReadAtTheFirstRungWithItsPlace() throws {
    let symbol = try #require(decode(try newBack()).last)
    #expect(symbol.symbology == .qr)
    #expect(symbol.bytes == newPayload)
    #expect(symbol.rung == "raw/localAverage")
    #expect(symbol.reader == "zxing")
    let centreX = symbol.corners.reduce(0) { $0 + $1.x } / 4, centreY = symbol.corners.reduce(0) { $0 + $1.y } / 4
    #expect(abs(centreX - 849.0 / 1012) < 0.01)
    #expect(abs(centreY - 174.0 / 638) < 0.01)
    #expect(symbol.corners[0].x < symbol.corners[1].x)
  }

  @Test(arguments: [false, true]) func aPDF417IsReadByteForByteEitherWayUp(_ upsideDown: Bool) throws {
    let raster = try oldBack().raster
    let symbols = CardBarcodeDecoder().decode(
      upsideDown ? raster.turnedByHalf() : raster, likely: [.pdf417], accept: isCards)
    let symbol = try #require(symbols.last)
    #expect(symbol.bytes == oldPayload)
    let centreY = symbol.corners.reduce(0) { $0 + $1.y } / 4
    #expect(upsideDown ? centreY < 0.4 : centreY > 0.6)
  }

  @Test func aCode128CountsOnceTwoRungsHaveReadIt() throws {
    var canvas = Canvas()
    try canvas.draw(.code128, Array("42101-0000001-7".utf8), x: 500, y: 100, module: 2)
    let symbol = try #require(decode(canvas).last)
    #expect(symbol.symbology == .code128)
    #expect(symbol.bytes == Array("42101-0000001-7".utf8))
    #expect(symbol.rung != "raw/localAverage")
  }

  @Test func lowContrastIsRead() throws {
    #expect(decode(try oldBack(ink: 150, plate: 190), [.pdf417]).last?.bytes == oldPayload)
  }

  @Test func motionAndNoiseAreReadByALaterRung() throws {
    var canvas = try oldBack()
    canvas.smear(2)
    canvas.sprinkle(10, seed: 7)
    let symbol = try #require(decode(canvas, [.pdf417]).last)
    #expect(symbol.bytes == oldPayload)
  }

  @Test func anInvertedQRCodeIsRead() throws {
    var canvas = try newBack()
    canvas.samples = canvas.samples.map { 255 - $0 }
    #expect(decode(canvas).last?.bytes == newPayload)
  }

  @Test func binaryBytesComeBackExactly() throws {
    let binary = (0...255).map { UInt8($0) }
    var canvas = Canvas()
    try canvas.draw(.qr, binary, x: 300, y: 40, module: 6)
    let symbols = CardBarcodeDecoder().decode(canvas.raster, likely: [.qr]) { _ in true }
    #expect(symbols.last?.bytes == binary)
    // The second reader must not take bytes for text either.
    let second = ZBarReader().read(GreyImage(canvas.raster))
    #expect(second.map(\.bytes) == [binary])
  }

  @Test func aRefusedSymbolDoesNotHideTheNext() throws {
    var canvas = Canvas()
    try canvas.draw(.qr, Array("http://a.example".utf8), x: 100, y: 100, module: 7)
    try canvas.draw(.qr, newPayload, x: 700, y: 100, module: 7)
    let symbols = decode(canvas)
    #expect(symbols.last?.bytes == newPayload)
  }

  @Test func refusedPayloadsAreReturnedOnce() throws {
    let symbols = CardBarcodeDecoder().decode(try newBack().raster, likely: [.qr]) { _ in false }
    #expect(symbols.map(\.bytes) == [newPayload])
  }

  @Test func anImageWithoutABarcodeGivesNothing() {
    var canvas = Canvas()
    #expect(decode(canvas).isEmpty)
    canvas.sprinkle(120, seed: 3)
    #expect(decode(canvas).isEmpty)
  }

  @Test(arguments: [(1, 1), (1, 500), (500, 1), (3, 3), (20, 20)]) func tinyImagesDoNoHarm(_ size: (Int, Int)) {
    let canvas = Canvas(width: size.0, height: size.1)
    #expect(decode(canvas).isEmpty)
    #expect(ImageBarcodeReader().read(canvas.raster).isEmpty)
  }
}
