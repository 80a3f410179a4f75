/// An image in memory: 8 bits a sample, row after row from the top left, samples of a pixel side by side.
///
/// *Shape*: `samples.count == width * height * channels`; `channels` is 1 (grey) or 3 (sRGB). Never empty.
public struct Raster: Sendable, Equatable {
  public let width: Int
  public let height: Int
  public let channels: Int
  public var samples: [UInt8]

  /// A programmer's mistake traps: the sizes must agree with the number of samples.
  public init(width: Int, height: Int, channels: Int, samples: [UInt8]) {
    precondition(width > 0 && height > 0 && (channels == 1 || channels == 3), "a raster has pixels, grey or RGB")
    precondition(samples.count == width * height * channels, "samples must fill the raster exactly")
    (self.width, self.height, self.channels, self.samples) = (width, height, channels, samples)
  }

  /// The image turned by half a turn.
  public func turnedByHalf() -> Raster {
    var out = [UInt8](repeating: 0, count: samples.count)
    let count = width * height
    let channels = channels
    samples.withUnsafeBufferPointer { source in
      out.withUnsafeMutableBufferPointer { target in
        for pixel in 0..<count {
          let from = pixel * channels, to = (count - 1 - pixel) * channels
          for channel in 0..<channels { target[to + channel] = source[from + channel] }
        }
      }
    }
    return Raster(width: width, height: height, channels: channels, samples: out)
  }

  /// The image turned clockwise by a quarter turn.
  public func turnedByQuarter() -> Raster {
    var out = [UInt8](repeating: 0, count: samples.count)
    let (width, height, channels) = (width, height, channels)
    samples.withUnsafeBufferPointer { source in
      out.withUnsafeMutableBufferPointer { target in
        for y in 0..<height {
          for x in 0..<width {
            let from = (y * width + x) * channels, to = (x * height + height - 1 - y) * channels
            for channel in 0..<channels { target[to + channel] = source[from + channel] }
          }
        }
      }
    }
    return Raster(width: height, height: width, channels: channels, samples: out)
  }

  /// The luma of the image (ITU-R BT.601 weights, rounded); itself when it is grey already.
  public func grey() -> Raster {
    guard channels == 3 else { return self }
    let pixels = width * height
    let out = [UInt8](unsafeUninitializedCapacity: pixels) { target, count in
      samples.withUnsafeBufferPointer { source in
        guard var from = source.baseAddress, let to = target.baseAddress else { return }
        for pixel in 0..<pixels {
          let sum = UInt32(from[0]) &* 77 &+ UInt32(from[1]) &* 150 &+ UInt32(from[2]) &* 29 &+ 128
          to[pixel] = UInt8(truncatingIfNeeded: sum >> 8)
          from += 3
        }
      }
      count = pixels
    }
    return Raster(width: width, height: height, channels: 1, samples: out)
  }

  /// The part inside `box`, clipped to the image; `nil` when nothing of the box lies inside.
  public func cropped(_ box: PixelBox) -> Raster? {
    let x0 = max(0, box.x), y0 = max(0, box.y)
    let x1 = min(width, box.x + box.width), y1 = min(height, box.y + box.height)
    guard x1 > x0, y1 > y0 else { return nil }
    var out: [UInt8] = []
    out.reserveCapacity((x1 - x0) * (y1 - y0) * channels)
    for y in y0..<y1 {
      out.append(contentsOf: samples[((y * width + x0) * channels)..<((y * width + x1) * channels)])
    }
    return Raster(width: x1 - x0, height: y1 - y0, channels: channels, samples: out)
  }
}

/// A box in pixels of some raster; the origin is its top left corner.
public struct PixelBox: Hashable, Sendable {
  public var x: Int, y: Int, width: Int, height: Int
  public init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

/// A box in fractions 0...1 of an image's width and height; it holds for the image at every size.
public struct FractionBox: Hashable, Sendable {
  public var x: Double, y: Double, width: Double, height: Double
  public init(x: Double, y: Double, width: Double, height: Double) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }
}

/// A point in fractions 0...1 of an image's width (x) and height (y).
public struct FractionPoint: Hashable, Sendable {
  public var x: Double, y: Double
  public init(x: Double, y: Double) { (self.x, self.y) = (x, y) }

  /// The mean of points; `nil` of none.
  public init?(centreOf points: [FractionPoint]) {
    guard !points.isEmpty else { return nil }
    let count = Double(points.count)
    self.init(x: points.reduce(0) { $0 + $1.x } / count, y: points.reduce(0) { $0 + $1.y } / count)
  }

  /// Where a point of a flat rectangle lies that a camera sees with these corners, clockwise from its top left, in what they are
  /// fractions of: under perspective, which of a parallelogram is none.
  ///
  /// *Source*: Heckbert, Fundamentals of Texture Mapping and Image Warping (1989), 2.2.3: the unit square's projective map.
  /// - Returns: the point itself for other than four corners, for four of which three stand in a line, and for what a camera would see
  ///   near its horizon or beyond.
  public func placed(within corners: [FractionPoint]) -> FractionPoint {
    guard corners.count == 4 else { return self }
    let (origin, right, far, down) = (corners[0], corners[1], corners[2], corners[3])
    let bend = (x: origin.x - right.x + far.x - down.x, y: origin.y - right.y + far.y - down.y)
    let along = (x: right.x - far.x, y: right.y - far.y), across = (x: down.x - far.x, y: down.y - far.y)
    let area = along.x * across.y - across.x * along.y
    guard area != 0 else { return self }
    let g = (bend.x * across.y - across.x * bend.y) / area
    let h = (along.x * bend.y - bend.x * along.y) / area
    let depth = g * x + h * y + 1
    guard depth > 0.1 else { return self }
    return FractionPoint(
      x: (origin.x + x * (right.x - origin.x + g * right.x) + y * (down.x - origin.x + h * down.x)) / depth,
      y: (origin.y + x * (right.y - origin.y + g * right.y) + y * (down.y - origin.y + h * down.y)) / depth)
  }

  /// The area of a polygon, given in either sense.
  public static func area(of corners: [FractionPoint]) -> Double {
    let doubled = corners.indices.reduce(0) { sum, index in
      let from = corners[index], to = corners[(index + 1) % corners.count]
      return sum + from.x * to.y - to.x * from.y
    }
    return abs(doubled) / 2
  }

  /// Whether it lies within a convex polygon, given in either sense; in one of fewer than three corners nothing does.
  public func lies(within corners: [FractionPoint]) -> Bool {
    guard corners.count >= 3 else { return false }
    let turns = corners.indices.map { index in
      let from = corners[index], to = corners[(index + 1) % corners.count]
      return (to.x - from.x) * (y - from.y) - (to.y - from.y) * (x - from.x)
    }
    return turns.allSatisfy { $0 > 0 } || turns.allSatisfy { $0 < 0 }
  }
}
