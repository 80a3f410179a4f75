internal import Glibc
internal import RecordFormats

/// The lines of `timings.ndjson` of a shard's runs, found by the results that they belong to. Both files of a run hold one line
/// a pair in the same order; of each line 16 bytes are kept.
final class ShardTimes {
  private let folder: OutputFolder
  private var runs: [Int: Run] = [:]

  private struct Run {
    var file: Int32
    /// Where each line of the results starts.
    var results: [Int]
    /// Where each line of the times ends.
    var ends: [Int]
  }

  init(_ folder: OutputFolder, runs: [LedgerRun]) {
    self.folder = folder
    for run in runs {
      let path = folder.run(run.folder)
      let file = open(path + "/timings.ndjson", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      guard file >= 0 else { continue }
      var starts = [0]
      Self.eachLineEnd(path + "/results.ndjson") { starts.append($0) }
      var ends: [Int] = []
      Self.eachLineEnd(path + "/timings.ndjson") { ends.append($0) }
      self.runs[run.number] = Run(file: file, results: starts, ends: ends)
    }
  }

  deinit { for run in runs.values { close(run.file) } }

  /// The pair's line without its end; `nil` where it is not there: times are no part of the record.
  func line(of entry: LedgerEntry) -> [UInt8]? {
    guard let run = runs[entry.run] else { return nil }
    let place = run.results.partitionPoint { $0 < entry.results.lowerBound }
    guard place < run.ends.count, run.results[place] == entry.results.lowerBound else { return nil }
    let start = place == 0 ? 0 : run.ends[place - 1]
    var bytes = [UInt8](repeating: 0, count: run.ends[place] - start - 1)
    let count = bytes.withUnsafeMutableBytes { pread(run.file, $0.baseAddress, $0.count, off_t(start)) }
    return count == bytes.count ? bytes : nil
  }

  /// Wall time that the shard's runs took together, by their summaries; 0 where one has none.
  func seconds(of runs: [LedgerRun]) -> Double {
    var sum = 0.0
    for run in runs {
      let file = open(folder.run(run.folder) + "/summary.json", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
      guard file >= 0 else { return 0 }
      defer { close(file) }
      var lines = LineReader(descriptor: file, maximumLineBytes: 1 << 16)
      var text: [UInt8] = []
      while case .line(let line) = lines.next() { text += line }
      do throws(FormatError) { sum += try Summary(text: text).seconds } catch { return 0 }
    }
    return sum
  }

  private static func eachLineEnd(_ path: String, _ body: (Int) -> Void) {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else { return }
    defer { close(file) }
    var lines = LineReader(descriptor: file, maximumLineBytes: 1 << 28)
    var end = 0
    while case .line(let line) = lines.next() {
      end += line.count + 1
      body(end)
    }
  }
}

extension RandomAccessCollection where Index == Int {
  /// The first place whose element does not belong to the first part, in a list of two parts.
  func partitionPoint(_ belongsToFirstPart: (Element) -> Bool) -> Int {
    var low = startIndex, high = endIndex
    while low < high {
      let middle = (low + high) / 2
      if belongsToFirstPart(self[middle]) { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
