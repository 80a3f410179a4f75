package import CardModel

// The vocabularies in words, for the report, the review pages and the printed table.

extension Outcome {
  /// How the pair ended, in words.
  package var plainText: String {
    switch self {
    case .matched: "The number on the card is the expected one"
    case .mismatched: "The number on the card is not the expected one"
    case .unverified: "Front only: nothing was compared"
    case .rescanBack: "The back must be scanned again"
    case .launchFailure: "No expected number was given"
    case .noValidFrame: "No usable image of a side"
    case .failed: "The pair could not be read"
    }
  }
}

extension Check {
  /// What the check holds against each other, in words; `failed` says what a failure means.
  package var plainText: String {
    switch self {
    case .printedNumberMatchesBarcode: "Number printed on the front = number in the barcode"
    case .backNumberMatchesBarcode: "Number printed on the back = number in the barcode"
    case .genderMatchesNumber: "Gender fits the number's last digit"
    case .dateOrder: "Birth before issue before expiry"
    case .notExpired: "Card not expired"
    case .numberFormat: "Number's form and region"
    case .barcodeBirthDateMatches: "Birth date in the barcode = printed one"
    case .machineReadableZone: "Machine-readable zone and its check digits"
    }
  }
}

extension FieldName {
  /// The field's label, in words.
  package var plainText: String {
    switch self {
    case .name: "Name"
    case .fatherName: "Father's name"
    case .identityNumber: "Identity number"
    case .dateOfBirth: "Date of birth"
    case .dateOfIssue: "Date of issue"
    case .dateOfExpiry: "Date of expiry"
    case .gender: "Gender"
    case .country: "Country of stay"
    }
  }
}

extension Reason {
  /// What the code means and what to do about it, in a sentence or two.
  package var plainText: String {
    remedy.isEmpty ? explanation : "\(explanation): \(remedy)"
  }

  /// What the code means.
  package var explanation: String {
    switch self {
    case .expectedNumberMissing: "no expected number was given"
    case .expectedNumberInvalid: "the expected number is not a CNIC number"
    case .noCardFound: "no card was found on the image"
    case .wrongSide: "the image shows the other side of the card"
    case .sideUnknown: "it cannot be told which side of the card the image shows"
    case .blurred: "the image is blurred"
    case .tooDark: "the image is too dark"
    case .glare: "light glares over the card"
    case .tooSmall: "the card is too small on the image"
    case .cutOff: "a part of the card lies outside the image"
    case .severalPersonsOnPage: "the page shows cards of several persons"
    case .duplicateFrame: "the same image was given twice"
    case .fileMissing: "the file is not there"
    case .fileUnreadable: "the file cannot be read"
    case .fileEmpty: "the file is empty"
    case .fileTooLarge: "the file is larger than allowed"
    case .tooManyPixels: "the image has more pixels than allowed"
    case .tooManyPages: "the file has more pages than allowed"
    case .formatNotAllowed: "the file's format is not accepted"
    case .imageDamaged: "the image file is damaged"
    case .fileChanged: "the file changed while it was read"
    case .pathOutsideInput: "the path leads out of the input folder"
    case .notARegularFile: "the path is not a regular file"
    case .permissionDenied: "the file may not be read by this user"
    case .barcodeNotFound: "no barcode could be read on the back"
    case .barcodeWithoutNumber: "the barcode holds no identity number"
    case .barcodeAmbiguous: "the barcode could hold more than one identity number"
    case .noFrontFrame: "no usable image of the front"
    case .noBackFrame: "no usable image of the back"
    case .sidesSwapped: "front and back were given the wrong way round and were put right"
    case .documentTypeUnknown: "it cannot be told whether the card is a new or an old one"
    case .documentTypesDiffer: "front and back are of cards of different types"
    case .recognitionEmpty: "no text could be read on the front"
    case .printedNumberDiffers: "the number printed on the front is not the barcode's"
    case .timeLimit: "reading took longer than allowed"
    case .workerCrashed: "the reader crashed on this pair, twice"
    case .memoryLimit: "reading needed more memory than allowed"
    case .outputNotWritten: "an image could not be saved"
    case .invalidRequest: "the request is not one that the reader understands"
    case .internalError: "the program made a mistake"
    }
  }

  /// What a person can do; empty where there is nothing to do.
  package var remedy: String {
    switch self {
    case .expectedNumberMissing, .expectedNumberInvalid: "put the 13 digits into the manifest and run again"
    case .noCardFound: "scan the card itself, whole, on a plain ground"
    case .wrongSide: "give an image of the other side"
    case .sideUnknown: "scan again, straight and sharp"
    case .blurred: "scan again, holding still"
    case .tooDark: "scan again with more light"
    case .glare: "scan again without flash"
    case .tooSmall: "scan again from nearer, or at 300 dpi"
    case .cutOff: "scan again with the whole card in the image"
    case .severalPersonsOnPage: "scan each person's card on its own page"
    case .duplicateFrame: ""
    case .fileMissing: "put the file in place or correct the manifest"
    case .fileUnreadable, .fileEmpty, .imageDamaged: "copy or scan it again"
    case .fileTooLarge, .tooManyPixels: "scan at a lower resolution, 300 dpi is enough"
    case .tooManyPages: "split the file"
    case .formatNotAllowed: "save it as JPEG, PNG or TIFF"
    case .fileChanged: "run again once copying is finished"
    case .pathOutsideInput: "move the file into the input folder or allow other folders"
    case .notARegularFile: "give an image file"
    case .permissionDenied: "let this user read the file"
    case .barcodeNotFound: "scan the back again, sharp and without glare over the barcode"
    case .barcodeWithoutNumber: "check that it is the back of an identity card; scan it again"
    case .barcodeAmbiguous: "read the number from the card yourself"
    case .noFrontFrame: "scan the front again"
    case .noBackFrame: "scan the back again"
    case .sidesSwapped: ""
    case .documentTypeUnknown: "scan both sides again, straight and sharp"
    case .documentTypesDiffer: "check that both images are of one card"
    case .recognitionEmpty: "scan the front again, sharp and straight"
    case .printedNumberDiffers: "check that both images are of one card"
    case .timeLimit, .workerCrashed, .memoryLimit: "run again with --retry-failed; if it stays, scan again"
    case .outputNotWritten: "make room on the disk, then run again with --retry-failed"
    case .invalidRequest: "correct the request"
    case .internalError: "report it, with the log"
    }
  }
}
