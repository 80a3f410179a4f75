import CardModel
import Foundation
import ScanPipeline
import Testing

@testable import TextRecognition

/// Tesseract through its C API, with the real networks.
struct TesseractReaderTests {
  @Test func theNetworksOfTheTreeAreFoundAndStart() throws {
    let reader = try TesseractReader(files: ModelFiles.locate())
    try reader.startStock()
  }

  @Test func theStockNetworkIsNamedWhereItIsAskedForAndMissing() throws {
    var files = try ModelFiles.locate()
    files.stockDirectory = "/nonexistent"
    let reader = try TesseractReader(files: files)
    #expect(throws: ModelMissing(fileName: "eng.traineddata")) { try reader.startStock() }
  }

  @Test func aMissingNetworkIsNamed() {
    #expect(throws: ModelMissing(fileName: "card.traineddata")) { try ModelFiles.locate(explicit: "/nonexistent") }
    let files = ModelFiles(cardDirectory: "/nonexistent", stockDirectory: "/nonexistent")
    #expect(throws: ModelMissing(fileName: "card.traineddata")) { try TesseractReader(files: files) }
    #expect(ModelMissing(fileName: "eng.traineddata").description.contains("tesseract-ocr-eng"))
  }

  @Test func nothingOnAnImageIsNoTextAndNoFailure() throws {
    let reader = try TesseractReader(files: ModelFiles.locate())
    let blank = Raster(width: 200, height: 44, channels: 1, samples: Array(repeating: 240, count: 200 * 44))
    #expect(reader.recogniseLine(blank, model: .stock).symbols.isEmpty)
    #expect(reader.recognisePage(blank).isEmpty)
    let tiny = Raster(width: 1, height: 1, channels: 1, samples: [0])
    #expect(reader.recogniseLine(tiny, model: .card).symbols.isEmpty)
  }

  /// A drawn specimen's gender, cut as a run cuts it: read as a line it is nothing to either network.
  @Test(arguments: [TextModel.card, .second])
  func aSingleLetterIsReadAsOneWhereItIsNoLine(_ model: TextModel) throws {
    let samples = [UInt8](try #require(Data(base64Encoded: Self.letter, options: .ignoreUnknownCharacters)))
    let reader = try TesseractReader(files: ModelFiles.locate())
    #expect(
      reader.recogniseLine(Raster(width: 31, height: 43, channels: 1, samples: samples), model: model).text == "X")
  }

  /// 31 x 43 grey pixels.
  private static let letter = """
    4OLi4eDh4uLh4ePk5OTk4uHg3+Lj4eHi4uHg4OHi4uHi4+Hg4eLi4eDh4uPk5OTi4eDj5OHi4+Ph4ODi5OPh4+Pi4eLj4+Hh4uLk \
    5OXl5OPj5OTh4uTk4uHh4+bk4uPj4uHi4+Pi4uPj5OTk5ebm5uXj4uLk5OPi4uTn5eLj4+Lh4uPj4uLj4uLi4uPk5ebl4uHi5OXk \
    4+Pm6OXe5Obj4uPl5eLh4eHh4ODf4ePk4+Pk4+Tl5OTk5+jl3uPk4d/h5OTi4uLh4eHg39/i5OLl6OXi4+Tk4+Pk4+Li4d/d3uLj \
    5OXk4uHh4uLi4uPj5OPf3uLl5OLh4eHk4uHh4ODi5Ofm5OLg4OLj4+Li5OPh3t/i5eTi4uLh5OPi5OPh3dze3+Di4uHg4eLi4uTg \
    3d/h4uLj4+Pj4uLh4eLh29DHxM3Y4OTj4eHi4+Ph08zQ19zf4ePk4+Lg4eDe29K+qJuqwdPj5ePi4uPez6+hqb3S3OPi4uPh4uPg \
    3drSuJuCh6O/2uPk4t/ez7OMfo+tzd7l4uHi4eXn49/g276bcV5+pMvc5OHX0rKIbW+StdLf5ePh4eDm6OPg4ODLrn9ZZYm60+Dg \
    0cSZbmd6qMfY3uTl4uDf4uTi39/h2suld1Zmmb7X3cameWh9nMHT3N7i4uLh39/h4uDf4d/YvZVhWoCpycusjXFzkbHP2t7f4N/i \
    4+Df4ePi4ODj5Ne3fmBlg6WniHByiazJ3eDh4uHg4uTi4eHl5eHf4uXdyJ55XWR/hXFmfZ7B2OLi4uTk4ePl4+Hg5Obj4ODh3NXF \
    ompRUllda5W61+Ph3+Hm5uTl5uXf3uPm5ePh3t3e1bd5Uj4+UnSpy+Lo4N3i5ubk5ufl3+Dj5OXm5N/g4NG0flpBO052rM3k6OLh \
    4+Tk5Obm5eHj5OPj5eXg39rCoXFaUlBUapm+2+Tk5OTi4uXn5eTf4OHf4OTl39nMqYVhYHJ2YVp8o8vd5Ojl4eLn5+Xj3d7f3N7k \
    49vRu4trZn+gn3xiaIW21Obo5uXk5Obk4+Li39vf5eTYvJ53aHuewsKeel5mkrrb4uXm4+Dj5ebk5uHd4ufhzqKBbXKUttfYuZRl \
    XHSaydzi4+Lh4+Tl5efj4ebl0raAZmuHs8/l59KyhGded67P3+Pl5uPk5OTm5OLj3L2abmF4n8nY4+fbxKF+YGeUu9jh5eXj4+Pj \
    5OLf286nhHF1mb/b3d7j4te/nnNlfqXM3ODh4+Pj4uTi3tnMqpCKlrbS4+Df4+fh0rmRfYinzNzh4eLj5eLm5OHd2Ma2tMDU4Obl \
    5Obm5eDWwLCywtff5eTi5OXj5eTi4uHa0tDX4OPl5+fm4+Hj49rU1dnc3ePl4+Xn4+Pi4uLi4eHj4+Pi4+Tl5OLg3+Lj5OPi3t7i \
    5OLj5ePj4+Li4uLj5OPh4uLj5OTj4d7f4eLh4eLj5eXj4eDk5OPj4+Pi4uLh4eLj5OTk4+Pi4eDg4uPk5OPk5OLg5OTj4+Pj4+Lh \
    4eHi5OXl5OPl5OLg4OPl5ePh4+Xj4OTk5OPj4+Pi4eHh4uTl5eTj5OTj4uLj4+Pi4eLj4+Lk5OPj4+Pi4uHh4uPk5eXj4uPk5eXk \
    4uHh4eLh4uPj5OPj4+Pi4uLi4uPk5eXk4uDg4+Xm5eHe3+Lj4eDi5OPj4uLi4uLi4+Pk5eXl4+Hf4eLj5OPh3+Di4+Lh4eLi4uPj \
    4+Ph4+Xk5OXl5eLg3uLj4eHh4uPi4eHl5ODf4OHk5ufl4ubo5eXl5OPk4+Hj4+Dg4eLk4+Lj5uXi3w==
    """
}
