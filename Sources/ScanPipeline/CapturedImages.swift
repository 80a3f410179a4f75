package import CardModel

/// Where a frame comes from: enough to name its saved image by its content.
package struct FrameSource: Sendable, Hashable {
  /// The side it was offered for, its place among that side's files, and the page in the file.
  package var side: CardSide
  package var file: Int
  package var page: Int
  package var path: String
  /// Its place among the cards of the page.
  package var card: Int
  package init(side: CardSide, file: Int, page: Int, path: String, card: Int = 0) {
    self.side = side
    self.file = file
    self.page = page
    self.path = path
    self.card = card
  }

  /// Swift's strings are equal where Unicode holds them for equal; files of such names are two.
  func isOf(_ path: String) -> Bool { self.path.utf8.elementsEqual(path.utf8) }
}

/// Keeps the captured images of a run.
package protocol ImageStoring {
  /// Saves an upright card at a width, aspect kept.
  /// - Returns: the absolute path, named by the pair, the side and the frame's content: the same for the same input.
  /// - Throws: `ImageFailure`: `outputNotWritten`, or a file code where the source can no longer be read.
  func save(_ card: CardPicture, as side: CardSide, pair id: String, source: FrameSource, widthPixels: Int)
    throws(ImageFailure)
    -> String
}
