internal import BatchRun
internal import Foundation

/// Something that was looked for.
struct Finding: Equatable, Sendable {
  enum State: String, Sendable { case ok, warning, missing }
  let name: String
  let state: State
  /// What was found, e.g. a version.
  let detail: String
  /// The one command, or the one act, that mends it; empty where all is well.
  let remedy: String
  /// What `check` exits with when it is missing.
  let status: ExitStatus

  static func ok(_ name: String, _ detail: String) -> Finding {
    Finding(name: name, state: .ok, detail: detail, remedy: "", status: .complete)
  }
  static func warning(_ name: String, _ detail: String, remedy: String) -> Finding {
    Finding(name: name, state: .warning, detail: detail, remedy: remedy, status: .complete)
  }
  static func missing(_ name: String, _ detail: String, remedy: String, status: ExitStatus = .engineMissing) -> Finding
  {
    Finding(name: name, state: .missing, detail: detail, remedy: remedy, status: status)
  }
}

/// The two forms of the findings.
enum CheckReport {
  static func text(_ findings: [Finding]) -> String {
    let width = (findings.map(\.name.count).max() ?? 0) + 2
    let colour = Terminal.outputHasColour
    let lines = findings.map { finding in
      let word = finding.state.rawValue.padded(to: 9)
      let shown = colour ? "\u{1B}[\(Self.colours[finding.state] ?? 0)m\(word)\u{1B}[0m" : word
      let line = shown + finding.name.padded(to: width) + finding.detail
      return finding.remedy.isEmpty ? line : line + "\n" + "".padded(to: 9 + width) + "→ " + finding.remedy
    }
    return lines.joined(separator: "\n") + "\n"
  }

  static func json(_ findings: [Finding]) throws(CommandFailure) -> String {
    do {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
      let wire = Wire(
        checks: findings.map {
          Wire.Check(
            detail: $0.detail, name: $0.name, remedy: $0.remedy.isEmpty ? nil : $0.remedy, state: $0.state.rawValue)
        }, ok: !findings.contains { $0.state == .missing })
      return String(decoding: try encoder.encode(wire), as: UTF8.self) + "\n"
    } catch {
      throw CommandFailure(.internalError, "the findings cannot be written as JSON")
    }
  }

  private static let colours: [Finding.State: Int] = [.ok: 32, .warning: 33, .missing: 31]

  private struct Wire: Encodable {
    struct Check: Encodable {
      let detail: String
      let name: String
      let remedy: String?
      let state: String
    }
    let checks: [Check]
    let ok: Bool
  }
}
