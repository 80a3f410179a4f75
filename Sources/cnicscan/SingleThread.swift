internal import Foundation

/// The networks' library shares each line among as many threads as there are processors, which wait for each other longer than they
/// compute: a scan cost three times the processor time. It is told otherwise by the environment alone, and before it starts.
enum SingleThread {
  private static let variable = "OMP_THREAD_LIMIT"
  private static let reading: Set = ["scan", "worker"]

  /// Starts this program again with one thread, where it is to read and nobody has said how many it may have. Returns where that is
  /// not needed or not possible.
  static func startAgainIfReading(_ arguments: [String]) {
    guard arguments.count > 1, reading.contains(arguments[1]), getenv(variable) == nil else { return }
    guard setenv(variable, "1", 1) == 0 else { return }
    execv("/proc/self/exe", CommandLine.unsafeArgv)
  }
}
