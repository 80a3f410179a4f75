private import CProcess

/// What confines a worker.
package struct Sandbox: Sendable, Equatable {
  /// Files and folders that may be read, beside what the system's libraries need.
  package var readable: [String]
  /// Folders that may be written, e.g. that of the card images.
  package var writable: [String]

  package init(readable: [String], writable: [String]) {
    self.readable = readable
    self.writable = writable
  }

  /// What libraries open late: code, language data, fonts, the number of processors.
  package static let systemPaths = [
    "/usr/lib", "/usr/lib64", "/lib", "/lib64", "/usr/local/lib", "/usr/share", "/usr/local/share", "/etc/fonts",
    "/etc/ld.so.cache",
    "/var/cache/fontconfig", "/dev/null", "/dev/zero", "/dev/urandom", "/proc/self", "/proc/cpuinfo", "/proc/meminfo",
    "/sys/devices/system/cpu",
  ]

  /// Confines the file system for this thread and all it starts. Call it first, before a library starts threads.
  /// - Returns: what is in force now, as words for the greeting.
  package func confineFiles() -> SandboxState.Part {
    let code = withCStrings(Self.systemPaths + readable) { readable in
      withCStrings(writable + ["/dev/null"]) { writable in cprocess_landlock_restrict(readable, writable) }
    }
    return code == 0 ? .on : .off(errno: code)
  }

  /// Takes sockets, new processes and exec away from every thread. Call it when everything is loaded.
  package func confineCalls() -> SandboxState.Part {
    let code = cprocess_seccomp_restrict()
    return code == 0 ? .on : .off(errno: code)
  }
}

/// How far a worker is confined.
package struct SandboxState: Sendable, Equatable {
  package enum Part: Sendable, Equatable {
    case on
    case off(errno: Int32)
    package var isOn: Bool { self == .on }
  }
  package var files: Part
  package var calls: Part

  package init(files: Part, calls: Part) {
    self.files = files
    self.calls = calls
  }

  package var isComplete: Bool { files.isOn && calls.isOn }

  /// For the log and `check`, e.g. `files: on, calls: off (errno 38)`.
  package var description: String {
    func word(_ part: Part) -> String {
      switch part {
      case .on: "on"
      case .off(let errno): "off (errno \(errno))"
      }
    }
    return "files: \(word(files)), calls: \(word(calls))"
  }
}

/// What this kernel offers to confine workers with; for `check`.
package struct SandboxSupport: Sendable, Equatable {
  /// Landlock's ABI version, 0 where there is none; from 3 on everything needed is there.
  package var landlockVersion: Int
  package var seccomp: Bool

  /// Asks the kernel.
  package static func ofThisKernel() -> SandboxSupport {
    SandboxSupport(landlockVersion: Int(cprocess_landlock_version()), seccomp: cprocess_seccomp_available() != 0)
  }

  package var isComplete: Bool { landlockVersion >= 1 && seccomp }
}
