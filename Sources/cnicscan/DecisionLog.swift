internal import BatchRun
internal import Foundation
internal import RecordFormats

/// `OUT/decisions.ndjson`: what persons decided about pairs, in the order of its recording. Lines are only added; the last
/// one of a pair counts.
struct DecisionLog {
  let output: String
  private var path: String { output + "/decisions.ndjson" }

  /// A recorded decision: the reviewer's line, with who and when.
  struct Entry {
    let decision: ReviewDecision
    let reviewer: String
    let json: JSONValue
  }

  /// Records every decision of a file, or none where a line is wrong. One that is recorded already is passed over.
  /// - Throws: `CommandFailure`: `.noInput` naming the line that is wrong; `.outputFailure`.
  func record(file: String, reviewer: String) throws(CommandFailure) -> (recorded: Int, known: Int) {
    guard FileManager.default.isReadableFile(atPath: output + "/ledger.sqlite") else {
      throw CommandFailure(.noInput, "no ledger.sqlite lies in \(output)")
    }
    let known = Set(try entries().map { Self.key($0.decision, $0.reviewer) })
    var seen = known
    var addition = Data()
    var doubles = 0
    let now = Date().formatted(.iso8601)
    for (number, line) in try Self.lines(of: file).enumerated() {
      let decision: ReviewDecision
      do throws(FormatError) { decision = try ReviewDecision(line: line) } catch {
        throw CommandFailure(.noInput, "line \(number + 1) of the decisions: \(error); nothing was recorded")
      }
      guard seen.insert(Self.key(decision, reviewer)).inserted else {
        doubles += 1
        continue
      }
      let members =
        (decision.json.object ?? []) + [
          .init("recordedAt", .string(now)), .init("reviewer", .string(reviewer)),
        ]
      addition.append(contentsOf: JSONWriter.line(.object(members)) + [0x0A])
    }
    try append(addition)
    return (seen.count - known.count, doubles)
  }

  /// Everything recorded, oldest first; empty where nothing is.
  func entries() throws(CommandFailure) -> [Entry] {
    guard FileManager.default.fileExists(atPath: path) else { return [] }
    var entries: [Entry] = []
    for (number, line) in try Self.lines(of: path, isOwn: true).enumerated() {
      do throws(FormatError) {
        let json = try JSONValue.parse(line: line)
        let own: Set = ["recordedAt", "reviewer"]
        let members = (json.object ?? []).filter { !own.contains($0.key) }
        entries.append(
          Entry(
            decision: try ReviewDecision(line: JSONWriter.line(.object(members))),
            reviewer: json["reviewer"]?.string ?? "", json: json))
      } catch {
        throw CommandFailure(.internalError, "line \(number + 1) of decisions.ndjson cannot be read: \(error)")
      }
    }
    return entries
  }

  /// The decision that counts for each pair.
  func latest() throws(CommandFailure) -> [ExactText: Entry] {
    Dictionary(try entries().map { (ExactText($0.decision.id), $0) }) { $1 }
  }

  /// Takes away the decisions on all pairs but these: part of a purge.
  func keepOnly(_ ids: Set<ExactText>) throws(CommandFailure) {
    let entries = try entries()
    let kept = entries.filter { ids.contains(ExactText($0.decision.id)) }
    guard kept.count < entries.count else { return }
    var bytes: [UInt8] = []
    for entry in kept { bytes += JSONWriter.line(entry.json) + [0x0A] }
    do {
      try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    } catch {
      throw CommandFailure(.outputFailure, "decisions.ndjson cannot be written anew")
    }
  }

  private static func key(_ decision: ReviewDecision, _ reviewer: String) -> ExactText {
    ExactText(String(decoding: decision.line, as: UTF8.self) + reviewer)
  }

  /// - Parameter isOwn: what stands behind the last line's end is then torn, and was never said to be recorded.
  private static func lines(of file: String, isOwn: Bool = false) throws(CommandFailure) -> [Data.SubSequence] {
    do {
      let data = try Data(contentsOf: URL(fileURLWithPath: file))
      return (isOwn ? data.prefix(wholeLength(data)) : data).split(separator: 0x0A).filter { !$0.isEmpty }
    } catch {
      throw CommandFailure(.noInput, "cannot read \(file)")
    }
  }

  /// The bytes up to and including the last line's end.
  private static func wholeLength(_ data: Data) -> Int { data.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0 }

  private func append(_ bytes: Data) throws(CommandFailure) {
    guard !bytes.isEmpty else { return }
    let descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw CommandFailure(.cannotCreateOutput, "decisions.ndjson cannot be opened") }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    // Two reviewers may record at once; a torn line of somebody who could not finish is cut off, never one under way.
    while flock(descriptor, LOCK_EX) != 0 {
      guard errno == EINTR else { throw CommandFailure(.outputFailure, "decisions.ndjson cannot be locked") }
    }
    var whole: Int?
    do {
      let length = Self.wholeLength(try handle.readToEnd() ?? Data())
      whole = length
      try handle.truncate(atOffset: UInt64(length))
      try handle.write(contentsOf: bytes)
      try handle.synchronize()
    } catch {
      // All of them or none: what was written is taken back.
      if let whole { ftruncate(descriptor, off_t(whole)) }
      throw CommandFailure(.outputFailure, "decisions.ndjson cannot be written: nothing was recorded")
    }
  }
}
