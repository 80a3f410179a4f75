internal import Foundation
internal import Glibc
package import RecordFormats

/// `OUT/decisions.ndjson`: what persons decided about pairs, in the order of its recording. Lines are only added; the last one of a pair
/// counts.
///
/// Who writes it holds its lock (flock): two reviewers who record at once, and a purge. A purge puts another file in its place, so that
/// whoever waited for the old one's lock opens it anew: what is recorded beside a purge is not lost with the file that went.
package struct DecisionLog: Sendable {
  private let path: String

  /// - Throws: `RunError(.noInput)` where no ledger lies in the folder `output`.
  package init(output: String) throws(RunError) { self.init(in: try OutputFolder(existing: output)) }

  init(in folder: OutputFolder) { path = folder.path + "/decisions.ndjson" }

  /// A recorded decision: the reviewer's line, with who and when.
  package struct Entry: Sendable {
    package let decision: ReviewDecision
    package let reviewer: String
    package let json: JSONValue

    /// - Throws: `FormatError` for a line that no version of this program wrote.
    init(line: [UInt8]) throws(FormatError) {
      json = try JSONValue.parse(line: line)
      let members = (json.object ?? []).filter { !["recordedAt", "reviewer"].contains($0.key) }
      decision = try ReviewDecision(line: JSONWriter.line(.object(members)))
      reviewer = json["reviewer"]?.string ?? ""
    }
  }

  /// A longer line is none of ours: a decision and its reviewer's name.
  private static let maximumLineBytes = ReviewDecision.maximumBytes + (1 << 16)

  // MARK: Recording

  /// Records every decision of a file, or none where a line is wrong. One that is recorded already is passed over.
  /// - Throws: `RunError`: `noInput` naming the line that is wrong; `outputFailure`, and nothing was recorded.
  package func record(file: String, reviewer: String) throws(RunError) -> (recorded: Int, known: Int) {
    let source = open(file, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw RunError(.noInput, "cannot read \(file)") }
    defer { close(source) }
    return try locked(flags: O_CREAT) { log throws(RunError) in
      var seen: Set<Digest> = []
      let length = try Self.eachLine(of: log) { line, number, _ throws(RunError) in
        let entry = try Self.entry(line, number)
        seen.insert(Self.key(entry.decision, entry.reviewer))
      }
      let known = seen.count
      var doubles = 0
      do throws(RunError) {
        let target = try GrowingFile(path: path, acknowledged: length)
        let now = Date().formatted(.iso8601)
        try Self.eachDecision(of: source) { decision throws(RunError) in
          guard seen.insert(Self.key(decision, reviewer)).inserted else {
            doubles += 1
            return
          }
          let who: [JSONValue.Member] = [.init("recordedAt", .string(now)), .init("reviewer", .string(reviewer))]
          target.append(JSONWriter.line(.object((decision.json.object ?? []) + who)) + [0x0A])
          if target.end - target.durable > 1 << 20 { try target.sync() }
        }
        try target.sync()
      } catch {
        // All of them or none: what was written is taken back. Whoever waits for the lock of a file that goes makes another.
        ftruncate(log, off_t(length))
        if length == 0 { unlink(path) }
        throw RunError(error.status, error.message + "; nothing was recorded")
      }
      return (seen.count - known, doubles)
    }
  }

  private static func eachDecision(
    of source: Int32, _ body: (ReviewDecision) throws(RunError) -> Void
  ) throws(RunError) {
    var lines = LineReader(descriptor: source, maximumLineBytes: ReviewDecision.maximumBytes)
    var number = 0
    while true {
      switch lines.next() {
      case .end: return
      case .failed(let code): throw RunError(.noInput, "the decisions cannot be read on (errno \(code))")
      case .line(let line):
        number += 1
        if line.isEmpty { continue }
        let decision: ReviewDecision
        do throws(FormatError) { decision = try ReviewDecision(line: line) } catch {
          throw RunError(.noInput, "line \(number) of the decisions: \(error)")
        }
        try body(decision)
      }
    }
  }

  private static func key(_ decision: ReviewDecision, _ reviewer: String) -> Digest {
    var builder = DigestBuilder()
    builder.add(text: reviewer)
    builder.add(decision.line)
    return builder.finish()
  }

  // MARK: Reading

  /// The decision that counts for each pair.
  /// - Throws: `RunError(.internalError)` naming a line that cannot be read.
  package func latest() throws(RunError) -> LatestDecisions {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
    guard file >= 0 else {
      if errno == ENOENT { return LatestDecisions(file: -1, places: [:]) }
      throw FileFailure.error("decisions.ndjson cannot be opened", errno)
    }
    var places: [ExactText: Range<Int>] = [:]
    do throws(RunError) {
      try Self.eachLine(of: file) { line, number, place throws(RunError) in
        places[ExactText(try Self.entry(line, number).decision.id)] = place
      }
    } catch {
      close(file)
      throw error
    }
    return LatestDecisions(file: file, places: places)
  }

  private static func entry(_ line: [UInt8], _ number: Int) throws(RunError) -> Entry {
    do throws(FormatError) { return try Entry(line: line) } catch {
      throw RunError(.internalError, "line \(number) of decisions.ndjson cannot be read: \(error)")
    }
  }

  /// Hands over every line but empty ones. What stands behind the last line's end is torn, and was never said to be recorded.
  /// - Returns: the bytes up to and including the last line's end.
  @discardableResult
  private static func eachLine(
    of file: Int32, _ body: (_ line: [UInt8], _ number: Int, _ place: Range<Int>) throws(RunError) -> Void
  ) throws(RunError) -> Int {
    var stat = FileStat()
    if let code = stat.look(at: file) { throw FileFailure.error("decisions.ndjson cannot be looked at", code) }
    var lines = LineReader(descriptor: file, maximumLineBytes: maximumLineBytes)
    var (offset, number) = (0, 0)
    while true {
      switch lines.next() {
      case .end: return offset
      case .failed(let code): throw FileFailure.error("decisions.ndjson cannot be read", code)
      case .line(let line):
        let end = offset + line.count + 1
        if end > stat.size { return offset }
        number += 1
        if !line.isEmpty { try body(line, number, offset..<(end - 1)) }
        offset = end
      }
    }
  }

  // MARK: Purging

  /// Says whether every line can be read, before a purge begins.
  func check() throws(RunError) { _ = try latest() }

  /// Takes away the decisions on pairs that are not known any more. A line that cannot be read is nobody's and stays.
  func forget(unless isKnown: (_ id: String) throws(RunError) -> Bool) throws(RunError) {
    guard access(path, F_OK) == 0 else { return }
    try locked { log throws(RunError) in
      let next = path + ".new"
      let target = try GrowingFile(path: next, acknowledged: 0)
      var gone = 0
      try Self.eachLine(of: log) { line, _, _ throws(RunError) in
        let id: String?
        do throws(FormatError) { id = try JSONValue.parse(line: line)["id"]?.string } catch { id = nil }
        if let id, try !isKnown(id) {
          gone += 1
        } else {
          target.append(line + [0x0A])
          if target.end - target.durable > 1 << 20 { try target.sync() }
        }
      }
      guard gone > 0 else {
        unlink(next)
        return
      }
      try target.sync()
      guard rename(next, path) == 0 else { throw FileFailure.error("decisions.ndjson cannot be written anew", errno) }
    }
  }

  /// Calls `body` with the file while its lock is held.
  private func locked<Value>(
    flags: Int32 = 0, _ body: (_ log: Int32) throws(RunError) -> Value
  ) throws(RunError) -> Value {
    while true {
      let log = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
      guard log >= 0 else { throw FileFailure.error("decisions.ndjson cannot be opened", errno) }
      defer { close(log) }
      while flock(log, LOCK_EX) != 0 {
        guard errno == EINTR else { throw FileFailure.error("decisions.ndjson cannot be locked", errno) }
      }
      var held = FileStat()
      var named = FileStat()
      let isThere = held.look(at: log) == nil && named.look(at: path, followingLinks: false) == nil
      if isThere, held.inode == named.inode, held.device == named.device { return try body(log) }
    }
  }
}
