import CardModel
private import COpenCV

/// A grey picture made from a given image, with the way back to that image's pixels.
///
/// Every step gives a new picture. A step that OpenCV refuses gives `nil`: its rung is then skipped, which costs a chance
/// of reading and nothing else.
struct GreyImage {
  var width: Int
  var height: Int
  var samples: [UInt8]
  var toGiven: PixelMap

  init(width: Int, height: Int, samples: [UInt8], toGiven: PixelMap) {
    (self.width, self.height, self.samples, self.toGiven) = (width, height, samples, toGiven)
  }

  init(_ given: Raster) {
    let grey = given.grey()
    self.init(width: grey.width, height: grey.height, samples: grey.samples, toGiven: .identity)
  }

  /// The part that `map` shows, `width` x `height` pixels of it.
  func sampled(_ map: PixelMap, width: Int, height: Int) -> GreyImage? {
    guard width > 0, height > 0, width * height <= 64 << 20 else { return nil }
    var matrix = map.values
    let samples = Self.filled(width * height) { out in
      self.samples.withUnsafeBufferPointer {
        barcode_sample($0.baseAddress, Int32(self.width), Int32(self.height), &matrix, out, Int32(width), Int32(height))
      }
    }
    return samples.map { GreyImage(width: width, height: height, samples: $0, toGiven: map.followed(by: toGiven)) }
  }

  /// Larger or smaller by `factor`; shrinking averages areas.
  func scaled(by factor: Double) -> GreyImage? {
    let width = Int((Double(width) * factor).rounded()), height = Int((Double(height) * factor).rounded())
    guard width > 7, height > 7, width * height <= 64 << 20 else { return nil }
    let sampling = Int32(factor < 1 ? COPENCV_AREA.rawValue : COPENCV_CUBIC.rawValue)
    let samples = Self.filled(width * height) { out in
      self.samples.withUnsafeBufferPointer {
        copencv_resize(
          $0.baseAddress, Int32(self.width), Int32(self.height), 1, out, Int32(width), Int32(height), sampling)
      }
    }
    let map = PixelMap.scaling(Double(self.width) / Double(width), Double(self.height) / Double(height))
    return samples.map { GreyImage(width: width, height: height, samples: $0, toGiven: map.followed(by: toGiven)) }
  }

  func filtered(_ filter: Filter) -> GreyImage? {
    let (w, h) = (Int32(width), Int32(height))
    let result = samples.withUnsafeBufferPointer { source -> [UInt8]? in
      let from = source.baseAddress
      switch filter {
      case .none: return samples
      case .inverted: return samples.map { 255 - $0 }
      case .unsharp(let sigma, let amount):
        return Self.filled(samples.count) { barcode_unsharp(from, w, h, sigma, amount, $0) }
      case .median(let size): return Self.filled(samples.count) { copencv_median(from, w, h, 1, Int32(size), $0) }
      case .soft(let sigma): return Self.filled(samples.count) { copencv_gaussian(from, w, h, 1, sigma, $0) }
      case .levelled(let block): return Self.filled(samples.count) { barcode_level(from, w, h, Int32(block), $0) }
      case .adaptive(let block, let offset):
        return Self.filled(samples.count) { copencv_adaptive_mean(from, w, h, Int32(block), offset, $0) }
      case .opened(let size):
        return Self.filled(samples.count) {
          copencv_morphology(from, w, h, Int32(COPENCV_OPEN.rawValue), Int32(size), Int32(size), $0)
        }
      }
    }
    return result.map { GreyImage(width: width, height: height, samples: $0, toGiven: toGiven) }
  }

  /// White (or the border's own tone repeated) around the picture: readers want a quiet zone.
  func padded(by margin: Int) -> GreyImage {
    let outWidth = width + 2 * margin
    var out = [UInt8](repeating: 255, count: outWidth * (height + 2 * margin))
    for y in 0..<height {
      let row = y * width
      out.replaceSubrange(
        ((y + margin) * outWidth + margin)..<((y + margin) * outWidth + margin + width),
        with: samples[row..<(row + width)])
    }
    let map = PixelMap.shifting(-Double(margin), -Double(margin)).followed(by: toGiven)
    return GreyImage(width: outWidth, height: height + 2 * margin, samples: out, toGiven: map)
  }

  /// Regions that look like rows of bars, largest first, each cut out straight with a margin.
  func bands(tilted: Bool, limit: Int) -> [GreyImage] {
    var found = [barcode_band](repeating: barcode_band(), count: limit)
    let count = samples.withUnsafeBufferPointer {
      barcode_bands($0.baseAddress, Int32(width), Int32(height), tilted ? 1 : 0, &found, Int32(limit))
    }
    return found.prefix(max(0, Int(count))).compactMap { band in
      let marginX = max(12, band.height * 0.25), marginY = max(8, band.height * 0.15)
      let width = band.width + 2 * marginX, height = band.height + 2 * marginY
      let map = PixelMap.turning(degrees: band.degrees, centre: (band.x, band.y), ofWidth: width, height: height)
      return sampled(map, width: Int(width), height: Int(height))
    }
  }

  private static func filled(_ count: Int, _ body: (UnsafeMutablePointer<UInt8>) -> Int32) -> [UInt8]? {
    var done = false
    let samples = [UInt8](unsafeUninitializedCapacity: count) { buffer, initialised in
      if let base = buffer.baseAddress { done = body(base) >= 0 }
      initialised = done ? count : 0
    }
    return done ? samples : nil
  }
}

/// A change of tones; the picture keeps its size.
enum Filter: Sendable, Hashable {
  case none
  case inverted
  case unsharp(sigma: Double, amount: Double)
  case median(Int)
  case soft(sigma: Double)
  case levelled(Int)
  case adaptive(block: Int, offset: Double)
  /// Dark dots grow together (a minimum, then a maximum): for symbols printed as dots.
  case opened(Int)
}
