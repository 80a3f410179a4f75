internal import RecordFormats
private import CProcess

/// Finds ids in texts: any of many in one pass, so that a million ids and a million paths do not make a million million looks.
struct IdFinder: Sendable {
  /// In the order of their bytes.
  private let ids: [[UInt8]]
  /// As they stand in a line of JSON, where they are so few that looking for each is quicker than reading the line.
  private let quoted: [[UInt8]]?

  private static let few = 4

  init(_ ids: Set<ExactText>) {
    let sorted = ids.map { Array($0.text.utf8) }.filter { !$0.isEmpty }.sorted { $0.lexicographicallyPrecedes($1) }
    self.ids = sorted
    quoted =
      sorted.count <= Self.few ? sorted.map { JSONWriter.line(.string(String(decoding: $0, as: UTF8.self))) } : nil
  }

  /// Whether a text holds one of the ids, byte by byte.
  func finds(in text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.indices.contains { startsWithId(bytes[$0...]) }
  }

  /// Narrows the ids that begin as the text does, byte after byte.
  private func startsWithId(_ text: ArraySlice<UInt8>) -> Bool {
    var (low, high) = (0, ids.count)
    for (depth, byte) in text.enumerated() {
      let part = ids[low..<high]
      (low, high) = (part.partitionPoint { $0[depth] < byte }, part.partitionPoint { $0[depth] <= byte })
      guard low < high else { return false }
      // The shortest of them comes first.
      if ids[low].count == depth + 1 { return true }
    }
    return false
  }

  /// Whether a line of JSON may speak of one of the ids; quick where they are few.
  func mayFind(in line: [UInt8]) -> Bool { quoted?.contains { line.holds($0) } ?? true }

  /// The id that a line holds which is no JSON any more.
  func firstId(in line: [UInt8]) -> String? {
    quoted?.firstIndex { line.holds($0) }.map { String(decoding: ids[$0], as: UTF8.self) }
  }
}

extension [UInt8] {
  /// Whether these bytes stand in it, one after the other.
  func holds(_ bytes: [UInt8]) -> Bool {
    withUnsafeBytes { line in
      bytes.withUnsafeBytes { cprocess_holds(line.baseAddress, line.count, $0.baseAddress, $0.count) != 0 }
    }
  }
}
