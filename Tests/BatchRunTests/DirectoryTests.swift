import BatchRun
import CardModel
import Foundation
import TestSupport
import Testing

/// Directories as input.
@Suite struct DirectoryTests {
  private func run(_ fixture: BatchFixture, change: (inout RunSettings) -> Void = { _ in }) throws -> RunOutcome {
    try fixture.run(.directory(path: fixture.directory.path("in")), change: change)
  }

  @Test func pairsAreFoundByEveryPattern() throws {
    let fixture = try BatchFixture()
    let pairs = [
      ("a_front.png", "a_back.jpg"), ("b-front.png", "b-back.png"), ("c.front.png", "c.back.png"),
      ("d_f.png", "d_b.png"),
      ("e_1.png", "e_2.png"), ("g/front.png", "g/back.png"), ("night/h_FRONT.JPG", "night/h_Back.JPG"),
    ]
    for (front, back) in pairs {
      try fixture.directory.write("x \(front)", to: "in/\(front)")
      try fixture.directory.write("x \(back)", to: "in/\(back)")
    }
    try fixture.directory.write("pages", to: "in/m.tif")
    let outcome = try run(fixture)
    #expect(try fixture.ids(of: outcome) == ["a", "b", "c", "d", "e", "g", "m", "night/h"])
    #expect(outcome.unpairedFiles == 0)
  }

  @Test func whatBelongsToNoPairIsReported() throws {
    let fixture = try BatchFixture()
    for name in ["a_front.png", "a_back.png", "lone_front.png", "notes.txt", ".hidden_front.png", "x_back.png.part"] {
      try fixture.directory.write(name, to: "in/\(name)")
    }
    let outcome = try run(fixture)
    #expect(outcome.progress.found == 1 && outcome.unpairedFiles == 4)
    let lines = try fixture.lines("unpaired.ndjson", of: outcome).sorted()
    #expect(
      lines == [
        #"{"path":".hidden_front.png","why":"temporaryName"}"#, #"{"path":"lone_front.png","why":"otherSideMissing"}"#,
        #"{"path":"notes.txt","why":"nameFitsNoPattern"}"#, #"{"path":"x_back.png.part","why":"temporaryName"}"#,
      ])
  }

  @Test func oneSideIsAPairWhereOneSideIsAsked() throws {
    let fixture = try BatchFixture()
    try fixture.directory.write("x", to: "in/a_front.png")
    #expect(try run(fixture) { $0.scanMode = .frontOnly }.progress.found == 1)
  }

  @Test func theOutputInsideTheInputIsLeftOut() throws {
    let fixture = try BatchFixture()
    try fixture.directory.write("x", to: "in/a_front.png")
    try fixture.directory.write("x", to: "in/a_back.png")
    let outcome = try fixture.run(.directory(path: fixture.directory.path("in")), output: "in/out")
    #expect(outcome.progress.found == 1 && outcome.unpairedFiles == 0)
    #expect(try fixture.run(.directory(path: fixture.directory.path("in")), output: "in/out").unpairedFiles == 0)
  }

  /// One letter in one code point and in two: equal to Unicode and to Swift, two names to every file system.
  private static let composed = "\u{00E9}", decomposed = "e\u{0301}"

  @Test func namesThatUnicodeHoldsForEqualAreTwoPairs() throws {
    let fixture = try BatchFixture()
    // The third one begins with a mark, which Unicode joins to the slash before it.
    let ids = [Self.decomposed, Self.composed, "\u{064B}x"]
    for (number, id) in ids.enumerated() {
      for side in ["front", "back"] { try fixture.directory.write("\(side) \(number)", to: "in/\(id)_\(side).png") }
    }
    let outcome = try run(fixture)
    #expect(outcome.status == .complete && outcome.progress.found == 3)
    #expect(try fixture.ids(of: outcome).map { Array($0.utf8) } == ids.map { Array($0.utf8) })
    for (number, line) in try fixture.lines("results.ndjson", of: outcome).enumerated() {
      #expect(line.contains("front \(number)"))
    }
  }

  @Test func foldersThatUnicodeHoldsForEqualAreTwoFolders() throws {
    let fixture = try BatchFixture()
    var manifest = "id,front,back,identityNumber\n"
    for (number, folder) in [Self.composed, Self.decomposed].enumerated() {
      for side in ["front", "back"] { try fixture.directory.write("\(side) \(number)", to: "in/\(folder)/\(side).png") }
      manifest += "p\(number),\(folder)/front.png,\(folder)/back.png,1234512345671\n"
    }
    try fixture.directory.write("outside", to: "\(Self.decomposed)/front.png")
    try fixture.directory.write(manifest, to: "in/manifest.csv")
    let outcome = try fixture.run()
    for (number, line) in try fixture.lines("results.ndjson", of: outcome).enumerated() {
      #expect(line.contains("front \(number)"))
    }
    // A root is the folder of exactly that name.
    try fixture.directory.write("in", to: "\(Self.composed)/front.png")
    try fixture.directory.write(
      "id,front,back,identityNumber\nq,../\(Self.decomposed)/front.png,../\(Self.decomposed)/front.png,1234512345671\n",
      to: "\(Self.composed)/manifest.csv")
    let outside = try fixture.run(
      .manifest(path: fixture.directory.path("\(Self.composed)/manifest.csv")), output: "other")
    #expect(try fixture.values("reasons", of: outside) == ["pathOutsideInput"])
  }

  @Test func pipesDevicesAndLinksOutOfTheInputAreRefused() throws {
    let fixture = try BatchFixture()
    for name in ["pipe_back.png", "link_back.png", "inside_back.png"] {
      try fixture.directory.write("x", to: "in/\(name)")
    }
    mkfifo(fixture.directory.path("in/pipe_front.png"), 0o600)
    let secret = try fixture.directory.write("secret", to: "outside.png")
    try FileManager.default.createSymbolicLink(
      atPath: fixture.directory.path("in/link_front.png"), withDestinationPath: secret)
    try FileManager.default.createSymbolicLink(
      atPath: fixture.directory.path("in/inside_front.png"),
      withDestinationPath: fixture.directory.path("in/inside_back.png"))
    let outcome = try run(fixture)
    #expect(try fixture.ids(of: outcome) == ["inside", "link", "pipe"])
    #expect(try fixture.values("reasons", of: outcome) == ["", "pathOutsideInput", "notARegularFile"])
    #expect(try run(fixture) { $0.allowOutside = true }.progress.outcomes == [.matched: 1])
  }

  @Test func aManifestsPathsStayInItsFolder() throws {
    let fixture = try BatchFixture()
    try fixture.directory.write("secret", to: "outside.png")
    try fixture.makeManifest(["a"])
    let outside = fixture.directory.path("outside.png")
    try fixture.directory.write(
      """
      id,front,back,identityNumber
      up,../outside.png,a_back.png,1
      absolute,\(outside),a_back.png,1
      nowhere,../nowhere/x.png,a_back.png,1
      device,/dev/zero,a_back.png,1
      folder,.,a_back.png,1
      absent,absent.png,a_back.png,1
      inside,../in/a_front.png,a_back.png,1
      """, to: "in/manifest.csv")
    let outcome = try fixture.run()
    #expect(
      try fixture.values("reasons", of: outcome)
        == ["pathOutsideInput", "pathOutsideInput", "pathOutsideInput", "pathOutsideInput", "notARegularFile", "", ""])
    #expect(try fixture.run { $0.allowOutside = true }.progress.outcomes[.failed] == 1, "a device stays refused")
  }

  @Test func rowsThatAreNoPairAreRecordedOnce() throws {
    let fixture = try BatchFixture()
    try fixture.makeManifest(["a"])
    try fixture.directory.write(
      "id,front,back,identityNumber\na,a_front.png,a_back.png,1\na,a_front.png,a_back.png,1\n,x,y,1\nshort,row\n",
      to: "in/manifest.csv")
    let outcome = try fixture.run()
    #expect(outcome.progress.outcomes == [.matched: 1, .failed: 3])
    #expect(try fixture.values("reasons", of: outcome) == ["", "invalidRequest", "invalidRequest", "invalidRequest"])
    #expect(try fixture.run().progress.skipped == 4)
  }

  @Test func expectedNumbersComeFromNamesAndFromTheList() throws {
    let fixture = try BatchFixture()
    for name in ["4210100000017", "x-42101-0000001-7", "plain"] {
      try fixture.directory.write(name, to: "in/\(name)_front.png")
      try fixture.directory.write(name, to: "in/\(name)_back.png")
    }
    try fixture.directory.write("id,identityNumber\nplain,42101-0000001-9\n", to: "numbers.csv")
    let input = InputSource.directory(
      path: fixture.directory.path("in"), identities: fixture.directory.path("numbers.csv"))
    #expect(try fixture.run(input).progress.found == 3)
    try fixture.directory.write("id,identityNumber\nplain,42101-0000001-7\n", to: "numbers.csv")
    #expect(try fixture.ids(of: fixture.run(input)) == ["plain"], "another number is done again, and only that")
  }

  @Test func aFileThatIsStillBeingCopiedIsWaitedFor() throws {
    let fixture = try BatchFixture()
    try fixture.directory.write("half", to: "in/a_front.png")
    try fixture.directory.write("x", to: "in/a_back.png")
    let path = fixture.directory.path("in/a_front.png")
    let writer = Thread {
      usleep(300_000)
      if let file = FileHandle(forWritingAtPath: path) {
        file.seekToEndOfFile()
        file.write(Data(" and whole".utf8))
        file.closeFile()
      }
    }
    writer.start()
    let outcome = try run(fixture) { $0.settleSeconds = 0.6 }
    #expect(try fixture.lines("results.ndjson", of: outcome)[0].contains("half and whole"))
  }

  @Test func aPairScannedDuringTheListingIsRecordedAtItsPlace() throws {
    let fixture = try BatchFixture()
    for number in 0..<200 {
      try fixture.directory.write("f\(number)", to: "in/p\(number)_front.png")
      try fixture.directory.write("b\(number)", to: "in/p\(number)_back.png")
    }
    let early = try run(fixture)
    let manifest = (0..<200).map { "p\($0)" }.sorted().map { "\($0),\($0)_front.png,\($0)_back.png,\n" }.joined()
    try fixture.directory.write("id,front,back,identityNumber\n" + manifest, to: "in/manifest.csv")
    let inTurn = try fixture.run(output: "other")
    #expect(try fixture.lines("results.ndjson", of: early) == fixture.lines("results.ndjson", of: inTurn))
  }

  @Test func theSameImagesUnderTwoNamesAreCounted() throws {
    let fixture = try BatchFixture()
    for id in ["a", "b", "c"] {
      try fixture.directory.write(id == "c" ? "other" : "same", to: "in/\(id)_front.png")
      try fixture.directory.write("same back", to: "in/\(id)_back.png")
    }
    let outcome = try run(fixture)
    #expect(outcome.duplicateGroups == 1)
    #expect(
      try fixture.lines("duplicates.ndjson", of: outcome) == [#"{"group":1,"id":"a"}"#, #"{"group":1,"id":"b"}"#])
  }
}
