/// Why specimens could not be drawn or written. None of these depends on what is on a card.
package enum SpecimenFailure: Error, Sendable, Equatable {
  /// The options make no sense; the text says which and what is allowed.
  case invalidOptions(String)
  /// zint refused a payload.
  case barcodeNotEncoded(String)
  /// librsvg could not draw a face: a fault in this module, or a damaged installation.
  case faceNotDrawn
  /// libvips could not encode an image in that format.
  case imageNotEncoded(String)
  /// The folder could not be made or a file in it not be written; the text is the system's reason.
  case cannotWrite(String)
}
