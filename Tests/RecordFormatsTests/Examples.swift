import CardModel

import RecordFormats

/// Made-up values that the tests of the formats share.
enum Examples {
  static let number = IdentityNumber("1234512345671")

  static func data(name: String = "John Doe") -> ExtractedData {
    var data = ExtractedData()
    data.name = name
    data.fatherName = "Richard Doe"
    data.identityNumber = number
    data.dateOfBirth = CardDate("01.01.1990")
    data.dateOfIssue = CardDate("01.01.2020")
    data.dateOfExpiry = CardDate("01.01.2030")
    data.gender = .male
    data.country = "Pakistan"
    data.raw = "Name\n\(name)"
    return data
  }

  static func success(_ mode: ScanMode, type: DocumentType = .new, distance: Int = 0, data: ExtractedData = data())
    -> OcrResult
  {
    OcrResult(
      identityNumber: mode.includesBack ? number : nil,
      frontImage: mode.includesFront ? "/out/images/front_a.png" : nil,
      backImage: mode.includesBack ? "/out/images/back_a.png" : nil, documentType: type,
      distance: mode.includesBack ? distance : nil,
      extractedData: mode.includesFront && type == .new ? data : ExtractedData())
  }

  static func completed(_ mode: ScanMode, id: String = "a", type: DocumentType = .new, distance: Int = 0) -> PairRecord
  {
    var events: [ScanEvent] = []
    if mode.includesFront { events.append(.frontSuccess(image: "/out/images/front_a.png")) }
    if mode.includesBack { events.append(.backSuccess(image: "/out/images/back_a.png")) }
    events.append(.ocrSuccess(success(mode, type: type, distance: distance)))
    let outcome: Outcome = mode == .frontOnly ? .unverified : distance == 0 ? .matched : .mismatched
    var details = details()
    details.expectedNumber = distance == 0 ? number : IdentityNumber("6110100000018")
    return PairRecord(id: id, events: events, outcome: outcome, reasons: [], details: details)
  }

  static func details() -> PairDetails {
    var details = PairDetails()
    details.confidence = [.name: 0.99765, .identityNumber: 1]
    details.boxes = [.name: FractionBox(x: 0.28, y: 0.24, width: 0.2, height: 0.05)]
    details.barcode = BarcodeReading(
      symbology: .pdf417, rung: "unwarped/localAverage", reader: "zxing", identityNumber: number,
      fields: ["familyNumber": "R0X00M"])
    details.checks = [.dateOrder: .pass, .notExpired: .notPerformed, .genderMatchesNumber: .fail]
    details.quality = [
      .front: FrameQuality(
        focus: 0.9, glare: 0, brightness: 0.5, cutOff: 0, cardWidthPixels: 1518, outlineConfidence: 0.99)
    ]
    details.setAside = [SetAsideFrame(side: .front, file: 0, page: 1, reason: .blurred)]
    details.lifetime = true
    details.images = ["front_a.png", "back_a.png"]
    return details
  }

  static func frontCapture() -> FrontCapture {
    FrontCapture(
      image: "/out/images/front_a.png", documentType: .new, extractedData: data(), confidence: [.name: 0.5],
      boxes: [.name: FractionBox(x: 0.1, y: 0.2, width: 0.3, height: 0.4)], lifetime: false,
      quality: FrameQuality(focus: 1, glare: 0, brightness: 0.5, cutOff: 0, cardWidthPixels: 900, outlineConfidence: 1),
      reasons: [.sidesSwapped])
  }

  static let launchFailure = PairRecord(
    id: "a", events: [.launchFailure], outcome: .launchFailure, reasons: [.expectedNumberMissing])
  static let rescan = PairRecord(
    id: "a",
    events: [
      .frontSuccess(image: "/out/images/front_a.png"), .backSuccess(image: "/out/images/back_a.png"), .ocrFailure,
      .ocrFailure,
    ],
    outcome: .rescanBack, reasons: [.barcodeNotFound], frontCapture: frontCapture())
  static let noValidFrame = PairRecord(
    id: "a", events: [.frontSuccess(image: "/out/images/front_a.png")], outcome: .noValidFrame, reasons: [.noBackFrame])
  static let crashed = PairRecord(id: "a", events: [], outcome: .failed, reasons: [.workerCrashed])
  static let withoutSource = PairRecord(id: "a", events: [], outcome: .failed, reasons: [.fileMissing])

  /// One record of every kind of ending.
  static var all: [PairRecord] {
    ScanMode.allCases.map { completed($0) }
      + [completed(.frontAndBack, type: .old), completed(.frontAndBack, distance: 1)]
      + [launchFailure, rescan, noValidFrame, crashed, withoutSource]
  }
}

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
