import Testing

import RecordFormats

@Suite struct JSONTests {
  @Test(arguments: [
    (1.0, "1.0"), (0, "0.0"), (0.98765, "0.9877"), (0.00004, "0.0"), (-0.00004, "0.0"), (-1.25, "-1.25"), (0.1, "0.1"),
    (12.3456, "12.3456"),
    (0.0101, "0.0101"), (99_999.00005, "99999.0001"), (Double.nan, "null"), (Double.infinity, "null"), (0.99996, "1.0"),
  ])
  func fractionsAreRoundedToFourDecimals(_ value: Double, _ expected: String) {
    #expect(JSONWriter.text(.double(value)) == expected)
  }

  @Test(arguments: [0, -1, 42, Int.max, Int.min])
  func wholeNumbersHaveNoPoint(_ value: Int) throws {
    #expect(JSONWriter.text(.int(value)) == "\(value)")
    #expect(try JSONParser.parse(Array("\(value)".utf8)) == .int(value))
  }

  @Test func everyScalarMakesOneLineThatComesBack() throws {
    var text = ""
    for code in (0..<0x3000 as Range<UInt32>) {
      if let scalar = Unicode.Scalar(code) { text.unicodeScalars.append(scalar) }
    }
    text += "\u{FEFF}\u{FFFF}\u{1F600}"
    let line = JSONWriter.line(.string(text))
    #expect(try JSONParser.parse(line) == .string(text))
    let written = String(decoding: line, as: UTF8.self)
    #expect(
      !written.unicodeScalars.contains {
        $0.value < 0x20 || (0x7F...0x9F).contains($0.value) || [0x2028, 0x2029].contains($0.value)
      })
    #expect(
      JSONWriter.text(.string("a/b\u{85}\u{2028}\u{2029}\u{1}\u{7F}\"\\\n"))
        == #""a/b\u0085\u2028\u2029\u0001\u007f\"\\\n""#)
  }

  @Test func keysAreSortedByTheirBytes() {
    let value = JSONValue.object([.init("b", .null), .init("a", .array([.bool(true)])), .init("B", .object([]))])
    #expect(JSONWriter.text(value) == #"{"B":{},"a":[true],"b":null}"#)
  }

  @Test func escapesAreRead() throws {
    #expect(
      try JSONParser.parse(Array(#" "\u00e9\ud83d\ude00\/\b\f\n\r\t\"\\" "#.utf8)) == .string("é😀/\u{8}\u{C}\n\r\t\"\\")
    )
    #expect(try JSONParser.parse(Array("[1, -2.5e3 ,0.0]".utf8)) == .array([.int(1), .double(-2500), .double(0)]))
  }

  @Test(arguments: [
    "01", "1.", ".5", "+1", "-", "1e", "tru", "\"a", "\"\n\"", "[1,]", "{\"a\"}", "{\"a\":1,}", "{a:1}", "1 2",
    "\"\\x\"", "\"\\u12\"",
    "\"\\udc00\"", "\"\\ud800a\"", "\"\\ud800\\u0041\"", "NaN", "1e999", "[", "]", "",
  ])
  func whatIsNoJSONIsRefused(_ text: String) {
    #expect(throws: JSONError.self) { try JSONParser.parse(Array(text.utf8)) }
  }

  @Test func manyKeysAreCheckedForDoubles() throws {
    let keys = (0..<50_000).map { "\"k\($0)\":0" }
    let object = try JSONParser.parse(Array("{\(keys.joined(separator: ","))}".utf8))
    #expect(object.object?.count == 50_000)
    #expect(throws: JSONError.self) {
      try JSONParser.parse(Array("{\(keys.joined(separator: ",")),\"k49999\":0}".utf8))
    }
  }
}
