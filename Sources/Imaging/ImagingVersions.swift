private import COpenCV
private import CVips

/// The versions of the image libraries in use.
package enum ImagingVersions {
  /// The libraries by name, e.g. `vips` and `8.14.1`.
  package static var all: [String: String] {
    ["opencv": String(cString: copencv_version()), "vips": String(cString: cvips_version())]
  }
}
