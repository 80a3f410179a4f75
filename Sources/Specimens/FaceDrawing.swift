import CardModel
private import CSpecimens

/// A printed value, before it is known how wide it comes out.
struct ValueText: Sendable {
  var field: FieldName
  var text: String
  /// Left end and baseline in drawing units.
  var x: Double
  var baseline: Double
  var size: Double
  var widthLimit: Double
  /// Whether it may go on in a second line.
  var mayWrap = false
}

/// A face as drawn: an SVG document, and where on it things stand.
struct FaceDrawing: Sendable {
  var drawing = SVGDrawing()
  /// The ink of each printed value, in fractions of the card; a wrapped value has one box round both lines.
  var valueBoxes: [FieldName: FractionBox] = [:]
  var barcode: SpecimenBarcode?
  /// The symbol without its quiet zone.
  var barcodeBox: FractionBox?

  /// Draws the face that many pixels wide.
  /// - Throws: `SpecimenFailure.faceNotDrawn`.
  func raster(widthPixels: Int, heightPixels: Int) throws(SpecimenFailure) -> Raster {
    let rgba = try drawing.render(width: widthPixels, height: heightPixels)
    var rgb = [UInt8](repeating: 255, count: widthPixels * heightPixels * 3)
    cspecimens_lay_over(&rgb, rgba, Int32(widthPixels), Int32(heightPixels))
    return Raster(width: widthPixels, height: heightPixels, channels: 3, samples: rgb)
  }

  /// Says on a face without a portrait that it is a specimen.
  mutating func markSpecimen(_ x: Double, _ baseline: Double) {
    drawing.text(
      "SPECIMEN", x, baseline, size: 17, family: "Liberation Sans", weight: 700, fill: "#b01818",
      extra: "fill-opacity=\"0.75\" letter-spacing=\"2\"")
  }

  /// Writes the values, made narrower or wrapped where they would run over their limit, and notes their boxes.
  mutating func print(_ values: [ValueText], _ printing: Printing, using random: inout SpecimenRandom)
    throws(SpecimenFailure)
  {
    var settled: [ValueText] = []
    for (value, box) in zip(values, try Self.measure(values, printing)) {
      var value = value
      let excess = box.width / value.widthLimit
      if excess <= 1 {
        settled.append(value)
        continue
      }
      if value.mayWrap, excess > 1.35 || random.chance(0.5), let (first, second) = Self.halves(of: value.text) {
        value.size *= min(1, 1.5 / excess)
        var rest = value
        value.text = first
        rest.text = second
        rest.baseline += value.size * 1.12
        settled += [value, rest]
      } else {
        value.size /= excess
        settled.append(value)
      }
    }
    // A half may still be too wide; then it is made narrower without more ado.
    for (index, box) in try Self.measure(settled, printing).enumerated() where box.width > settled[index].widthLimit {
      settled[index].size *= settled[index].widthLimit / box.width
    }
    for (value, ink) in zip(settled, try Self.measure(settled, printing)) {
      drawing.text(
        value.text, value.x, value.baseline, size: value.size, family: printing.family, weight: printing.weight,
        fill: printing.ink)
      let box = FractionBox(
        x: (value.x + ink.x) / SVGDrawing.width, y: (value.baseline + ink.y) / SVGDrawing.height,
        width: ink.width / SVGDrawing.width, height: ink.height / SVGDrawing.height)
      valueBoxes[value.field] = valueBoxes[value.field].map { $0.united(with: box) } ?? box
    }
  }

  /// Where the ink of each value stands relative to its origin, in drawing units: all are drawn once on a sheet of their own.
  private static func measure(_ values: [ValueText], _ printing: Printing) throws(SpecimenFailure) -> [FractionBox] {
    let rows = 12, pitch = SVGDrawing.height / Double(rows), margin = 8.0
    let pixels = (width: 1012, height: 638)
    var boxes: [FractionBox] = []
    var start = 0
    while start < values.count {
      let sheet = values[start..<min(values.count, start + rows)]
      var drawing = SVGDrawing()
      for (row, value) in sheet.enumerated() {
        drawing.text(
          value.text, margin, (Double(row) + 0.7) * pitch, size: value.size, family: printing.family,
          weight: printing.weight,
          fill: "#000")
      }
      let rgba = try drawing.render(width: pixels.width, height: pixels.height)
      for (row, value) in sheet.enumerated() {
        var box: [Int32] = [0, 0, 0, 0]
        let (top, bottom) = (Int32(Double(row) * pitch), Int32(Double(row + 1) * pitch))
        let empty = cspecimens_ink_box(rgba, 1012, 638, 0, top, 1012, bottom, &box)
        guard empty == 0 else { throw .faceNotDrawn }
        // Ink that ends at the sheet's edge ran over it; letters are then taken to be as wide as half their size.
        let width = box[2] >= 1010 ? Double(value.text.count) * value.size * 0.58 : Double(box[2] - box[0])
        boxes.append(
          FractionBox(
            x: Double(box[0]) - margin, y: Double(box[1]) - (Double(row) + 0.7) * pitch, width: width,
            height: Double(box[3] - box[1])))
      }
      start += rows
    }
    return boxes
  }

  private static func halves(of text: String) -> (String, String)? {
    let words = text.split(separator: " ")
    guard words.count > 1 else { return nil }
    let split = (1..<words.count).min { a, b in
      abs(words[..<a].joined().count - words[a...].joined().count)
        < abs(words[..<b].joined().count - words[b...].joined().count)
    }
    return split.map { (words[..<$0].joined(separator: " "), words[$0...].joined(separator: " ")) }
  }
}

extension SVGDrawing {
  /// Premultiplied RGBA.
  func render(width: Int, height: Int) throws(SpecimenFailure) -> [UInt8] {
    guard Typefaces.ready else { throw .faceNotDrawn }
    var rgba = [UInt8](repeating: 0, count: width * height * 4)
    var text = document(width: width, height: height)
    let status = text.withUTF8 { bytes in
      bytes.withMemoryRebound(to: CChar.self) {
        cspecimens_render_svg($0.baseAddress, $0.count, Int32(width), Int32(height), &rgba)
      }
    }
    guard status == 0 else { throw .faceNotDrawn }
    return rgba
  }
}

extension FractionBox {
  func united(with other: FractionBox) -> FractionBox {
    let (left, top) = (min(x, other.x), min(y, other.y))
    let (right, bottom) = (max(x + width, other.x + other.width), max(y + height, other.y + other.height))
    return FractionBox(x: left, y: top, width: right - left, height: bottom - top)
  }
}
