package import CardModel

/// What the payload of a back's barcode says, by its structure alone.
///
/// The reading never sees the expected number: 26 digits hold 14 windows of 13, and choosing the one that equals the
/// expected number would hide every mismatch. Bytes are read, not a decoder's text view, which may show a CR as the
/// four characters `<CR>` and guesses a character set.
package struct BarcodePayload: Sendable, Equatable {
  /// The structure that was recognised.
  package enum Kind: String, Sendable, CaseIterable {
    /// A new card's QR: exactly 26 digits, the number at [12..<25].
    case qr26
    /// The number alone, with or without dashes.
    case plainNumber
    /// An old card's segments: control number, number, family number, date of birth, Urdu text.
    case segmented
    /// Holds something that may be the number, at a place its structure does not settle: never to be trusted.
    case ambiguous
    /// Decoded, and no card's payload.
    case withoutNumber
  }

  package var kind: Kind
  /// The number that the structure gives; `nil` for `ambiguous` and `withoutNumber`.
  package var identityNumber: IdentityNumber?
  /// For `ambiguous` payloads, the likeliest number: to be reported, never compared.
  package var candidate: IdentityNumber?
  /// Further fields by name: `serial`, `trailingDigit` (new); `controlNumber`, `familyNumber`, `dateOfBirth`, `name`,
  /// `fatherName`, `address`, `permanentAddress` (old). Only those that are there.
  package var fields: [String: String]

  package init(
    kind: Kind, identityNumber: IdentityNumber? = nil, candidate: IdentityNumber? = nil, fields: [String: String] = [:]
  ) {
    self.kind = kind
    self.identityNumber = identityNumber
    self.candidate = candidate
    self.fields = fields
  }

  /// Reads a payload.
  /// - Parameter bytes: the exact payload of the symbol; may be empty.
  /// - Parameter symbology: some structures hold in one symbology only: 26 digits are a card's in a QR alone.
  package static func read(_ bytes: [UInt8], symbology: Symbology) -> BarcodePayload {
    let trimmed = PayloadBytes.trimmed(PayloadBytes.withLatinDigits(bytes))
    guard !trimmed.isEmpty else { return BarcodePayload(kind: .withoutNumber) }
    if let number = PayloadBytes.identityNumber(trimmed[...]) {
      return BarcodePayload(kind: .plainNumber, identityNumber: number)
    }
    if trimmed.allSatisfy(PayloadBytes.isDigit) { return readDigits(trimmed, symbology: symbology) }
    return SegmentedPayload.read(trimmed, symbology: symbology) ?? BarcodePayload(kind: .withoutNumber)
  }

  /// A run of digits that is not 13 long.
  private static func readDigits(_ digits: [UInt8], symbology: Symbology) -> BarcodePayload {
    if symbology == .qr, digits.count == 26 {
      guard let number = PayloadBytes.identityNumber(digits[12..<25]) else {
        return BarcodePayload(kind: .withoutNumber)
      }
      let fields = [
        "serial": String(decoding: digits[0..<12], as: UTF8.self),
        "trailingDigit": String(decoding: digits[25..<26], as: UTF8.self),
      ]
      return BarcodePayload(kind: .qr26, identityNumber: number, fields: fields)
    }
    // Overseas cards' Code 128 may hold a few more digits before or after (facts L). Its ends are the likeliest places;
    // which of them is not known. Beyond 26 digits nothing known of any card fits.
    guard (14...26).contains(digits.count) else { return BarcodePayload(kind: .withoutNumber) }
    let candidate = PayloadBytes.identityNumber(digits[..<13]) ?? PayloadBytes.identityNumber(digits.suffix(13))
    guard let candidate else { return BarcodePayload(kind: .withoutNumber) }
    return BarcodePayload(kind: .ambiguous, candidate: candidate)
  }
}
