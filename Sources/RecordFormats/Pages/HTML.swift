import CardModel

/// Text made safe for HTML. Everything that comes from a card, a file name or a manifest goes through here.
enum HTML {
  /// The text for an element's content or a quoted attribute. Control characters are shown by their symbols.
  static func escape(_ text: String) -> String {
    var out = ""
    out.reserveCapacity(text.utf8.count + 8)
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x26: out += "&amp;"
      case 0x3C: out += "&lt;"
      case 0x3E: out += "&gt;"
      case 0x22: out += "&quot;"
      case 0x27: out += "&#39;"
      case 0x00...0x08, 0x0B...0x1F:
        if let symbol = Unicode.Scalar(0x2400 + scalar.value) { out.unicodeScalars.append(symbol) }
      case 0x7F...0x9F: out += "\u{FFFD}"
      default: out.unicodeScalars.append(scalar)
      }
    }
    return out
  }

  /// A name in an element that keeps its direction to itself. Marks that turn the reading direction around are shown, not obeyed:
  /// a name must not pass for another.
  static func isolated(_ text: String) -> String {
    var visible = ""
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069:
        visible += "[U+" + String(scalar.value, radix: 16, uppercase: true) + "]"
      default: visible.unicodeScalars.append(scalar)
      }
    }
    return "<bdi>\(escape(visible))</bdi>"
  }

  /// A relative address of a file beside others: the last part of `path` under `folder`; `nil` where there is none.
  static func address(ofFile path: String?, in folder: String) -> String? {
    guard let name = path?.split(separator: "/").last, name != "..", name != "." else { return nil }
    var encoded = ""
    for byte in name.utf8 {
      let isPlain = (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
      if isPlain || [0x2D, 0x2E, 0x5F].contains(byte) {
        encoded.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        let hex = String(byte, radix: 16, uppercase: true)
        encoded += "%" + (hex.count < 2 ? "0" : "") + hex
      }
    }
    return folder + "/" + encoded
  }

  /// A JSON value for a `script` element of type `application/json`: no `<` stands in it, so that nothing closes the element.
  static func embedded(_ value: JSONValue) -> String { JSONWriter.text(value).replacing("<", with: "\\u003c") }
}

/// Identity data as it is shown where nobody needs to read it.
enum Masking {
  /// The initials of a name, `J. D.`; empty where there is none.
  static func initials(_ name: String?) -> String {
    guard let name else { return "" }
    return name.split(whereSeparator: \.isWhitespace).compactMap(\.first).prefix(4).map { "\($0)." }.joined(
      separator: " ")
  }

  /// A text, e.g. a pair's id, whose numbers of 13 digits (dashes, dots, blanks and underscores may divide them) are masked.
  static func numbers(in text: String) -> String {
    var out: [Unicode.Scalar] = []
    var run: [Unicode.Scalar] = []
    let dividers: Set<Unicode.Scalar> = ["-", "_", ".", " "]
    func digits(_ scalars: [Unicode.Scalar]) -> Int { scalars.count { IdentityNumber.decimalDigit($0) != nil } }
    func flush() {
      // Only whole numbers are masked; 13 digits or more may be one with a prefix.
      guard digits(run) >= 13 else {
        out += run
        run = []
        return
      }
      var seen = 0
      let last = digits(run) - 1
      for scalar in run {
        guard IdentityNumber.decimalDigit(scalar) != nil else {
          out.append(scalar)
          continue
        }
        out.append(seen < 5 || seen == last ? scalar : "*")
        seen += 1
      }
      run = []
    }
    for scalar in text.unicodeScalars {
      let belongs = IdentityNumber.decimalDigit(scalar) != nil || (!run.isEmpty && dividers.contains(scalar))
      if belongs {
        run.append(scalar)
      } else {
        flush()
        out.append(scalar)
      }
    }
    flush()
    var view = String.UnicodeScalarView()
    view.append(contentsOf: out)
    return String(view)
  }
}
