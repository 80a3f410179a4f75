private import COpenCV
import CardModel
import Foundation
import ScanPipeline

/// What an unwarped image looks like: each face of a card, either way up, or no card at all.
///
/// A small network over coarse maps of darkness and of horizontal and vertical gradients, grey alone so that photocopies count
/// as well. It is asked twice, for the image and for the image turned by half, with the same weights. It is one part of the
/// evidence for a face (CardClassifier), and says how much a proposed outline holds a card. Trained by
/// Tools/appearance/train.py, which has the figures.
struct CardAppearance {
  /// Best first; their sum is `card`.
  let faces: [FaceAppearance]
  /// The probability that there is a card at all, 0...1.
  let card: Double

  static let width = 384
  static let height = 240
  private static let columns = 24
  private static let rows = 15
  private static let cells = columns * rows

  /// - Parameter image: RGB or grey, any size; taken as a whole card.
  init?(of image: Raster) {
    guard
      let reduced = image.resized(width: Self.width, height: Self.height, .reducing(by: image.width, to: Self.width))?
        .grey(),
      let features = Self.features(of: reduced)
    else { return nil }
    let upright = Self.outputs(of: features, turned: false)
    let turned = Self.outputs(of: features, turned: true)
    let none = (upright[4] + turned[4]) / 2
    let largest = max(none, upright[..<4].max() ?? none, turned[..<4].max() ?? none)
    let total = (upright[..<4] + turned[..<4]).reduce(expf(none - largest)) { $0 + expf($1 - largest) }
    var faces: [FaceAppearance] = []
    for (i, face) in [CardFace.newFront, .newBack, .oldFront, .oldBack].enumerated() {
      for (output, down) in [(upright[i], false), (turned[i], true)] {
        let probability = Double(expf(output - largest) / total)
        faces.append(FaceAppearance(face: face, upsideDown: down, probability: probability))
      }
    }
    self.faces = faces.sorted { $0.probability > $1.probability }
    card = min(1, faces.reduce(0) { $0 + $1.probability })
  }

  /// Three maps, row after row: darkness, horizontal and vertical gradient, each made free of the image's own level.
  private static func features(of grey: Raster) -> [Float]? {
    guard let small = grey.resized(width: columns, height: rows, .area) else { return nil }
    var horizontal = [Float](repeating: 0, count: cells), vertical = [Float](repeating: 0, count: cells)
    let status = grey.samples.withUnsafeBufferPointer {
      copencv_gradient_grid(
        $0.baseAddress, Int32(width), Int32(height), Int32(columns), Int32(rows), &horizontal, &vertical)
    }
    guard status == 0 else { return nil }
    let light = small.samples.map { Float($0) }
    let mean = light.reduce(0, +) / Float(cells)
    let variance = light.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Float(cells)
    let spread = variance.squareRoot() + 8
    horizontal = horizontal.map { $0.squareRoot() }
    vertical = vertical.map { $0.squareRoot() }
    let level = (horizontal.reduce(0, +) + vertical.reduce(0, +)) / Float(2 * cells) + 0.2
    return light.map { ($0 - mean) / spread } + horizontal.map { $0 / level - 1 } + vertical.map { $0 / level - 1 }
  }

  /// The network's five outputs. Turning the image by half reverses each map.
  private static func outputs(of features: [Float], turned: Bool) -> [Float] {
    let units = AppearanceWeights.hiddenUnits
    var hidden = [Float](repeating: 0, count: units)
    firstWeights.withUnsafeBufferPointer { weights in
      features.withUnsafeBufferPointer { features in
        for i in 0..<(3 * cells) {
          let map = i / cells, cell = i % cells
          let value = features[turned ? map * cells + cells - 1 - cell : i]
          for unit in 0..<units { hidden[unit] += value * Float(weights[i * units + unit]) }
        }
      }
    }
    for unit in 0..<units {
      hidden[unit] = max(0, hidden[unit] * AppearanceWeights.firstScale[unit] + AppearanceWeights.firstBias[unit])
    }
    return (0..<5).map { output in
      (0..<units).reduce(AppearanceWeights.secondBias[output]) {
        $0 + hidden[$1] * AppearanceWeights.second[$1 * 5 + output]
      }
    }
  }

  private static let firstWeights: [Int8] = {
    let bytes = Data(base64Encoded: AppearanceWeights.first).map { [UInt8]($0) } ?? []
    precondition(bytes.count == 3 * cells * AppearanceWeights.hiddenUnits, "weights and network belong together")
    return bytes.map { Int8(bitPattern: $0) }
  }()
}
