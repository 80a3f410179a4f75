internal import CardModel
internal import CardReading

/// What has happened to a pair so far; it becomes the pair's record.
struct PairStory {
  let id: String
  var timings: StageTimings
  var details = PairDetails()
  private var events: [ScanEvent] = []
  private var reasons: [Reason] = []
  private(set) var front: FrontCapture?
  private(set) var frontCard: ClassifiedCard?
  private var backCard: ClassifiedCard?
  private(set) var backImage: String?

  init(id: String, timings: StageTimings) {
    self.id = id
    self.timings = timings
  }

  mutating func post(_ event: ScanEvent) {
    events.append(event)
    switch event {
    case .frontSuccess(let image), .backSuccess(let image): keep(image)
    case .launchFailure, .ocrSuccess, .ocrFailure: break
    }
  }

  /// Notes a saved image by its name: iOS's events name none, and whoever reviews or purges must find it.
  private mutating func keep(_ path: String) {
    guard let name = path.split(separator: "/").last.map(String.init), !details.images.contains(name) else { return }
    details.images.append(name)
  }

  mutating func note(_ reason: Reason) {
    if !reasons.contains(reason) { reasons.append(reason) }
  }

  mutating func setAside(_ source: FrameSource, _ reason: Reason) {
    details.setAside.append(SetAsideFrame(side: source.side, file: source.file, page: source.page, reason: reason))
    note(reason)
  }

  mutating func captured(front card: ClassifiedCard, path: String) {
    frontCard = card
    front = FrontCapture(image: path, documentType: card.face.documentType, quality: card.quality)
    details.quality[.front] = card.quality
    post(.frontSuccess(image: path))
  }

  /// The front that was captured, found better: its image stands where the other's did.
  mutating func foundNew(_ card: ClassifiedCard) {
    frontCard = card
    front?.documentType = card.face.documentType
    front?.quality = card.quality
    details.quality[.front] = card.quality
  }

  /// A front from an earlier scan: its event is posted again, its image and data are not made again.
  mutating func adopt(_ capture: FrontCapture) {
    front = capture
    details.quality[.front] = capture.quality
    details.confidence = capture.confidence
    details.boxes = capture.boxes
    details.lifetime = capture.lifetime
    capture.reasons.forEach { note($0) }
    post(.frontSuccess(image: capture.image))
  }

  mutating func captured(back card: ClassifiedCard, path: String, reading: BackReading) {
    backCard = card
    backImage = path
    details.quality[.back] = card.quality
    details.barcode = reading.barcode
    post(.backSuccess(image: path))
    reading.reasons.forEach { note($0) }
  }

  mutating func recognised(_ reading: FrontReading) {
    front?.extractedData = reading.data
    front?.confidence = reading.confidence
    front?.boxes = reading.boxes
    front?.lifetime = reading.lifetime
    front?.reasons = reading.reasons
    details.confidence = reading.confidence
    details.boxes = reading.boxes
    details.lifetime = reading.lifetime
    reading.reasons.forEach { note($0) }
    if reading.data.raw == nil { note(.recognitionEmpty) }
  }

  mutating func addChecks(asOf: CardDate?) {
    let data = front?.extractedData ?? ExtractedData()
    let checks = checkRecord(data: data, barcode: details.barcode, lifetime: details.lifetime, asOf: asOf)
    details.checks.merge(checks) { $1 }
    if checks[.printedNumberMatchesBarcode] == .fail { note(.printedNumberDiffers) }
  }

  /// The type that both sides' evidence makes the likelier one.
  func documentType() -> DocumentType {
    guard let frontType = frontCard?.face.documentType ?? front?.documentType else {
      return backCard?.face.documentType ?? .old
    }
    // The front is what is read, so its type stands, unless looks alone told it and the back's barcode says otherwise.
    guard let backCard, let frontCard, !frontCard.isRead, backCard.isRead else { return frontType }
    return backCard.face.documentType
  }

  private var typesDiffer: Bool {
    guard let front, let backCard else { return false }
    return front.documentType != backCard.face.documentType
  }

  mutating func end(_ outcome: Outcome, posting final: ScanEvent?) -> PairScanner.Scan {
    if let final { post(final) }
    if typesDiffer { note(.documentTypesDiffer) }
    return scan(outcome, capture: nil)
  }

  /// The back must be scanned again; the front is handed on.
  mutating func endForRescan() -> PairScanner.Scan {
    addChecks(asOf: nil)
    return scan(.rescanBack, capture: front)
  }

  private func scan(_ outcome: Outcome, capture: FrontCapture?) -> PairScanner.Scan {
    PairScanner.Scan(
      record: PairRecord(
        id: id, events: events, outcome: outcome, reasons: reasons, details: details, frontCapture: capture),
      front: frontCard?.picture, back: backCard?.picture, timings: timings)
  }
}
