import CardModel
private import CZint

/// A barcode's modules, and the payload they carry.
struct SpecimenBarcode: Sendable {
  var symbology: Symbology
  var payload: [UInt8]
  /// Rows from the top; true is dark. PDF417 rows are to be drawn `rowHeight` modules high.
  var rows: [[Bool]]
  var rowHeight: Double

  var columns: Int { rows.first?.count ?? 0 }

  /// Encodes through zint.
  /// - Parameter columns: data columns of PDF417, ignored for the others.
  /// - Parameter errorLevel: PDF417's error correction, 0...8.
  /// - Throws: `SpecimenFailure.barcodeNotEncoded`.
  init(_ symbology: Symbology, payload: [UInt8], columns: Int = 0, errorLevel: Int = 3) throws(SpecimenFailure) {
    guard let symbol = ZBarcode_Create() else { throw .barcodeNotEncoded("no memory") }
    defer { ZBarcode_Delete(symbol) }
    switch symbology {
    case .qr:
      symbol.pointee.symbology = BARCODE_QRCODE
      symbol.pointee.option_1 = 1
      // Version 1 at level L holds 41 digits or 17 bytes; zint chooses for what is longer.
      let digitsAlone = payload.allSatisfy { (0x30...0x39).contains($0) }
      symbol.pointee.option_2 = payload.count <= (digitsAlone ? 41 : 17) ? 1 : 0
    case .pdf417:
      symbol.pointee.symbology = BARCODE_PDF417
      symbol.pointee.option_1 = Int32(errorLevel)
      symbol.pointee.option_2 = Int32(columns)
    case .code128:
      symbol.pointee.symbology = BARCODE_CODE128
    }
    symbol.pointee.input_mode = DATA_MODE
    let status = ZBarcode_Encode(symbol, payload, Int32(payload.count))
    guard status < ZINT_ERROR else { throw .barcodeNotEncoded("zint says \(status)") }
    let (width, height) = (Int(symbol.pointee.width), Int(symbol.pointee.rows))
    var modules: [[Bool]] = []
    withUnsafeBytes(of: &symbol.pointee.encoded_data) { data in
      let bytesPerRow = 144
      for row in 0..<height {
        var line = [Bool](repeating: false, count: width)
        for column in 0..<width {
          let byte: UInt8 = data[row * bytesPerRow + column / 8]
          line[column] = (byte >> UInt8(column % 8)) & 1 == 1
        }
        modules.append(line)
      }
    }
    rows = modules
    self.symbology = symbology
    self.payload = payload
    rowHeight = symbology == .pdf417 ? 3 : symbology == .code128 ? 40 : 1
  }
}

/// How a payload is put together. `usual` is what cards carry; the others are shapes that readers are to survive.
package enum PayloadShape: String, Sendable, CaseIterable {
  /// 26 digits (QR), CR-separated segments (PDF417), the bare number (Code 128).
  case usual
  /// The number alone, with or without dashes.
  case numberAlone
  /// PDF417 with LF or CRLF, and with the number as second segment.
  case otherSeparators
  /// Code 128 with digits before or after, PDF417 without any delimiter: no trustworthy number, or only if unambiguous.
  case ambiguous
  /// A web address: decodes, holds no number.
  case webAddress
}

extension SpecimenPerson {
  /// A new card's 26 digits: 12 of a serial, the number, and one digit more.
  func digits26(using random: inout SpecimenRandom) -> [UInt8] {
    Array((random.digits(12) + number.digits + random.digits(1)).utf8)
  }

  /// An old card's segments: control number, number, family number, date of birth, Urdu text as low bytes.
  func oldPayload(_ shape: PayloadShape, using random: inout SpecimenRandom) -> [UInt8] {
    let separator: [UInt8] =
      shape == .otherSeparators ? random.pick([[0x0A], [0x0D, 0x0A], [0x0D]]) : shape == .ambiguous ? [] : [0x0D]
    let birth = oldForm(dateOfBirth, "/")
    let stamp =
      "\(dateOfIssue.year)" + two(dateOfIssue.month) + two(dateOfIssue.day) + two(random.whole(8...17))
      + two(random.whole(0...59))
    let letters = Array("ABCDEFGHJKLMNPRSTUVWXYZ")
    let control = "\(random.pick(letters))\(random.digits(1))\(random.pick(letters))\(random.digits(1))\(stamp)"
    var out = Array(control.utf8) + separator
    if shape == .usual, random.chance(0.75) { out += separator }
    out += Array(number.digits.utf8) + separator + Array(familyNumber.utf8) + separator + Array(birth.utf8) + separator
    for text in [nameUrdu, fatherNameUrdu, addressesUrdu[0]] {
      out += text.unicodeScalars.filter { $0.value == 0x20 || (0x600...0x6FF).contains($0.value) }.map {
        UInt8($0.value & 0xFF)
      }
      out += separator
    }
    return out
  }

  /// The date with that separator.
  func oldForm(_ date: CardDate, _ separator: String) -> String {
    two(date.day) + separator + two(date.month) + separator + "\(date.year)"
  }

  private func two(_ value: Int) -> String { value < 10 ? "0\(value)" : "\(value)" }
}
