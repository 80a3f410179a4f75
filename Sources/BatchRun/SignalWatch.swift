private import CProcess
internal import Dispatch
internal import Glibc
internal import Synchronization

/// Turns SIGINT, SIGTERM and SIGHUP into an orderly stop, and a second one into an end at once. Safe at any moment: what is
/// not in the ledger is done again.
final class SignalWatch {
  private var sources: [any DispatchSourceSignal] = []

  init(_ stop: StopSwitch) {
    signal(SIGPIPE, SIG_IGN)
    let queue = DispatchQueue(label: "cnicscan.signals")
    let count = Counter()
    // Under nohup(1) SIGHUP is ignored already and stays so.
    for number in [SIGINT, SIGTERM, SIGHUP] where number != SIGHUP || cprocess_is_ignored(SIGHUP) == 0 {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: queue)
      source.setEventHandler {
        if count.next() == 1 { stop.stop() } else { _exit(ExitStatus.temporaryFailure.rawValue) }
      }
      source.resume()
      sources.append(source)
    }
  }

  deinit { for source in sources { source.cancel() } }

  private final class Counter: Sendable {
    private let value = Mutex(0)
    func next() -> Int {
      value.withLock {
        $0 += 1
        return $0
      }
    }
  }
}
