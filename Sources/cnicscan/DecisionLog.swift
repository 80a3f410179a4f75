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
    for (number, line) in try Self.lines(of: path).enumerated() {
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
  func latest() throws(CommandFailure) -> [String: Entry] {
    Dictionary(try entries().map { ($0.decision.id, $0) }) { $1 }
  }

  /// Takes away the decisions on all pairs but these: part of a purge.
  func keepOnly(_ ids: Set<String>) throws(CommandFailure) {
    let entries = try entries()
    let kept = entries.filter { ids.contains($0.decision.id) }
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

  private static func key(_ decision: ReviewDecision, _ reviewer: String) -> String {
    String(decoding: decision.line, as: UTF8.self) + reviewer
  }

  private static func lines(of file: String) throws(CommandFailure) -> [Data.SubSequence] {
    do {
      return try Data(contentsOf: URL(fileURLWithPath: file)).split(separator: 0x0A).filter { !$0.isEmpty }
    } catch {
      throw CommandFailure(.noInput, "cannot read \(file)")
    }
  }

  private func append(_ bytes: Data) throws(CommandFailure) {
    guard !bytes.isEmpty else { return }
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw CommandFailure(.cannotCreateOutput, "decisions.ndjson cannot be opened") }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: bytes)
      try handle.synchronize()
    } catch {
      throw CommandFailure(.outputFailure, "decisions.ndjson cannot be written")
    }
  }
}
