import Foundation
import TestSupport
import Testing

@Suite struct DefinitionTests {
  private func check(_ text: String) throws -> ProgramResult {
    let folder = try FreshDirectory()
    try folder.write(text, to: "p.json5")
    return try RunProgram.cnicscan(["check", "p.json5"], in: folder.path)
  }

  @Test func anUnknownKeyIsRefusedWithItsLineAndAGuess() throws {
    let result = try check("// a comment\n{\n  output: 'out',\n  /* { */ scanmode: 'frontOnly',\n}\n")
    #expect(result.status == 78)
    #expect(result.err.contains("p.json5:4: unknown key 'scanmode'; did you mean 'scanMode'?"))
    #expect(result.out.isEmpty)
  }

  @Test func anUnknownKeyInsideAnObjectIsRefusedWithItsPath() throws {
    let result = try check("{\n  limits: {\n    pages: 3,\n    \"pixls\": 9 },\n}")
    #expect(result.status == 78)
    #expect(result.err.contains("p.json5:4: unknown key 'limits.pixls'"))
  }

  @Test(arguments: [
    ("{imageWidth: 3}", "'imageWidth' takes 64 to 8000, not 3"),
    ("{imageWidth: '1012'}", "'imageWidth' takes a whole number, not text"),
    ("{imageWidth: 10.5}", "'imageWidth' takes a whole number, not a number"),
    ("{scanMode: 'both'}", "'scanMode' takes one of frontAndBack, frontOnly, backOnly, not 'both'"),
    ("{failOn: ['mismatch']}", "'failOn' takes one of matched, mismatched"),
    ("{failOn: 'failed'}", "'failOn' takes a list of outcomes, not text"),
    ("{limits: 7}", "unknown key 'limits'"),
    ("{asOf: '31.02.2020'}", "'asOf' takes a date DD.MM.YYYY"),
    ("{patterns: [{front: '{id}_a.*'}]}", "'patterns' takes a list of"),
    ("{allowPDF: 1}", "'allowPDF' takes true or false, not a number"),
    ("[]", "a definition is an object, not a list"),
  ])
  func aValueOfTheWrongKindOrRangeIsRefused(_ text: String, _ message: String) throws {
    let result = try check(text)
    #expect(result.status == 78)
    #expect(result.err.contains(message), "\(result.err)")
  }

  @Test func textThatIsNotJSON5ExitsWith78() throws {
    let result = try check("{ output: ")
    #expect(result.status == 78)
    #expect(result.err.contains("not JSON5"))
  }

  @Test func aDefinitionThatIsNotThereExitsWith66() throws {
    let folder = try FreshDirectory()
    #expect(try RunProgram.cnicscan(["check", "nothing.json5"], in: folder.path).status == 66)
    #expect(try RunProgram.cnicscan(["run", "nothing.json5"], in: folder.path).status == 66)
  }

  @Test func runWithoutOutputOrInputIsAUsageError() throws {
    let folder = try FreshDirectory()
    #expect(try RunProgram.cnicscan(["run", "--input", "."], in: folder.path).status == 64)
    #expect(try RunProgram.cnicscan(["run", "--output", "out"], in: folder.path).status == 64)
    let both = try RunProgram.cnicscan(["run", "-i", ".", "-m", "m.csv", "-o", "out"], in: folder.path)
    #expect(both.status == 64)
    #expect(both.err.contains("exclude each other"))
    #expect(!folder.exists("out"))
  }

  @Test(arguments: ["nightly", "backfill", "front-only", "back-only"])
  func eachReadyDefinitionIsCheckedAndFound(_ name: String) throws {
    let folder = try FreshDirectory()
    let text = try Data(contentsOf: RunProgram.repository.appendingPathComponent("pipelines/\(name).json5"))
    try folder.write(String(decoding: text, as: UTF8.self), to: "p.json5")
    try folder.write("id,front,back,identityNumber\n", to: "manifest.csv")
    try folder.write("id,identityNumber\n", to: "identities.csv")
    try folder.write("", to: "incoming/.keep")
    try folder.write("", to: "metrics/.keep")
    let result = try RunProgram.cnicscan(["check", "p.json5", "--json"], in: folder.path)
    #expect(result.status == 0, "\(result.out)\(result.err)")
    #expect(result.out.contains(#""ok" : true"#))
  }

  @Test func aDefinitionsMissingInputIsNamedWithTheCommandThatMendsIt() throws {
    let folder = try FreshDirectory()
    try folder.write("{input: 'incoming', output: 'out'}", to: "p.json5")
    let result = try RunProgram.cnicscan(["check", "p.json5"], in: folder.path)
    #expect(result.status == 66)
    #expect(result.out.contains("incoming does not exist"))
    #expect(result.out.contains("mkdir -p '"))
  }
}
