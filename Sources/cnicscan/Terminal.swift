internal import BatchRun
internal import Foundation

/// Standard output and standard error. Data alone goes to the first, everything said to people to the second.
enum Terminal {
  /// - Throws: `CommandFailure(.outputFailure)`, e.g. for a full disk behind a redirection.
  static func write(_ text: String) throws(CommandFailure) {
    do {
      try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
    } catch {
      throw CommandFailure(.outputFailure, "cannot write to standard output")
    }
  }

  /// Nothing can be said where standard error itself is gone, and the exit status still tells: so a failure is dropped.
  static func writeError(_ text: String) {
    text.withCString { start in
      var rest = UnsafeRawBufferPointer(start: start, count: strlen(start))
      while !rest.isEmpty {
        let written = Glibc.write(STDERR_FILENO, rest.baseAddress, rest.count)
        guard written > 0 else { return }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
      }
    }
  }

  static var errorIsTerminal: Bool { isatty(STDERR_FILENO) == 1 }
  static var outputIsTerminal: Bool { isatty(STDOUT_FILENO) == 1 }

  /// The width of the terminal on standard error, 80 where it does not say.
  static var errorColumns: Int {
    var size = winsize()
    return ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 ? Int(size.ws_col) : 80
  }

  static var errorHasColour: Bool { errorIsTerminal && colourIsWanted }
  static var outputHasColour: Bool { outputIsTerminal && colourIsWanted }

  /// Colours are for terminals whose owner has not refused them (https://no-color.org).
  private static var colourIsWanted: Bool {
    let environment = ProcessInfo.processInfo.environment
    return (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
  }
}
