private import CTesseract

/// The versions of the text recogniser in use.
package enum TextVersions {
  /// The libraries by name, e.g. `tesseract` and `5.3.0`.
  package static var all: [String: String] {
    var versions = ["tesseract": String(cString: TessVersion())]
    if let text = getLeptonicaVersion() {
      // "leptonica-1.82.0"; the string is the caller's.
      versions["leptonica"] = String(cString: text).replacing("leptonica-", with: "")
      lept_free(text)
    }
    return versions
  }
}
