import CardModel

extension Summary {
  /// The file's text: sorted keys, indented, with a line end.
  package var text: String { JSONWriter.indented(json) }

  /// The summary as a JSON value. Vocabularies stand whole, so that a count of 0 is said.
  package var json: JSONValue {
    func counts<K: RawRepresentable & CaseIterable & Hashable>(_ map: [K: Int], whole: Bool) -> JSONValue
    where K.RawValue == String {
      .object(K.allCases.filter { whole || map[$0] != nil }.map { .init($0.rawValue, .int(map[$0] ?? 0)) }.sortedByKey)
    }
    let checkCounts = Check.allCases.map { JSONValue.Member($0.rawValue, counts(checks[$0] ?? [:], whole: true)) }
    return .object(
      [
        .init("addsUp", .bool(addsUp)),
        .init("checks", .object(checkCounts.sortedByKey)),
        .init("confidence", .array(confidence.map { .int($0) })),
        .init("documentTypes", counts(documentTypes, whole: true)),
        .init("duplicateGroups", .int(duplicateGroups)),
        .init("fields", counts(fields, whole: true)),
        .init("found", .int(found)),
        .init("framesSetAside", counts(framesSetAside, whole: false)),
        .init("needsPerson", .int(needsPerson)),
        .init("newFronts", .int(newFronts)),
        .init("outcomes", counts(outcomes, whole: true)),
        .init("pairsPerSecond", .double(pairsPerSecond)),
        .init("reasons", counts(reasons, whole: false)),
        .init("refusedRows", .int(refusedRows)),
        .init("schemaVersion", .int(Self.schemaVersion)),
        .init("seconds", .double(seconds)),
        .init("skipped", .int(skipped)),
        .init("stages", .object(stages.map { .init($0.key, $0.value.json) }.sortedByKey)),
        .init("symbologies", counts(symbologies, whole: true)),
        .init(
          "throughput",
          .object([
            .init("bucketSeconds", .double(throughput.bucketSeconds)),
            .init("pairs", .array(throughput.pairs.map { .int($0) })),
          ])),
        .init("unpairedFiles", .int(unpairedFiles)),
        .init("workersReplaced", .int(workersReplaced)),
      ])
  }

  /// Reads a summary that this type wrote.
  package init(text: some Collection<UInt8>) throws(FormatError) {
    self.init()
    let fields = try WireFields(JSONValue.parse(line: text))
    guard try fields.int("schemaVersion") == Self.schemaVersion else {
      throw FormatError("`schemaVersion` is not \(Self.schemaVersion)")
    }
    found = try fields.int("found")
    skipped = try fields.int("skipped")
    outcomes = try fields.counts("outcomes")
    documentTypes = try fields.counts("documentTypes")
    newFronts = try fields.int("newFronts")
    self.fields = try fields.counts("fields")
    reasons = try fields.counts("reasons")
    framesSetAside = try fields.counts("framesSetAside")
    checks = try fields.map("checks") { value, path throws(FormatError) in
      try WireFields(.object([.init("counts", value)])).counts("counts")
    }.filter { !$0.value.isEmpty }
    symbologies = try fields.counts("symbologies")
    confidence = try fields.integers("confidence")
    guard confidence.count == Self.confidenceBins else {
      throw FormatError("`confidence` has the wrong number of bins")
    }
    needsPerson = try fields.int("needsPerson")
    for member in try fields.required("stages", "is not an object", { $0.object }) {
      stages[member.key] = try StageTimes(WireFields(member.value, path: "stages"))
    }
    if let rate = try fields.fields("throughput") {
      throughput.bucketSeconds = try rate.number("bucketSeconds")
      throughput.pairs = try rate.integers("pairs")
    }
    seconds = try fields.number("seconds")
    pairsPerSecond = try fields.number("pairsPerSecond")
    refusedRows = try fields.int("refusedRows")
    unpairedFiles = try fields.int("unpairedFiles")
    duplicateGroups = try fields.int("duplicateGroups")
    workersReplaced = try fields.int("workersReplaced")
  }
}

extension Summary.StageTimes {
  fileprivate var json: JSONValue {
    .object([
      .init("count", .int(count)), .init("maximumMilliseconds", .double(maximum)),
      .init("meanMilliseconds", .double(mean)),
      .init("medianMilliseconds", .double(median)), .init("p95Milliseconds", .double(p95)),
    ])
  }

  fileprivate init(_ fields: WireFields) throws(FormatError) {
    count = try fields.int("count")
    maximum = try fields.number("maximumMilliseconds")
    mean = try fields.number("meanMilliseconds")
    median = try fields.number("medianMilliseconds")
    p95 = try fields.number("p95Milliseconds")
  }
}

extension WireFields {
  /// Counts by word; zeros are left out.
  fileprivate func counts<K: RawRepresentable & Hashable>(_ key: String) throws(FormatError) -> [K: Int]
  where K.RawValue == String {
    try map(key) { value, path throws(FormatError) -> Int in
      guard let count = value.int, count >= 0 else { throw FormatError("`\(path)` is no count") }
      return count
    }.filter { $0.value > 0 }
  }

  fileprivate func integers(_ key: String) throws(FormatError) -> [Int] {
    try required(key, "is not a list of whole numbers") { value -> [Int]? in
      guard let elements = value.array else { return nil }
      let numbers = elements.compactMap(\.int)
      return numbers.count == elements.count ? numbers : nil
    }
  }
}

extension [JSONValue.Member] {
  /// The members by the bytes of their keys.
  fileprivate var sortedByKey: [JSONValue.Member] {
    sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
  }
}
