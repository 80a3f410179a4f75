/// Which stretches of a file were removed.
struct RemovedLines {
  /// The new file's length.
  var length = 0
  /// Each removed stretch, in order, with the bytes removed up to and including it.
  private var removed: [(start: Int, end: Int, total: Int)] = []

  init(length: Int = 0) { self.length = length }

  var count: Int { removed.count }

  mutating func add(_ start: Int, _ end: Int) { removed.append((start, end, (removed.last?.total ?? 0) + end - start)) }

  /// What stays of a file of this length, in order.
  func kept(of length: Int) -> [Range<Int>] {
    var kept: [Range<Int>] = []
    var start = 0
    for stretch in removed {
      if start < stretch.start { kept.append(start..<stretch.start) }
      start = stretch.end
    }
    if start < length { kept.append(start..<length) }
    return kept
  }

  /// Where kept bytes stand now.
  func moved(_ range: Range<Int>) -> Range<Int> {
    let before = removed.partitionPoint { $0.end <= range.lowerBound }
    let start = range.lowerBound - (before == 0 ? 0 : removed[before - 1].total)
    return start..<(start + range.count)
  }
}
