import CardModel
import Testing

@testable import FieldLocating

/// Values of neighbouring columns are cut apart wherever a printing puts the second column.
@Suite struct ColumnEdgeTests {
  /// A card whose rows are strokes like text's, the second column `second` pixels from the left.
  static func card(second: Int, numberEnd: Int, nameEnd: Int = 470) -> Raster {
    var samples = [UInt8](repeating: 235, count: 1012 * 638)
    func text(_ x0: Int, _ x1: Int, centre: Double, capital: Int) {
      let top = Int(centre * 638) - capital / 2
      for x in x0..<x1 where (x - x0) % 7 < 3 {
        for y in top..<(top + capital) { samples[y * 1012 + x] = 30 }
      }
    }
    for (label, value, end) in [(0.22, 0.26, 430), (0.41, 0.46, nameEnd)] {
      text(284, 340, centre: label, capital: 13)
      text(284, end, centre: value, capital: 20)
    }
    text(290, 340, centre: 0.61, capital: 13)
    text(290, 303, centre: 0.66, capital: 20)
    text(386, 480, centre: 0.61, capital: 13)
    text(386, 470, centre: 0.66, capital: 20)
    for (label, value, end) in [(0.74, 0.79, numberEnd), (0.86, 0.91, 400)] {
      text(284, 400, centre: label, capital: 13)
      text(284, end, centre: value, capital: 20)
      text(second, second + 90, centre: label, capital: 13)
      text(second, second + 120, centre: value, capital: 20)
    }
    return Raster(width: 1012, height: 638, channels: 1, samples: samples)
  }

  @Test(arguments: [(508, 494), (520, 507), (532, 520), (548, 536)])
  func aNumberThatEndsCloseToTheDateIsCutApartFromIt(_ second: Int, _ numberEnd: Int) throws {
    let lines = FieldLocator(Self.card(second: second, numberEnd: numberEnd)).locate().lines
    let number = try #require(lines.first { $0.role == .value(.identityNumber) })
    let date = try #require(lines.first { $0.role == .value(.dateOfBirth) })
    #expect(abs((number.box.x + number.box.width) * 1012 - Double(numberEnd)) < 5)
    #expect(abs(date.box.x * 1012 - Double(second)) < 5)
  }

  /// Paper or a shadow right of the card taken in with it: all stands farther left, and narrower.
  @Test(arguments: [60, 120, 180])
  func aCardWithAWrongRightEdgeIsDividedAllTheSame(_ gained: Int) throws {
    let whole = Self.card(second: 525, numberEnd: 512, nameEnd: 600)
    let scale = 1012 / Double(1012 + gained)
    let samples = (0..<638).flatMap { y in
      (0..<1012).map { x -> UInt8 in
        let from = Int(Double(x) / scale)
        return from < 1012 ? whole.samples[y * 1012 + from] : 235
      }
    }
    let lines = FieldLocator(Raster(width: 1012, height: 638, channels: 1, samples: samples)).locate().lines
    for (field, x0, x1) in [(FieldName.identityNumber, 284, 512), (.dateOfBirth, 525, 645), (.country, 386, 470)] {
      let box = try #require(lines.first { $0.role == .value(field) }).box
      #expect(abs(box.x * 1012 - Double(x0) * scale) < 6, "\(field)")
      #expect(abs((box.x + box.width) * 1012 - Double(x1) * scale) < 8, "\(field)")
    }
  }

  /// Dates that begin with a 1 in bold, close behind a rule: as many lines have a gap behind their first digit as begin at the edge.
  @Test func aGapBehindTheFirstDigitIsNoColumn() throws {
    let second = 510
    var samples = Self.card(second: second, numberEnd: 480).samples
    for centre in [0.79, 0.91] {
      for y in (Int(centre * 638) - 10)..<(Int(centre * 638) + 10) {
        for x in (second - 6)..<(second + 17) {
          samples[y * 1012 + x] = x < second - 4 || (second..<(second + 4)).contains(x) ? 30 : 235
        }
      }
    }
    let lines = FieldLocator(Raster(width: 1012, height: 638, channels: 1, samples: samples)).locate().lines
    for field in [FieldName.dateOfBirth, .dateOfExpiry] {
      let date = try #require(lines.first { $0.role == .value(field) })
      #expect(date.box.x * 1012 < Double(second + 4), "\(field)")
    }
  }

  /// A shadow or an inner frame taken for the card's left side: all stands farther left, and wider.
  /// What lies left of the card taken in with it does the contrary.
  @Test(arguments: [-90, -50, 40, 81, 100])
  func aCardWithAWrongLeftEdgeIsDividedAllTheSame(_ lost: Int) throws {
    let whole = Self.card(second: 525, numberEnd: 480, nameEnd: 680)
    let scale = 1012 / Double(1012 - lost)
    let samples = (0..<638).flatMap { y in
      (0..<1012).map { whole.samples[y * 1012 + max(0, lost + Int(Double($0) / scale))] }
    }
    let lines = FieldLocator(Raster(width: 1012, height: 638, channels: 1, samples: samples)).locate().lines
    for (field, x0, x1) in [
      (FieldName.fatherName, 284, 680), (.identityNumber, 284, 480), (.dateOfBirth, 525, 645), (.country, 386, 470),
    ] {
      let box = try #require(lines.first { $0.role == .value(field) }).box
      #expect(abs(box.x * 1012 - Double(x0 - lost) * scale) < 6, "\(field)")
      #expect(abs((box.x + box.width) * 1012 - Double(x1 - lost) * scale) < 8, "\(field)")
    }
  }

  /// A corner of the outline that is off makes the columns lean.
  @Test(arguments: [-0.05, 0.04])
  func aCardThatLeansIsDividedAllTheSame(_ slope: Double) throws {
    let whole = Self.card(second: 525, numberEnd: 480, nameEnd: 600)
    func shift(_ y: Int) -> Int { Int((slope * Double(y - 319)).rounded()) }
    let samples = (0..<638).flatMap { y in
      (0..<1012).map { x in whole.samples[y * 1012 + min(1011, max(0, x - shift(y)))] }
    }
    let lines = FieldLocator(Raster(width: 1012, height: 638, channels: 1, samples: samples)).locate().lines
    for (field, x0, x1, y) in [
      (FieldName.name, 284, 430, 0.26), (.fatherName, 284, 600, 0.46), (.identityNumber, 284, 480, 0.79),
      (.dateOfBirth, 525, 645, 0.79), (.dateOfIssue, 284, 400, 0.91), (.dateOfExpiry, 525, 645, 0.91),
    ] {
      let line = try #require(lines.first { $0.role == .value(field) })
      let lean = Double(shift(Int(y * 638)))
      #expect(abs(line.box.x * 1012 - Double(x0) - lean) < 8, "\(field)")
      #expect(abs((line.box.x + line.box.width) * 1012 - Double(x1) - lean) < 8, "\(field)")
      #expect(!line.evidence.inkLeft, "\(field)")
    }
  }

  /// What is cut off at the cell's end reads as a shorter name. A name may pass it by a few letters.
  @Test(arguments: [(660, false), (690, false), (694, false), (720, false), (760, true), (900, true)])
  func aNameThatRunsPastItsCellIsWholeOrSaidNotToBe(_ end: Int, _ isSaid: Bool) throws {
    let lines = FieldLocator(Self.card(second: 525, numberEnd: 480, nameEnd: end)).locate().lines
    let line = try #require(lines.first { $0.role == .value(.fatherName) })
    #expect(line.evidence.textRight == (isSaid ? 1 : 0))
    #expect(isSaid || abs((line.box.x + line.box.width) * 1012 - Double(end)) < 5)
    #expect(try #require(lines.first { $0.role == .value(.name) }).evidence.textRight == 0)
  }

  @Test func textThatBeginsLeftOfTheFirstColumnIsSaid() throws {
    var samples = Self.card(second: 525, numberEnd: 480).samples
    for x in 266..<279 where (x - 266) % 7 < 4 {
      for y in (Int(0.26 * 638) - 10)..<(Int(0.26 * 638) + 10) { samples[y * 1012 + x] = 30 }
    }
    let lines = FieldLocator(Raster(width: 1012, height: 638, channels: 1, samples: samples)).locate().lines
    #expect(try #require(lines.first { $0.role == .value(.name) }).evidence.inkLeft)
    #expect(try #require(lines.first { $0.role == .value(.fatherName) }).evidence.inkLeft == false)
  }

  /// A card that fills its image shows no outline to be turned by.
  @Test(arguments: [-0.02, 0.015, 0.03])
  func linesThatFallAreMadeLevelBeforeTheyAreCut(_ slope: Double) throws {
    let whole = Self.card(second: 525, numberEnd: 480, nameEnd: 660)
    func shift(_ x: Int) -> Int { Int((slope * Double(x - 506)).rounded()) }
    let samples = (0..<638).flatMap { y in
      (0..<1012).map { x in whole.samples[min(637, max(0, y - shift(x))) * 1012 + x] }
    }
    let lines = FieldLocator(Raster(width: 1012, height: 638, channels: 1, samples: samples)).locate().lines
    let line = try #require(lines.first { $0.role == .value(.fatherName) })
    #expect(abs(line.box.x * 1012 - 284) < 5)
    #expect(abs((line.box.x + line.box.width) * 1012 - 660) < 8)
    #expect(line.evidence.gaps.allSatisfy { $0.width < 0.35 })
    // The box is where the line stands on the card that was given.
    let middle = (line.box.y + line.box.height / 2) * 638
    #expect(abs(middle - 0.46 * 638 - Double(shift(472))) < 3)
  }
}
