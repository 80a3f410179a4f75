import CardModel
import Testing

@Suite struct IdentityNumberTests {
  @Test(arguments: [
    "4210100000017", "42101-0000001-7", " 42101-0000001-7\n", "۴۲۱۰۱۰۰۰۰۰۰۱۷", "٤٢١٠١٠٠٠٠٠٠١٧", "۴۲۱۰۱-۰۰۰۰۰۰۱-۷",
    "42101\u{2013}0000001\u{2013}7",
  ])
  func theWaysPeopleWriteANumberAreOneNumber(_ text: String) {
    #expect(IdentityNumber(text)?.formatted == "42101-0000001-7")
  }

  @Test(arguments: [
    "", "421010000001", "42101000000177", "4210-10000001-7", "42101 0000001 7", "42101-0000001-O", "4210l00000017",
  ])
  func anythingElseIsNotANumberAndIsNotRepaired(_ text: String) {
    #expect(IdentityNumber(text) == nil)
  }

  @Test func maskingKeepsLocalityAndLastDigit() throws {
    let number = try #require(IdentityNumber("4210100000017"))
    #expect(number.masked == "42101-*******-7")
    #expect(number.hasKnownRegion && number.lastDigit == 7)
    #expect(try !#require(IdentityNumber("9210100000017")).hasKnownRegion)
  }
}

@Suite struct CardDateTests {
  @Test func datesThatExistAreFormattedAsTheContractSays() {
    #expect(CardDate("01.02.1990")?.formatted == "01.02.1990")
    #expect(CardDate("29/02/2024")?.formatted == "29.02.2024")
    #expect(CardDate("29.02.2023") == nil)
    #expect(CardDate("31.04.2020") == nil)
    #expect(CardDate("1.2.1990") == nil)
    #expect(CardDate("01.02/1990") == nil)
  }
}

@Suite struct RasterTests {
  @Test func aHalfTurnTwiceIsTheSameImage() {
    let raster = Raster(width: 3, height: 2, channels: 3, samples: (0..<18).map { UInt8($0) })
    #expect(raster.turnedByHalf().samples.prefix(3) == [15, 16, 17])
    #expect(raster.turnedByHalf().turnedByHalf() == raster)
  }

  @Test func aCropIsClippedToTheImage() {
    let raster = Raster(width: 3, height: 2, channels: 1, samples: [0, 1, 2, 3, 4, 5])
    #expect(raster.cropped(PixelBox(x: 1, y: 1, width: 9, height: 9))?.samples == [4, 5])
    #expect(raster.cropped(PixelBox(x: 3, y: 0, width: 1, height: 1)) == nil)
  }
}
