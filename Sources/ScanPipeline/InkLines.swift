import CardModel

/// Finds lines of print in a part of a grey image by their ink alone, without reading.
enum InkLines {
  /// - Parameter gap: the widest white space inside a line, as a fraction of the image's width.
  /// - Parameter percent: ink is darker than that share of the mean of its neighbourhood.
  /// - Returns: boxes in the image's pixels, top to bottom and left to right, tight to the ink with a small margin.
  static func find(in image: Raster, area: FractionBox, gap: Double, darkerThan percent: Int = 80) -> [PixelBox] {
    let box = PixelBox(
      x: Int(area.x * Double(image.width)), y: Int(area.y * Double(image.height)),
      width: Int(area.width * Double(image.width)), height: Int(area.height * Double(image.height)))
    guard let crop = image.cropped(box) else { return [] }
    let ink = inkMask(crop, darkerThan: percent)
    let minimumHeight = max(6, image.height / 80)
    var lines: [PixelBox] = []
    for rows in runs(projection(ink, crop, alongRows: true), above: 1, closing: 2) where rows.count >= minimumHeight {
      let columns = projection(ink, crop, alongRows: false, rows: rows)
      for span in runs(columns, above: 0, closing: Int(gap * Double(image.width))) where span.count > minimumHeight {
        lines.append(margined(tight(ink, crop, columns: span, rows: rows), crop).moved(by: box))
      }
    }
    return lines
  }

  private static func inkMask(_ image: Raster, darkerThan percent: Int) -> [Bool] {
    let (w, h) = (image.width, image.height)
    let radius = max(8, h / 4)
    return [Bool](unsafeUninitializedCapacity: w * h) { mask, count in
      count = w * h
      var sums = [Int32](repeating: 0, count: (w + 1) * (h + 1))
      sums.withUnsafeMutableBufferPointer { sums in
        image.samples.withUnsafeBufferPointer { samples in
          for y in 0..<h {
            var row: Int32 = 0
            for x in 0..<w {
              row &+= Int32(samples[y * w + x])
              sums[(y + 1) * (w + 1) + x + 1] = sums[y * (w + 1) + x + 1] &+ row
            }
          }
          for y in 0..<h {
            let y0 = max(0, y - radius), y1 = min(h, y + radius + 1)
            let above = y0 * (w + 1), below = y1 * (w + 1)
            for x in 0..<w {
              let x0 = max(0, x - radius), x1 = min(w, x + radius + 1)
              // Sums stay exact modulo 2^32, and a neighbourhood's own sum is far below it.
              let total = sums[below + x1] &- sums[above + x1] &- sums[below + x0] &+ sums[above + x0]
              let area = (y1 - y0) * (x1 - x0)
              mask.initializeElement(at: y * w + x, to: Int(samples[y * w + x]) * area * 100 < Int(total) * percent)
            }
          }
        }
      }
    }
  }

  private static func projection(_ ink: [Bool], _ image: Raster, alongRows: Bool, rows: Range<Int>? = nil) -> [Int] {
    var counts = [Int](repeating: 0, count: alongRows ? image.height : image.width)
    for y in rows ?? 0..<image.height {
      for x in 0..<image.width where ink[y * image.width + x] { counts[alongRows ? y : x] += 1 }
    }
    return counts
  }

  /// Ranges in which the counts stay above `threshold`, gaps of up to `closing` bridged.
  private static func runs(_ counts: [Int], above threshold: Int, closing: Int) -> [Range<Int>] {
    var out: [Range<Int>] = []
    for (i, count) in counts.enumerated() where count > threshold {
      if let last = out.last, i - last.upperBound <= closing {
        out[out.count - 1] = last.lowerBound..<(i + 1)
      } else {
        out.append(i..<(i + 1))
      }
    }
    return out
  }

  private static func tight(_ ink: [Bool], _ image: Raster, columns: Range<Int>, rows: Range<Int>) -> PixelBox {
    var top = rows.upperBound, bottom = rows.lowerBound
    for y in rows where columns.contains(where: { ink[y * image.width + $0] }) {
      top = min(top, y)
      bottom = max(bottom, y)
    }
    return PixelBox(x: columns.lowerBound, y: top, width: columns.count, height: max(1, bottom - top + 1))
  }

  private static func margined(_ box: PixelBox, _ image: Raster) -> PixelBox {
    let margin = max(2, box.height / 5)
    let x = max(0, box.x - margin), y = max(0, box.y - margin)
    return PixelBox(
      x: x, y: y, width: min(image.width, box.x + box.width + margin) - x,
      height: min(image.height, box.y + box.height + margin) - y)
  }
}

extension PixelBox {
  fileprivate func moved(by box: PixelBox) -> PixelBox {
    PixelBox(x: x + box.x, y: y + box.y, width: width, height: height)
  }
}

extension Raster {
  /// Grey alone: the mean of each four pixels; an odd last row or column is left out. Itself where it is smaller than that.
  func greyHalved() -> Raster {
    let (half, low, row) = (width / 2, height / 2, width)
    guard half > 0, low > 0 else { return self }
    let out = [UInt8](unsafeUninitializedCapacity: half * low) { target, count in
      samples.withUnsafeBufferPointer { source in
        guard var from = source.baseAddress, var to = target.baseAddress else { return }
        for _ in 0..<low {
          for x in 0..<half {
            let i = 2 &* x
            let sum = UInt16(from[i]) &+ UInt16(from[i &+ 1]) &+ UInt16(from[i &+ row]) &+ UInt16(from[i &+ row &+ 1])
            to[x] = UInt8(truncatingIfNeeded: (sum &+ 2) >> 2)
          }
          from += 2 * row
          to += half
        }
      }
      count = half * low
    }
    return Raster(width: half, height: low, channels: 1, samples: out)
  }
}
