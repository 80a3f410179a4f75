internal import BatchRun
internal import CNICScan
internal import Foundation

/// Looks at this machine: libraries, networks, the kernel's means to confine workers, cores and memory.
enum MachineCheck {
  static func findings() -> [Finding] { libraries() + networks() + [sandbox(), cores()] + memory() }

  /// Libraries are linked, so that one that lacks stops the program before it says anything: these name their versions.
  private static func libraries() -> [Finding] {
    EngineVersions.libraries.sorted { $0.key < $1.key }.map { .ok("library " + $0.key, $0.value) }
  }

  private static func networks() -> [Finding] {
    let models: [String: String]
    do {
      models = try EngineVersions.models()
    } catch {
      return [.missing("networks", "\(error)", remedy: remedy(for: "\(error)"))]
    }
    var findings = models.sorted { $0.key < $1.key }.map { Finding.ok("network " + $0.key, "sha256 \($0.value)…") }
    do throws(CommandFailure) {
      _ = try ScanEngine.started(ScanEngine.Settings())
      findings.append(.ok("recognition", "starts"))
    } catch {
      findings.append(.missing("recognition", error.message, remedy: remedy(for: error.message)))
    }
    return findings
  }

  private static func remedy(for message: String) -> String {
    message.hasPrefix("eng.") ? "sudo apt-get install tesseract-ocr-eng" : "make install"
  }

  private static func sandbox() -> Finding {
    let support = SandboxSupport.ofThisKernel()
    let detail = "Landlock \(support.landlockVersion), seccomp \(support.seccomp ? "yes" : "no")"
    if support.isComplete { return .ok("sandbox", detail) }
    return .warning(
      "sandbox", detail + ": workers run unconfined",
      remedy: "boot a kernel from 5.13 on with lsm=landlock, or say --sandbox required to refuse to run")
  }

  private static func cores() -> Finding { .ok("cores", "\(RunRequest.usableCores): the default of --jobs") }

  /// A worker needs about 150 MB; half a gigabyte a core leaves room for large scans.
  private static func memory() -> [Finding] {
    let megabytes = Int(ProcessInfo.processInfo.physicalMemory >> 20)
    let wanted = RunRequest.usableCores * 512
    if megabytes >= wanted { return [.ok("memory", "\(megabytes) MB")] }
    return [
      .warning(
        "memory", "\(megabytes) MB for \(RunRequest.usableCores) workers", remedy: "--jobs \(max(1, megabytes / 512))")
    ]
  }
}
