/// An SVG document under construction, in units of a card at 300 dpi (1012 x 638).
struct SVGDrawing: Sendable {
  static let width = 1012.0
  static let height = 638.0

  private(set) var body = ""

  /// The document at that size in pixels.
  func document(width: Int, height: Int) -> String {
    """
    <svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="\(width)" height="\(height)" \
    viewBox="0 0 1012 638" preserveAspectRatio="none">\(body)</svg>
    """
  }

  mutating func add(_ markup: String) { body += markup }

  mutating func rectangle(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, fill: String, radius: Double = 0, extra: String = ""
  ) {
    let round = radius > 0 ? " rx=\"\(Self.decimal(radius))\"" : ""
    body +=
      "<rect x=\"\(Self.decimal(x))\" y=\"\(Self.decimal(y))\" width=\"\(Self.decimal(width))\""
      + " height=\"\(Self.decimal(height))\"\(round) fill=\"\(fill)\" \(extra)/>"
  }

  mutating func ellipse(_ x: Double, _ y: Double, _ rx: Double, _ ry: Double, fill: String, extra: String = "") {
    body +=
      "<ellipse cx=\"\(Self.decimal(x))\" cy=\"\(Self.decimal(y))\" rx=\"\(Self.decimal(rx))\" ry=\"\(Self.decimal(ry))\""
      + " fill=\"\(fill)\" \(extra)/>"
  }

  mutating func line(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double, stroke: String, width: Double) {
    path([(x1, y1), (x2, y2)], stroke: stroke, width: width)
  }

  /// A line through those points.
  mutating func path(
    _ points: [(Double, Double)], stroke: String, width: Double, fill: String = "none", closed: Bool = false,
    extra: String = ""
  ) {
    guard let first = points.first else { return }
    var data = "M\(Self.decimal(first.0)) \(Self.decimal(first.1))"
    for point in points.dropFirst() { data += "L\(Self.decimal(point.0)) \(Self.decimal(point.1))" }
    if closed { data += "Z" }
    body +=
      "<path d=\"\(data)\" fill=\"\(fill)\" stroke=\"\(stroke)\" stroke-width=\"\(Self.decimal(width))\" \(extra)/>"
  }

  /// A line of Latin text from its left end (`anchor` start), centre (middle) or right end (end).
  mutating func text(
    _ text: String, _ x: Double, _ baseline: Double, size: Double, family: String, weight: Int = 400, fill: String,
    anchor: String = "start", extra: String = ""
  ) {
    body +=
      "<text x=\"\(Self.decimal(x))\" y=\"\(Self.decimal(baseline))\" font-size=\"\(Self.decimal(size))\""
      + " font-family=\"\(family)\" font-weight=\"\(weight)\" fill=\"\(fill)\" text-anchor=\"\(anchor)\" \(extra)"
      + ">\(Self.escaped(text))</text>"
  }

  /// A line of Urdu text that ends (on its left) wherever it must and starts at `right`.
  mutating func urdu(
    _ text: String, right: Double, _ baseline: Double, size: Double, family: String, weight: Int = 400, fill: String
  ) {
    self.text(
      text, right, baseline, size: size, family: family, weight: weight, fill: fill, anchor: "start",
      extra: "direction=\"rtl\" xml:lang=\"ur\"")
  }

  /// A barcode's dark modules as one path; `width` is that of the whole symbol, without quiet zone.
  mutating func barcode(_ code: SpecimenBarcode, _ x: Double, _ y: Double, width: Double, height: Double, fill: String)
  {
    let (moduleWidth, moduleHeight) = (width / Double(code.columns), height / Double(code.rows.count))
    var data = ""
    for (row, modules) in code.rows.enumerated() {
      var column = 0
      while column < modules.count {
        guard modules[column] else {
          column += 1
          continue
        }
        let start = column
        while column < modules.count, modules[column] { column += 1 }
        data +=
          "M\(Self.decimal(x + Double(start) * moduleWidth, 3)) \(Self.decimal(y + Double(row) * moduleHeight, 3))"
        data += "h\(Self.decimal(Double(column - start) * moduleWidth, 3))v\(Self.decimal(moduleHeight, 3))"
        data += "h\(Self.decimal(-Double(column - start) * moduleWidth, 3))z"
      }
    }
    body += "<path d=\"\(data)\" fill=\"\(fill)\"/>"
  }

  /// `#rrggbb` of 0...255 channels.
  static func colour(_ red: Double, _ green: Double, _ blue: Double) -> String {
    let digits = Array("0123456789abcdef")
    var text = "#"
    for value in [red, green, blue] {
      let byte = Int(max(0, min(255, value)))
      text.append(digits[byte >> 4])
      text.append(digits[byte & 15])
    }
    return text
  }

  /// A number with at most that many decimals, written the same on every machine.
  static func decimal(_ value: Double, _ places: Int = 2) -> String {
    let scale = places == 3 ? 1000 : 100
    let scaled = Int((abs(value) * Double(scale)).rounded())
    let fraction = String(scaled % scale)
    let sign = value < 0 && scaled != 0 ? "-" : ""
    if scaled % scale == 0 { return sign + String(scaled / scale) }
    return sign + "\(scaled / scale)." + String(repeating: "0", count: places - fraction.count) + fraction
  }

  private static func escaped(_ text: String) -> String {
    var out = ""
    for character in text {
      switch character {
      case "<": out += "&lt;"
      case ">": out += "&gt;"
      case "&": out += "&amp;"
      default: out.append(character)
      }
    }
    return out
  }
}
