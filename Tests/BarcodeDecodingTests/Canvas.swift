import CardModel

@testable import Specimens

/// A grey picture to draw symbols on, with the damage that readers meet. Seeded, so that a failure can be seen again.
struct Canvas {
  let width: Int
  let height: Int
  var samples: [UInt8]

  init(width: Int = 1012, height: Int = 638, paper: UInt8 = 235) {
    (self.width, self.height) = (width, height)
    samples = [UInt8](repeating: paper, count: width * height)
  }

  var raster: Raster { Raster(width: width, height: height, channels: 1, samples: samples) }

  /// Draws zint's symbol on a white plate, `module` pixels a module.
  mutating func draw(
    _ symbology: Symbology, _ payload: [UInt8], x: Int, y: Int, module: Int, columns: Int = 8, ink: UInt8 = 20,
    plate: UInt8 = 245
  ) throws {
    let code = try SpecimenBarcode(symbology, payload: payload, columns: columns)
    let rowHeight = Int(code.rowHeight) * module
    let quiet = 4 * module
    fill(x - quiet, y - quiet, code.columns * module + 2 * quiet, code.rows.count * rowHeight + 2 * quiet, plate)
    for (row, line) in code.rows.enumerated() {
      for (column, dark) in line.enumerated() where dark {
        fill(x + column * module, y + row * rowHeight, module, rowHeight, ink)
      }
    }
  }

  mutating func fill(_ x: Int, _ y: Int, _ w: Int, _ h: Int, _ tone: UInt8) {
    for row in max(0, y)..<max(max(0, y), min(height, y + h)) {
      for column in max(0, x)..<max(max(0, x), min(width, x + w)) { samples[row * width + column] = tone }
    }
  }

  /// Mean over 2 r + 1 pixels along a row, as motion blurs.
  mutating func smear(_ radius: Int) {
    var out = samples
    for y in 0..<height {
      for x in radius..<(width - radius) {
        var sum = 0
        for k in -radius...radius { sum += Int(samples[y * width + x + k]) }
        out[y * width + x] = UInt8(sum / (2 * radius + 1))
      }
    }
    samples = out
  }

  /// Even noise of plus or minus `amount`.
  mutating func sprinkle(_ amount: Int, seed: UInt64) {
    var state = seed
    for i in samples.indices {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      let noise = Int(state >> 33) % (2 * amount + 1) - amount
      samples[i] = UInt8(max(0, min(255, Int(samples[i]) + noise)))
    }
  }

  /// Turned clockwise by `degrees` around the middle, nearest samples; the paper shows in the corners.
  func turned(sine: Double, cosine: Double) -> Canvas {
    var out = Canvas(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width {
        let dx = Double(x) - Double(width) / 2, dy = Double(y) - Double(height) / 2
        let sx = Int(cosine * dx + sine * dy + Double(width) / 2),
          sy = Int(-sine * dx + cosine * dy + Double(height) / 2)
        if (0..<width).contains(sx), (0..<height).contains(sy) { out.samples[y * width + x] = samples[sy * width + sx] }
      }
    }
    return out
  }
}

/// An old card's payload of made-up values.
let oldPayload: [UInt8] =
  Array("A0X1200801021234\r\r4210100000017\rR0X00M\r01/01/1970\r".utf8)
  + [0x45, 0x2D, 0x45, 0x2F, 0x20, 0x39, 0x44, 0xCC, 0x0D, 0x3A, 0x44, 0x27, 0x45, 0x0D]
  + [UInt8](repeating: 0x45, count: 40)

let newPayload = Array("73051288640142101000000171".utf8)
