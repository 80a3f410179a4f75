package import CardModel

/// Whether a frame can be read at all, from its quality. The bounds are loose: they refuse what reading was measured to
/// fail on, never what merely looks bad, since a frame that is set aside is lost to its pair.
package enum FrameAcceptance {
  /// - Returns: the reason for which the frame is set aside, `nil` where it is to be read.
  package static func refusal(of quality: FrameQuality) -> Reason? {
    if quality.cardWidthPixels < 260 { return .tooSmall }
    if quality.brightness < 0.06 { return .tooDark }
    if quality.cutOff > 0.12 { return .cutOff }
    if quality.glare > 0.45 { return .glare }
    // Measured: cards at every level, `hard` included, have 0.53 and more; blurred by 4 pixels at a width of 1012 0.32 to 0.38;
    // by 6, where no line can be read, 0.27 to 0.30.
    if quality.focus < 0.305 { return .blurred }
    return nil
  }
}
