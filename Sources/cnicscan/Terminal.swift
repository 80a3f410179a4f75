internal import BatchRun
internal import Foundation

/// Standard output and standard error. Data alone goes to the first, everything said to people to the second.
enum Terminal {
  /// Puts something in the place of standard streams that whoever started us has closed, lest a file of ours be opened there and be
  /// written what is said to people. It is open the wrong way round: reading or writing it is the failure that it would have been.
  static func fillClosedStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) < 0 {
      // The lowest free number is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Where the reader has gone away, the process ends here: nobody is left to be told anything on standard output, and whoever
  /// closed it knows.
  /// - Throws: `CommandFailure(.outputFailure)`, e.g. for a full disk behind a redirection.
  static func write(_ text: String) throws(CommandFailure) {
    switch put(text, to: STDOUT_FILENO) {
    case 0: return
    case EPIPE: exit(ExitStatus.outputFailure.rawValue)
    case let code:
      throw CommandFailure(.outputFailure, "cannot write to standard output: \(String(cString: strerror(code)))")
    }
  }

  /// Nothing can be said where standard error itself is gone, and the exit status still tells: so a failure is dropped.
  static func writeError(_ text: String) { _ = put(text, to: STDERR_FILENO) }

  /// - Returns: 0, or the errno of the write that failed.
  private static func put(_ text: String, to descriptor: Int32) -> Int32 {
    Array(text.utf8).withUnsafeBytes { bytes in
      var rest = bytes
      while !rest.isEmpty {
        let written = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if written < 0, errno == EINTR { continue }
        guard written > 0 else { return written == 0 ? EIO : errno }
        rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(written))
      }
      return 0
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
