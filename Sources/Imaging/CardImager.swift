private import COpenCV
package import CardModel
package import ScanPipeline

/// The real `CardImaging`: loads images through libvips and finds cards with OpenCV's help.
///
/// One instance belongs to one lane: it keeps the last file and page, so that asking for the pages and then for their cards
/// reads and decodes once. It takes what a stranger sends: limits are checked before pixels, and no file makes it trap.
package final class CardImager: CardImaging {
  private var loader: (path: String, limits: ImageLimits, value: PageLoader)?
  /// Made when the first image is saved.
  var png: PNGEncoder?

  package init() { copencv_start() }

  package func pageCount(of path: String, limits: ImageLimits) throws(ImageFailure) -> Int {
    let fresh = try PageLoader(path: path, limits: limits)
    loader = (path, limits, fresh)
    return fresh.pages
  }

  package func findCards(in path: String, page: Int, limits: ImageLimits) throws(ImageFailure) -> [FoundCard] {
    let loader = try self.loader(of: path, limits: limits)
    guard page >= 0, page < loader.pages else { throw ImageFailure(.imageDamaged, diagnostic: "no page \(page)") }
    var loaded = try loader.load(page: page, longSidePixels: Self.firstLongSidePixels, limits: limits)
    guard var search = OutlineSearch(page: loaded.image) else { return [] }
    var outlines = search.outlines()
    if loaded.shrink > 1, let largest = outlines.first, largest.quad.longSide < Self.leastCardPixels {
      // A small card on a large photograph: worth the pixels after all.
      let needed = Double(max(loaded.image.width, loaded.image.height)) * Self.leastCardPixels / largest.quad.longSide
      loaded = try loader.load(page: page, longSidePixels: Int(needed), limits: limits)
      guard let again = OutlineSearch(page: loaded.image) else { return [] }
      search = again
      outlines = again.outlines()
    }
    return outlines.compactMap { FoundCard(outline: $0, on: loaded) }
  }

  /// - Throws: as `pageCount`.
  package func loadPage(
    _ page: Int, of path: String, limits: ImageLimits, longSidePixels: ClosedRange<Int>?
  ) throws(ImageFailure) -> Raster {
    let loader = try self.loader(of: path, limits: limits)
    guard page >= 0, page < loader.pages else { throw ImageFailure(.imageDamaged, diagnostic: "no page \(page)") }
    let image = try loader.load(page: page, longSidePixels: longSidePixels?.upperBound ?? Int.max, limits: limits).image
    let long = max(image.width, image.height)
    guard let longSidePixels, !longSidePixels.contains(long) else { return image }
    let wanted = min(long * Self.mostEnlarged, max(longSidePixels.lowerBound, min(longSidePixels.upperBound, long)))
    return image.resized(
      width: max(1, image.width * wanted / long), height: max(1, image.height * wanted / long),
      wanted < long ? .area : .cubic) ?? image
  }

  /// Enlarged further, print does not become more legible.
  private static let mostEnlarged = 3

  package func card(on page: Raster, corners: [FractionPoint]) -> FoundCard? {
    guard let quad = Quad(corners, on: page) else { return nil }
    return FoundCard(
      outline: Outline(quad: quad, confidence: Self.givenConfidence), on: LoadedPage(image: page, shrink: 1))
  }

  /// What an outline is worth that nobody has seen: text was.
  private static let givenConfidence = 0.5

  /// The file is kept only between its page count and its last page's cards.
  private func loader(of path: String, limits: ImageLimits) throws(ImageFailure) -> PageLoader {
    // Swift's strings are equal where Unicode holds them for equal; files of such names are two.
    if let loader, loader.path.utf8.elementsEqual(path.utf8), loader.limits == limits { return loader.value }
    let fresh = try PageLoader(path: path, limits: limits)
    loader = (path, limits, fresh)
    return fresh
  }

  /// A JPEG is first decoded at a fraction that keeps this: enough to find cards, and most often to read them.
  private static let firstLongSidePixels = 1800
  /// A card that has fewer pixels than this is decoded again from more of the file's.
  private static let leastCardPixels = 1300.0
}

extension FoundCard {
  /// Unwarps an outline and measures what comes out.
  ///
  /// A card of few pixels that looks like a front is given no more than its text is read at; a back always gets the full size, at
  /// which its barcode decodes best.
  init?(outline: Outline, on page: LoadedPage) {
    guard let (part, quad) = outline.quad.surroundings(on: page.image) else { return nil }
    let grey = part.grey()
    let halfWidth = Self.widthPixels / 2, halfHeight = Self.heightPixels / 2
    let image: Raster, half: Raster, appearance: [FaceAppearance]
    if quad.longSide < Self.coarsePixels,
      let small = quad.unwarped(from: grey, width: halfWidth, height: halfHeight)
    {
      half = small
      appearance = CardAppearance(of: half)?.faces ?? []
      let mayBeBack = appearance.reduce(0) { $0 + ($1.face.side == .back ? $1.probability : 0) } > Self.leastBackOdds
      let width = mayBeBack ? Self.widthPixels : Self.readingWidthPixels
      let height = mayBeBack ? Self.heightPixels : Self.readingHeightPixels
      guard let card = quad.unwarped(from: grey, width: width, height: height) else { return nil }
      image = card
    } else {
      guard let card = quad.unwarped(from: grey, width: Self.widthPixels, height: Self.heightPixels),
        let reduced = card.resized(width: halfWidth, height: halfHeight, .area)
      else { return nil }
      image = card
      half = reduced
      appearance = CardAppearance(of: half)?.faces ?? []
    }
    self.init(
      image: image, picture: CardPicture(pixels: part, corners: quad.fractions(of: part)),
      corners: outline.quad.fractions(of: page.image),
      quality: FrameQuality(ofHalf: half, outline: outline, on: page), appearance: appearance)
  }

  /// Below this many pixels along its long side a card gains nothing from the full size.
  private static let coarsePixels = 1250.0
  private static let leastBackOdds = 0.1
  /// 300 dpi on the card.
  private static let readingWidthPixels = 1012
  private static let readingHeightPixels = 638
}

extension Quad {
  /// - Parameter fractions: corners in fractions of the image, clockwise from the top left.
  init?(_ fractions: [FractionPoint], on image: Raster) {
    let width = Double(image.width), height = Double(image.height)
    self.init(fractions.map { Point(x: $0.x * width, y: $0.y * height) })
  }

  /// The corners in fractions of an image.
  func fractions(of image: Raster) -> [FractionPoint] {
    corners.map { FractionPoint(x: $0.x / Double(image.width), y: $0.y / Double(image.height)) }
  }

  /// The part of a page that holds the quad, with the quad on it; `nil` where none of it lies on the page.
  func surroundings(on page: Raster) -> (part: Raster, quad: Quad)? {
    let xs = corners.map(\.x), ys = corners.map(\.y)
    let left = max(0, Int(xs.min() ?? 0) - 4), top = max(0, Int(ys.min() ?? 0) - 4)
    let right = Int(xs.max() ?? 0) + 5, bottom = Int(ys.max() ?? 0) + 5
    let origin = Point(x: Double(left), y: Double(top))
    guard let part = page.cropped(PixelBox(x: left, y: top, width: right - left, height: bottom - top)),
      let quad = Quad(corners.map { $0 - origin })
    else { return nil }
    return (part, quad)
  }

  /// What it holds, at a card's size.
  ///
  /// The image, no larger than the quad's surroundings, is resampled first, to the card's scale, by an area average or by cubics, and
  /// then warped linearly: a third of the time of warping by cubics, and no aliasing where the card has more pixels than it is given.
  /// Near the card's own scale (300 dpi and more) the linear warp alone is as good for reading, in a third again.
  func unwarped(from image: Raster, width: Int, height: Int) -> Raster? {
    let ratio = longSide / Double(width)
    guard ratio > 1.25 || ratio < 0.62 else { return image.unwarped(self, width: width, height: height, .linear) }
    let newWidth = max(1, Int((Double(image.width) / ratio).rounded()))
    let newHeight = max(1, Int((Double(image.height) / ratio).rounded()))
    let scale = Point(x: Double(newWidth) / Double(image.width), y: Double(newHeight) / Double(image.height))
    guard let scaled = image.resized(width: newWidth, height: newHeight, ratio > 1 ? .area : .cubic),
      let moved = Quad(corners.map { Point(x: $0.x * scale.x, y: $0.y * scale.y) })
    else { return nil }
    return scaled.unwarped(moved, width: width, height: height, .linear)
  }
}
