import CardModel
import ScanPipeline
import Testing

@testable import BarcodeDecoding

@Suite struct ImageBarcodeReaderTests {
  private func read(_ canvas: Canvas) -> [DecodedBarcode] { ImageBarcodeReader().read(canvas.raster) }

  @Test func everySymbolOnAnImageIsReadOnce() throws {
    var canvas = Canvas()
    try canvas.draw(.qr, newPayload, x: 60, y: 60, module: 6)
    try canvas.draw(.qr, Array("http://a.example".utf8), x: 400, y: 60, module: 6)
    try canvas.draw(.code128, Array("42101-0000001-7".utf8), x: 560, y: 300, module: 2)
    try canvas.draw(.pdf417, oldPayload, x: 80, y: 440, module: 3, columns: 10)
    let payloads = read(canvas).map(\.bytes)
    #expect(payloads.count == 4)
    let expected = [newPayload, Array("http://a.example".utf8), Array("42101-0000001-7".utf8), oldPayload]
    for payload in expected { #expect(payloads.contains(payload)) }
  }

  @Test(arguments: [(0.0523, 0.9986), (0.1736, 0.9848), (0.7071, 0.7071), (1.0, 0.0)])
  func tiltedSymbolsAreRead(_ turn: (Double, Double)) throws {
    var canvas = Canvas(width: 900, height: 900)
    try canvas.draw(.pdf417, oldPayload, x: 150, y: 400, module: 3, columns: 7)
    #expect(read(canvas.turned(sine: turn.0, cosine: turn.1)).map(\.bytes) == [oldPayload])
  }

  @Test func aSmallSymbolIsReadEnlarged() throws {
    var canvas = Canvas(width: 120, height: 90)
    try canvas.draw(.qr, newPayload, x: 30, y: 20, module: 2)
    #expect(read(canvas).map(\.bytes) == [newPayload])
  }

  @Test func aColourImageIsReadLikeAGreyOne() throws {
    var canvas = Canvas(width: 300, height: 300)
    try canvas.draw(.qr, newPayload, x: 60, y: 60, module: 6)
    let colour = Raster(width: 300, height: 300, channels: 3, samples: canvas.samples.flatMap { [$0, $0, $0] })
    #expect(ImageBarcodeReader().read(colour).map(\.bytes) == [newPayload])
  }
}
