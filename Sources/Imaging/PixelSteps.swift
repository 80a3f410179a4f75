private import COpenCV
import CardModel

// OpenCV's steps as functions of rasters. A refusal of OpenCV's (it is out of memory) gives nil.

extension Raster {
  enum Sampling {
    case linear, cubic, area

    /// Up to a factor of two, a mean of four neighbours covers what an area average does, in a fifth of the time.
    static func reducing(by long: Int, to short: Int) -> Sampling { long <= 2 * short ? .linear : .area }

    fileprivate var code: Int32 {
      switch self {
      case .linear: Int32(COPENCV_LINEAR.rawValue)
      case .cubic: Int32(COPENCV_CUBIC.rawValue)
      case .area: Int32(COPENCV_AREA.rawValue)
      }
    }
  }

  enum Morphology {
    case dilate, close
    fileprivate var code: Int32 { Int32((self == .dilate ? COPENCV_DILATE : COPENCV_CLOSE).rawValue) }
  }

  func resized(width newWidth: Int, height newHeight: Int, _ sampling: Sampling) -> Raster? {
    make(newWidth, newHeight, channels) { input, output in
      copencv_resize(
        input, Int32(width), Int32(height), Int32(channels), output, Int32(newWidth), Int32(newHeight), sampling.code)
    }
  }

  /// The quad as a whole image; see `copencv_warp_quad`.
  func unwarped(_ quad: Quad, width newWidth: Int, height newHeight: Int, _ sampling: Sampling) -> Raster? {
    let corners = quad.corners.flatMap { [$0.x, $0.y] }
    return make(newWidth, newHeight, channels) { input, output in
      copencv_warp_quad(
        input, Int32(width), Int32(height), Int32(channels), corners, output, Int32(newWidth), Int32(newHeight),
        sampling.code)
    }
  }

  func blurred(sigma: Double) -> Raster? {
    make(width, height, channels) { input, output in
      copencv_gaussian(input, Int32(width), Int32(height), Int32(channels), sigma, output)
    }
  }

  /// Masks of the edges between pixels of any channel, one for each pair of thresholds.
  func edges(_ thresholds: [(low: Double, high: Double)]) -> [Raster] {
    let pairs = thresholds.flatMap { [$0.low, $0.high] }
    let stacked = make(width, height * thresholds.count, 1) { input, output in
      copencv_edges(
        input, Int32(width), Int32(height), Int32(channels), pairs, Int32(thresholds.count), output)
    }
    return thresholds.indices.compactMap { index in
      stacked?.cropped(PixelBox(x: 0, y: index * height, width: width, height: height))
    }
  }

  /// Grey alone: 255 where darker than the neighbourhood's mean by more than `offset`.
  func ink(block: Int, offset: Double) -> Raster? {
    make(width, height, 1) { input, output in
      copencv_adaptive_mean(input, Int32(width), Int32(height), Int32(block), offset, output)
    }.map { mask in
      var inverted = mask
      for i in inverted.samples.indices { inverted.samples[i] = 255 - inverted.samples[i] }
      return inverted
    }
  }

  func distanceFromBorder(margin: Int) -> Raster? {
    make(width, height, 1) { input, output in
      copencv_distance_from_border(input, Int32(width), Int32(height), Int32(margin), output)
    }
  }

  func saturation() -> Raster? {
    make(width, height, 1) { input, output in copencv_saturation(input, Int32(width), Int32(height), output) }
  }

  func morphed(_ operation: Morphology, width kernelWidth: Int, height kernelHeight: Int) -> Raster? {
    make(width, height, 1) { input, output in
      copencv_morphology(
        input, Int32(width), Int32(height), operation.code, Int32(kernelWidth), Int32(kernelHeight), output)
    }
  }

  /// Grey alone: a mask of what is above Otsu's threshold.
  func aboveOtsu() -> Raster {
    let threshold = samples.withUnsafeBufferPointer { copencv_otsu($0.baseAddress, Int32(width), Int32(height)) }
    return above(Int(threshold))
  }

  func above(_ threshold: Int) -> Raster {
    let mask = [UInt8](unsafeUninitializedCapacity: samples.count) { target, count in
      samples.withUnsafeBufferPointer { source in
        let limit = UInt8(clamping: threshold)
        for i in 0..<source.count { target[i] = source[i] > limit ? 255 : 0 }
      }
      count = samples.count
    }
    return Raster(width: width, height: height, channels: 1, samples: mask)
  }

  /// The convex hulls of a mask's contours; see `copencv_hulls`.
  func hulls(minimumArea: Double, tolerance: Double, withHoles: Bool) -> [[Point]] {
    var stream = [Double](repeating: 0, count: 16384)
    let used = samples.withUnsafeBufferPointer { mask in
      copencv_hulls(
        mask.baseAddress, Int32(width), Int32(height), minimumArea, tolerance, withHoles ? 1 : 0, &stream,
        Int32(stream.count))
    }
    var hulls: [[Point]] = []
    var i = 0
    while i < used {
      let count = Int(stream[i])
      hulls.append((0..<count).map { Point(x: stream[i + 1 + 2 * $0], y: stream[i + 2 + 2 * $0]) })
      i += 1 + 2 * count
    }
    return hulls
  }

  /// The smallest rectangles around a mask's contours.
  func rectangles(minimumArea: Double) -> [Quad] {
    var corners = [Double](repeating: 0, count: 8 * 256)
    let count = samples.withUnsafeBufferPointer { mask in
      copencv_rectangles(mask.baseAddress, Int32(width), Int32(height), minimumArea, &corners, 256)
    }
    return (0..<max(0, Int(count))).compactMap { r in
      Quad((0..<4).map { Point(x: corners[r * 8 + 2 * $0], y: corners[r * 8 + 2 * $0 + 1]) })
    }
  }

  /// Grey alone: straight segments of at least that length.
  func segments(minimumLength: Double) -> [(Point, Point)] {
    var ends = [Double](repeating: 0, count: 4 * 4096)
    let count = samples.withUnsafeBufferPointer { grey in
      copencv_segments(grey.baseAddress, Int32(width), Int32(height), minimumLength, &ends, 4096)
    }
    return (0..<max(0, Int(count))).map { i in
      (Point(x: ends[4 * i], y: ends[4 * i + 1]), Point(x: ends[4 * i + 2], y: ends[4 * i + 3]))
    }
  }

  private func make(
    _ newWidth: Int, _ newHeight: Int, _ newChannels: Int,
    _ body: (UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?) -> Int32
  ) -> Raster? {
    guard newWidth > 0, newHeight > 0 else { return nil }
    var status: Int32 = -1
    let out = [UInt8](unsafeUninitializedCapacity: newWidth * newHeight * newChannels) { buffer, count in
      status = samples.withUnsafeBufferPointer { body($0.baseAddress, buffer.baseAddress) }
      // A refusal leaves the buffer unwritten; the result is thrown away below, so zeros will do.
      if status != 0 { buffer.initialize(repeating: 0) }
      count = newWidth * newHeight * newChannels
    }
    return status == 0 ? Raster(width: newWidth, height: newHeight, channels: newChannels, samples: out) : nil
  }
}
