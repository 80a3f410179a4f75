private import CZBar
private import CZXing

/// The versions of the barcode readers in use.
package enum BarcodeVersions {
  /// The libraries by name, e.g. `zxing` and `1.4.0`.
  package static var all: [String: String] {
    var (major, minor, patch): (UInt32, UInt32, UInt32) = (0, 0, 0)
    zbar_version(&major, &minor, &patch)
    return ["zbar": "\(major).\(minor).\(patch)", "zxing": String(cString: czxing_version())]
  }
}
