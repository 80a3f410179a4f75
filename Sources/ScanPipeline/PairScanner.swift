package import CardModel
internal import CardReading

/// Scans one pair: ingest, normalise, classify, recognise the front, decode the back, compare, emit.
///
/// It plays the SDK's flow over files: each file page is a camera frame; frames that show no valid side are set aside
/// with a reason and the next is tried. It never throws: whatever happens to a pair is its record. It holds engines
/// that serve one pair at a time, so each worker has its own.
package struct PairScanner {
  /// What is the same for every pair of a run.
  package struct Settings: Sendable, Equatable {
    package var limits: ImageLimits
    /// The day for the validity check; `nil` leaves it unperformed.
    package var asOf: CardDate?
    package init(limits: ImageLimits = ImageLimits(), asOf: CardDate? = nil) {
      self.limits = limits
      self.asOf = asOf
    }
  }

  /// A scanned pair: its record, and the captured cards for deliveries that carry the images themselves.
  package struct Scan {
    package var record: PairRecord
    package var front: CardPicture?
    package var back: CardPicture?
    package var timings: StageTimings
  }

  let imaging: any CardImaging
  let frontReader: any FrontReadingCard
  let backReader: any BackReadingCard
  let images: any ImageStoring
  let settings: Settings
  let clock: @Sendable () -> UInt64

  /// - Parameter clock: nanoseconds that only grow; CPU time of the thread makes timings that other load leaves alone.
  package init(
    imaging: any CardImaging, front: any FrontReadingCard, back: any BackReadingCard, images: any ImageStoring,
    settings: Settings, clock: @escaping @Sendable () -> UInt64
  ) {
    self.imaging = imaging
    self.frontReader = front
    self.backReader = back
    self.images = images
    self.settings = settings
    self.clock = clock
  }

  /// The story of one pair.
  package func scan(_ request: PairRequest) -> Scan {
    var story = PairStory(id: request.id, timings: StageTimings(clock: clock))

    // Launch: without a number to expect there is no scan.
    guard let expected = launchNumber(request, &story) else {
      return story.end(.launchFailure, posting: .launchFailure)
    }
    story.details.expectedNumber = expected

    // Ingest, normalise, classify: the first valid frame of each side.
    var frames = FrameQueue(
      request: request, imaging: imaging, classifier: CardClassifier(front: frontReader, back: backReader),
      limits: settings.limits)

    if request.scanMode.includesFront {
      guard captureFront(request, &frames, &story) else { return endWithoutFrame(.front, frames, &story) }
    }
    if request.scanMode.includesBack {
      switch captureBack(request, &frames, &story) {
      case .read: break
      case .withoutNumber:
        readFront(request, frames, &story)
        return story.endForRescan()
      case .noFrame: return endWithoutFrame(.back, frames, &story)
      }
    }

    // Recognise the front; the barcode's number may confirm a printed one and never changes it.
    readFront(request, frames, &story)

    // Compare and emit.
    let number = story.details.barcode?.identityNumber
    let distance = number.map { compare(barcode: $0, expected: expected) }
    story.addChecks(asOf: settings.asOf)
    let result = OcrResult(
      identityNumber: number, frontImage: story.front?.image, backImage: story.backImage,
      documentType: story.documentType(), distance: distance,
      extractedData: story.front?.extractedData ?? ExtractedData())
    let outcome: Outcome = distance.map { $0 == 0 ? .matched : .mismatched } ?? .unverified
    return story.end(outcome, posting: .ocrSuccess(result))
  }

  // MARK: Steps

  private func launchNumber(_ request: PairRequest, _ story: inout PairStory) -> IdentityNumber? {
    guard let text = request.expectedNumber, text.contains(where: { !$0.isWhitespace }) else {
      story.note(.expectedNumberMissing)
      return nil
    }
    guard let number = IdentityNumber(text) else {
      story.note(.expectedNumberInvalid)
      return nil
    }
    return number
  }

  /// - Returns: whether a front was captured (FRONT_SUCCESS is then posted).
  private func captureFront(_ request: PairRequest, _ frames: inout FrameQueue, _ story: inout PairStory) -> Bool {
    if let reused = request.reusedFront {
      story.adopt(reused)
      return true
    }
    while let card = frames.next(.front, &story) {
      guard let path = saved(card, as: .front, request, &story) else { continue }
      story.captured(front: card, path: path)
      return true
    }
    return false
  }

  private enum BackCapture { case read, withoutNumber, noFrame }

  /// Tries back frames until one gives a number: BACK_SUCCESS for each, OCR_FAILURE for each without a number.
  private func captureBack(_ request: PairRequest, _ frames: inout FrameQueue, _ story: inout PairStory) -> BackCapture
  {
    var capture = BackCapture.noFrame
    while let card = frames.next(.back, &story) {
      guard let path = saved(card, as: .back, request, &story) else { continue }
      let reading =
        card.back
        ?? story.timings.measure(.decode) {
          backReader.read(card.image, likely: card.face == .oldBack ? [.pdf417] : [.qr])
        }
      story.captured(back: card, path: path, reading: reading)
      if let barcode = reading.barcode, barcode.identityNumber != nil {
        // What is printed is looked for at its place on the card; a page read as a whole has no such places.
        guard !card.isWholePage else { return .read }
        story.details.checks.merge(
          story.timings.measure(.check) { backReader.printedChecks(card.image, face: card.face, barcode: barcode) }
        ) { $1 }
        return .read
      }
      story.post(.ocrFailure)
      capture = .withoutNumber
    }
    return capture
  }

  /// Recognition runs for new cards only; an old card's data stay empty.
  private func readFront(_ request: PairRequest, _ frames: FrameQueue, _ story: inout PairStory) {
    guard let captured = story.frontCard, story.documentType() == .new else { return }
    let front = frames.newFront(insteadOf: captured, &story.timings)
    // It takes the place of what was captured: its image too.
    if let front, saved(front, as: .front, request, &story) != nil { story.foundNew(front) }
    let card = story.frontCard ?? captured
    let number = story.details.barcode?.identityNumber
    let reading = story.timings.measure(.recognise) {
      frontReader.decide(card.front ?? frontReader.observe(card.image), barcodeNumber: number)
    }
    story.recognised(reading)
  }

  private func saved(
    _ card: ClassifiedCard, as side: CardSide, _ request: PairRequest, _ story: inout PairStory
  ) -> String? {
    do throws(ImageFailure) {
      return try story.timings.measure(.save) { () throws(ImageFailure) in
        try images.save(
          card.picture, as: side, pair: request.id, source: card.source, widthPixels: request.imageWidthPixels)
      }
    } catch {
      story.setAside(card.source, error.reason)
      return nil
    }
  }

  /// No final event: the record says why. A side whose every frame was a file that cannot be used has failed; a frame
  /// that was looked at and not valid makes it `noValidFrame`.
  private func endWithoutFrame(_ side: CardSide, _ frames: FrameQueue, _ story: inout PairStory) -> Scan {
    let tried = story.details.setAside.filter { $0.side == side }
    let onlyBadFiles = !tried.isEmpty && tried.allSatisfy { $0.reason.isOfFile }
    if !onlyBadFiles { story.note(side == .front ? .noFrontFrame : .noBackFrame) }
    return story.end(onlyBadFiles ? .failed : .noValidFrame, posting: nil)
  }
}

extension Reason {
  /// Whether it says that a file could not be used, as against what an image shows.
  package var isOfFile: Bool {
    switch self {
    case .fileMissing, .fileUnreadable, .fileEmpty, .fileTooLarge, .tooManyPixels, .tooManyPages, .formatNotAllowed,
      .imageDamaged, .fileChanged, .pathOutsideInput, .notARegularFile, .permissionDenied, .outputNotWritten:
      true
    default: false
    }
  }
}
