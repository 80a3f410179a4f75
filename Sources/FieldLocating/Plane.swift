package import CardModel

/// A grey image whose pixels are reached quickly; the working form of everything in this module.
///
/// *Shape*: `values.count == width * height`, rows from the top.
package struct Plane: Sendable, Equatable {
  package let width: Int
  package let height: Int
  package var values: [UInt8]

  package init(width: Int, height: Int, values: [UInt8]) {
    precondition(values.count == width * height, "values must fill the plane exactly")
    (self.width, self.height, self.values) = (width, height, values)
  }

  /// The luma of an image, resized: the mean of the pixels under each when reduced, linear between them when enlarged.
  package init(_ image: Raster, width: Int, height: Int) {
    let grey = image.grey()
    self = Plane(width: grey.width, height: grey.height, values: grey.samples).resized(width: width, height: height)
  }

  /// The plane at another size; itself when that is its own.
  package func resized(width target: Int, height targetHeight: Int) -> Plane {
    guard target != width || targetHeight != height else { return self }
    let across = ResizeTaps(from: width, to: target)
    let down = ResizeTaps(from: height, to: targetHeight)
    // 8 bits of fraction are kept between the passes: 255 * 256 fits 16 bits, and times 65536 it fits 32.
    var rows = [UInt16](repeating: 0, count: target * height)
    var out = [UInt8](repeating: 0, count: target * targetHeight)
    values.withUnsafeBufferPointer { source in
      rows.withUnsafeMutableBufferPointer { rows in
        across.withTaps { firsts, starts, weights in
          for y in 0..<height {
            let line = y * width
            for x in 0..<target {
              var sum: UInt32 = 0
              var from = line + firsts[x]
              for i in starts[x]..<starts[x + 1] {
                sum &+= UInt32(source[from]) &* weights[i]
                from &+= 1
              }
              rows[y * target + x] = UInt16(truncatingIfNeeded: sum >> 8)
            }
          }
        }
        out.withUnsafeMutableBufferPointer { out in
          down.withTaps { firsts, starts, weights in
            for y in 0..<targetHeight {
              for x in 0..<target {
                var sum: UInt32 = 1 << 23
                var from = firsts[y] * target + x
                for i in starts[y]..<starts[y + 1] {
                  sum &+= UInt32(rows[from]) &* weights[i]
                  from &+= target
                }
                out[y * target + x] = UInt8(truncatingIfNeeded: sum >> 24)
              }
            }
          }
        }
      }
    }
    return Plane(width: target, height: targetHeight, values: out)
  }

  /// The part inside a box that lies inside the plane.
  package func cropped(_ box: PixelBox) -> Plane {
    var out: [UInt8] = []
    out.reserveCapacity(box.width * box.height)
    for y in box.y..<(box.y + box.height) {
      out.append(contentsOf: values[(y * width + box.x)..<(y * width + box.x + box.width)])
    }
    return Plane(width: box.width, height: box.height, values: out)
  }

  package var raster: Raster { Raster(width: width, height: height, channels: 1, samples: values) }
}

/// Which source pixels make each target pixel of one resized axis, and their shares of 65536.
private struct ResizeTaps {
  private var firsts: [Int] = []
  private var starts: [Int] = [0]
  private var weights: [UInt32] = []

  init(from source: Int, to target: Int) {
    let step = Double(source) / Double(target)
    let support = max(1, step) / 2
    for index in 0..<target {
      let centre = min(Double(source - 1), max(0, (Double(index) + 0.5) * step - 0.5))
      let first = max(0, Int((centre - support).rounded()))
      let last = min(source - 1, Int((centre + support).rounded()))
      var shares = (first...last).map { position in
        max(0, min(Double(position) + 0.5, centre + support) - max(Double(position) - 0.5, centre - support))
      }
      let total = shares.reduce(0, +)
      shares = shares.map { $0 / total }
      var rest: UInt32 = 65536
      for share in shares.dropLast() {
        let weight = min(rest, UInt32((share * 65536).rounded()))
        weights.append(weight)
        rest -= weight
      }
      weights.append(rest)
      firsts.append(first)
      starts.append(weights.count)
    }
  }

  /// Gives the first source pixel of each target, where its weights start (one more than there are targets), and the weights.
  func withTaps(
    _ body: (UnsafeBufferPointer<Int>, UnsafeBufferPointer<Int>, UnsafeBufferPointer<UInt32>) -> Void
  ) {
    firsts.withUnsafeBufferPointer { firsts in
      starts.withUnsafeBufferPointer { starts in weights.withUnsafeBufferPointer { body(firsts, starts, $0) } }
    }
  }
}
