import CardModel
import Foundation
import Testing

import RecordFormats

/// A folder of its own that goes with the value.
final class Scratch {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent("formats-\(UUID().uuidString)")
  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
  deinit { do { try FileManager.default.removeItem(at: url) } catch {} }

  func file(_ name: String, _ bytes: some Sequence<UInt8>) throws -> String {
    let file = url.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    return file.path
  }
}

/// Every entry of a manifest with these bytes.
func manifest(_ bytes: [UInt8], name: String = "manifest.csv") throws -> [ManifestEntry] {
  let scratch = try Scratch()
  var reader = try ManifestReader(path: scratch.file(name, bytes))
  var entries: [ManifestEntry] = []
  while let entry = try reader.next() { entries.append(entry) }
  return entries
}

func manifest(_ text: String, name: String = "manifest.csv") throws -> [ManifestEntry] {
  try manifest(Array(text.utf8), name: name)
}

/// The ids that were read, and the places and reasons of what was not.
func outline(_ entries: [ManifestEntry]) -> [String] {
  entries.map { entry in
    switch entry {
    case .row(let row): row.id
    case .problem(let problem): "\(problem)"
    }
  }
}

@Suite struct ManifestTests {
  let header = "id,front,back,identityNumber\n"

  @Test func columnsComeInAnyOrderAndFramesAreDivided() throws {
    let entries = try manifest(
      "scanMode,back,identityNumber,id,front,imageWidth\nfrontOnly,,12345-1234567-1,a, f1.png ; f2.tif;,640\n,b.png,,b,,\n"
    )
    #expect(
      entries == [
        .row(
          ManifestRow(
            id: "a", front: ["f1.png", "f2.tif"], identityNumber: "12345-1234567-1", scanMode: .frontOnly,
            imageWidthPixels: 640, number: 1)),
        .row(ManifestRow(id: "b", back: ["b.png"], number: 2)),
      ])
  }

  @Test(arguments: ["\n", "\r\n", "\r"], ["", "\u{FEFF}"])
  func marksAndLineEndsDoNotMatter(_ end: String, _ mark: String) throws {
    let text =
      mark + ["id,front,back,identityNumber", "a,f,b,1", "", "\"b\",\"x;y\",,", "c,f,b,1"].joined(separator: end)
    #expect(outline(try manifest(text)) == ["a", "b", "c"])
    #expect(outline(try manifest(text + end)) == ["a", "b", "c"])
    let broken = mark + ["id,front,back,identityNumber", "a,f,b,1", "b", "c,f,b,1"].joined(separator: end)
    #expect(outline(try manifest(broken)) == ["a", "row 2 (line 3): it has 1 cells, the header has 4", "c"])
  }

  @Test func semicolonsInPathsAreWrittenWithABackslash() throws {
    let entries = try manifest(header + #""a","x\;y.png;z\\;w\.png",""# + #"q""r,s.png","# + "\n" + "b,,,\n")
    guard case .row(let row)? = entries.first else { return #expect(Bool(false)) }
    #expect(row.front == ["x;y.png", #"z\"#, #"w\.png"#])
    #expect(row.back == [#"q"r,s.png"#])
  }

  @Test(arguments: [
    ["a"], ["a;b", "c"], [#"a\"#, "b"], [#"a\;b\"#, #"\\"#, ";"], [";;", #"\;"#, "x"], [], ["é", "a b"],
  ])
  func everyListOfPathsComesBack(_ paths: [String]) {
    #expect(FrameList.split(FrameList.join(paths)) == paths)
  }

  @Test(arguments: [
    ("id,front,back\n", "no column `identityNumber`"), ("id,id,front,back,identityNumber\n", "the column `id` twice"),
    ("id,front,back,identityNumber,name\n", "column 5 is not one"),
    ("id;front;back;identityNumber\n", "divided by commas"),
    ("", "empty"), ("\n\n", "empty"), ("\"id,front\n", "not a CSV header"),
    ("4210100000017,a,b,c\n", "column 1 is not one"),
    ("i\u{0}d,front,back,identityNumber\n", "UTF-16 or binary"),
    ("ID,Id,front,back,identityNumber\n", "the column `id` twice"),
  ])
  func aWrongHeaderIsRefusedWithoutAValue(_ text: String, _ part: String) throws {
    do {
      _ = try manifest(text)
      Issue.record("it was taken")
    } catch let error as FormatError {
      #expect(error.description.contains(part))
      #expect(!error.description.contains("4210100000017"))
    }
  }

  @Test(arguments: [String.Encoding.utf16LittleEndian, .utf16BigEndian, .utf16, .utf32])
  func wideEncodingsAreRefusedWithTheRemedy(_ encoding: String.Encoding) throws {
    for name in ["m.csv", "m.ndjson"] {
      let data = try #require("id,front,back,identityNumber\na,b,c,d\n".data(using: encoding))
      do {
        _ = try manifest(Array(data), name: name)
        Issue.record("it was taken")
      } catch let error as FormatError {
        #expect(error.description.contains("iconv -f UTF-16 -t UTF-8"))
      }
    }
  }

  @Test func aMissingFileIsRefused() {
    #expect(throws: FormatError("no such file")) { try ManifestReader(path: "/nonexistent/m.csv") }
  }

  @Test func aBadRowCostsItselfAlone() throws {
    let rows: [(String, String)] = [
      ("a,f,b,1", "a"), ("b,f", "row 2 (line 3): it has 2 cells, the header has 4"),
      ("c,f,b,1,", "row 3 (line 4): it has 5 cells, the header has 4"), (",f,b,1", "row 4 (line 5): `id` is empty"),
      ("a,f,b,1", "row 5 (line 6): its `id` stands in an earlier row too"),
      ("d\u{0},f,b,1", "row 6 (line 7): `id` holds a NUL"),
      ("e,f\u{0},b,1", "row 7 (line 8): `front` holds a NUL"),
      ("f,\"x\"y,b,1", "row 8 (line 9): its quotes are not placed as CSV places them"),
      ("g,\"x,b,1", "row 9 (line 10): its quotes are not placed as CSV places them"), ("h,\"a\"\"b\",b,1", "h"),
      ("i,f,b,", "i"),
    ]
    #expect(outline(try manifest(header + rows.map { $0.0 + "\n" }.joined())) == rows.map(\.1))
  }

  @Test func otherColumnsAreChecked() throws {
    let text =
      "id,front,back,identityNumber,scanMode,imageWidth\na,f,b,1,both,\nb,f,b,1,,wide\nc,f,b,1,,63\nd,f,b,1,backOnly,64\n"
    #expect(
      outline(try manifest(text)) == [
        "row 1 (line 2): `scanMode` is none of frontAndBack, frontOnly, backOnly",
        "row 2 (line 3): `imageWidth` is not a whole number", "row 3 (line 4): `imageWidth` is not within 64...8000",
        "d",
      ])
  }

  @Test func aQuoteThatNeverClosesCostsItsRowAlone() throws {
    let text = header + "a,f,b,1\nb,\"f,b,1\n" + (0..<5).map { "c\($0),f,b,1\n" }.joined()
    #expect(
      outline(try manifest(text)) == [
        "a", "row 2 (line 3): a quote is opened and never closed", "c0", "c1", "c2", "c3", "c4",
      ])
    let far = header + "b,\"f,b,1\n" + (0..<100_000).map { "row\($0),f,b,1\n" }.joined()
    let entries = try manifest(far)
    #expect(entries.count == 100_001)
    #expect(outline(Array(entries.prefix(2))) == ["row 1 (line 2): a quote is opened and never closed", "row0"])
  }

  @Test func aQuotedLineEndBelongsToItsCell() throws {
    let entries = try manifest(header + "\"a\nb\",f,b,1\nc,f,b\n")
    #expect(outline(entries) == ["a\nb", "row 2 (line 4): it has 3 cells, the header has 4"])
  }

  @Test func aLineOfTenMegabytesIsOneProblem() throws {
    let long = String(repeating: "x", count: 10_000_000)
    #expect(
      outline(try manifest(header + "a,f,b,1\nb,\(long),b,1\nc,f,b,1\n")) == [
        "a", "row 2 (line 3): longer than 1048576 bytes", "c",
      ])
    #expect(
      outline(try manifest("{\"id\":\"a\"}\n{\"id\":\"\(long)\"}\n{\"id\":\"c\"}", name: "m.ndjson")) == [
        "a", "row 2 (line 2): longer than 1048576 bytes", "c",
      ])
    #expect(
      outline(try manifest(header + "a,\"f\n\(long)\nc,f,b,1\n")) == [
        "row 1 (line 2): a quote is opened and never closed", "row 2 (line 3): longer than 1048576 bytes", "c",
      ])
  }

  @Test(arguments: [997, 1_200_000])
  func aCellOfTenMegabytesInManyLinesIsOneProblem(lineLength: Int) throws {
    let cell = String(repeating: String(repeating: "x", count: lineLength) + "\"\"\n", count: 10_000_000 / lineLength)
    let entries = try manifest(header + "a,f,b,1\nb,\"\(cell)\",\"b\",1\nc,f,b,1\n")
    #expect(outline(entries) == ["a", "row 2 (line 3): longer than 1048576 bytes", "c"])
  }

  @Test func aFarQuoteElsewhereDoesNotSwallowTheRowsBetween() throws {
    let rows = (0..<100_000).map { "row\($0),f,b,1\n" }.joined()
    let entries = try manifest(header + "b,\"f,b,1\n" + rows + "c,\"f,b,1\n" + rows)
    // The second hundred thousand have the first ones' ids.
    #expect(entries.count == 200_002)
    #expect(entries.prefix(100_001).count { if case .row = $0 { true } else { false } } == 100_000)
    #expect(outline([entries[100_001]]) == ["row 100002 (line 100003): a quote is opened and never closed"])
  }

  @Test func bytesThatAreNoUTF8AreAProblem() throws {
    let bytes = Array((header + "a,f").utf8) + [0xE9] + Array(".png,b,1\nb,f,b,1\n".utf8)
    let entries = try manifest(bytes)
    #expect(outline(entries).last == "b")
    #expect(outline(entries)[0].hasPrefix("row 1 (line 2): `front` is not UTF-8"))
  }

  @Test func ndjsonManifestsHaveTheSameKeys() throws {
    let text = """
      {"id":"a","front":["f;1.png","f2.png"],"back":"b1;b2","identityNumber":"1","scanMode":"backOnly","imageWidth":100}

      {"id":"b","fornt":["f"]}
      {"id":"a"}
      not json
      {"id":"c","identityNumber":5}
      {"id":"d"}
      """
    let entries = try manifest(text, name: "m.jsonl")
    #expect(
      entries.first
        == .row(
          ManifestRow(
            id: "a", front: ["f;1.png", "f2.png"], back: ["b1", "b2"], identityNumber: "1", scanMode: .backOnly,
            imageWidthPixels: 100,
            number: 1)))
    #expect(
      outline(Array(entries.dropFirst())) == [
        "row 2 (line 3): it has a key other than back, front, id, identityNumber, imageWidth, scanMode",
        "row 3 (line 4): its `id` stands in an earlier row too",
        "row 4 (line 5): not JSON: no JSON value starts here (at byte 0)",
        "row 5 (line 6): `identityNumber` is not a text", "d",
      ])
    #expect(outline(try manifest(#"  {"id":"x"}"#, name: "manifest")) == ["x"])
    #expect(outline(try manifest("id,front,back,identityNumber\nx,,,\n", name: "manifest")) == ["x"])
  }

  @Test func rowsComeBackFromTheWriterAndRunNothingInASpreadsheet() throws {
    let ids = [
      "=cmd|'/c calc'!A1", "+1", "-x", "@a", "'=a", "''@b", "'plain", "a,\"b\"", "line\nend", " edge ", "\tq",
      "\u{FF1D}x", "<script>", "\u{202E}rtl", "42101-0000001-7",
    ]
    let rows = ids.enumerated().map {
      ManifestRow(id: $1, front: ["=x;y.png", #"dir\"#], identityNumber: "1", number: $0 + 1)
    }
    let text = ManifestWriter.header + rows.map(ManifestWriter.line).joined()
    #expect(try manifest(text) == rows.map(ManifestEntry.row))
    for cell in text.split(whereSeparator: { ",\n".contains($0) }) {
      #expect(!["=", "+", "-", "@", "\t"].contains(String(cell.drop { $0 == "\"" }.prefix(1))))
    }
    #expect(
      ManifestWriter.rescanLine(ManifestRow(id: "a", front: ["f"], back: ["b"], identityNumber: "1")) == "a,f,,1,,\n")
  }

  @Test func identitiesAreRead() throws {
    let scratch = try Scratch()
    var reader = try IdentitiesReader(
      path: scratch.file("i.csv", Array("identityNumber,id\n4210100000017,a\n,b\n1,\n".utf8)))
    var lines: [String] = []
    while let entry = try reader.next() {
      switch entry {
      case .success(let (id, number)): lines.append("\(id) \(number ?? "-")")
      case .failure(let problem): lines.append("\(problem)")
      }
    }
    #expect(lines == ["a 4210100000017", "b -", "row 3 (line 4): `id` is empty"])
  }

  @Test(arguments: 0..<200)
  func rubbishIsReadToItsEnd(_ seed: UInt64) throws {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    func random(_ bound: Int) -> Int {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      return Int(state % UInt64(bound))
    }
    let alphabet = Array("\"\",;\n\r\\a{}:[]\u{0}".utf8) + [0xFF, 0xC3]
    let rubbish = (0..<2000).map { _ in alphabet[random(alphabet.count)] }
    let csv = try manifest(Array(header.utf8) + rubbish + Array("\n\"\n".utf8))
    #expect(!csv.isEmpty)
    _ = try manifest(Array("{\"id\":\"a\"}\n".utf8) + rubbish, name: "m.ndjson")
  }
}
