import CardModel
import FieldLocating

/// Further views of a line whose first readings left a doubt.
///
/// The networks see a line in columns three pixels wide, of which a narrow letter has one or two: what such a letter is read
/// as hangs on where the columns fall. So the views differ in width, and in how sharp the strokes are.
enum FurtherViews {
  static func of(_ line: LocatedLine) -> [Raster] {
    [
      widened(line.image, percent: 125), widened(line.secondView, percent: 120), filtered(line.image, .softer),
      filtered(line.image, .sharper),
    ]
  }

  private static func widened(_ image: Raster, percent: Int) -> Raster {
    let width = image.width * percent / 100 + 1
    return Plane(image, width: width, height: image.height).raster
  }

  enum Filter { case softer, sharper }

  /// The image blurred by 3 x 3 binomial weights, or as much sharper than it is. The outermost pixels stay as they are.
  static func filtered(_ image: Raster, _ filter: Filter) -> Raster {
    let grey = image.grey()
    let width = grey.width
    var samples = grey.samples
    guard width > 2, grey.height > 2 else { return grey }
    grey.samples.withUnsafeBufferPointer { source in
      for y in 1..<(grey.height - 1) {
        for x in 1..<(width - 1) {
          let at = y * width + x
          func column(_ at: Int) -> Int { Int(source[at - width]) + 2 * Int(source[at]) + Int(source[at + width]) }
          let soft = (column(at - 1) + 2 * column(at) + column(at + 1) + 8) / 16
          let value = filter == .softer ? soft : 2 * Int(source[at]) - soft
          samples[at] = UInt8(min(255, max(0, value)))
        }
      }
    }
    return Raster(width: width, height: grey.height, channels: 1, samples: samples)
  }
}
