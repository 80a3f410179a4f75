internal import Glibc

/// The worker's side of the protocol: a JSON line in, a JSON line out, until the input ends.
///
/// What a line means is the handler's; this loop bounds it, keeps the order, and never writes anything else to stdout. A line
/// that is too long is handed over cut, so that the handler refuses it and answers: lines in equal lines out.
package struct WorkerLoop {
  /// A longer line is cut to one byte more than this.
  package var maximumLineBytes: Int
  package var input: Int32
  package var output: Int32

  package init(maximumLineBytes: Int = 1 << 20, input: Int32 = 0, output: Int32 = 1) {
    self.maximumLineBytes = maximumLineBytes
    self.input = input
    self.output = output
  }

  /// Answers line after line; blank lines are passed over. The answer must hold no line end.
  /// - Returns: `nil` at the end of the input, or the errno of a read or write that failed (EPIPE: nobody listens any more).
  package func run(_ handler: (_ line: [UInt8]) -> [UInt8]) -> Int32? {
    signal(SIGPIPE, SIG_IGN)
    var lines = LineReader(descriptor: input, maximumLineBytes: maximumLineBytes)
    while true {
      switch lines.next() {
      case .line(let line):
        if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { continue }
        var answer = handler(line)
        answer.append(0x0A)
        if let code = writeAll(answer, to: output) { return code }
      case .end: return nil
      case .failed(let code): return code
      }
    }
  }
}

/// Writes all bytes to a blocking descriptor.
/// - Returns: `nil`, or the errno of the write that failed.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
  bytes.withUnsafeBytes { buffer in
    var done = 0
    while done < buffer.count {
      let count = write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
      if count < 0 {
        if errno == EINTR { continue }
        return errno
      }
      done += count
    }
    return nil
  }
}

/// Cuts what comes from a blocking descriptor into lines.
struct LineReader {
  enum Next { case line([UInt8]), end, failed(Int32) }

  private let descriptor: Int32
  private let maximumLineBytes: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var scanned = 0
  private var ended = false

  init(descriptor: Int32, maximumLineBytes: Int) {
    self.descriptor = descriptor
    self.maximumLineBytes = maximumLineBytes
  }

  /// The next line without its end; the last one may lack it. Lines longer than the bound are cut to one byte more.
  mutating func next() -> Next {
    var overlong: [UInt8]?
    while true {
      if let end = buffer[scanned...].firstIndex(of: 0x0A) {
        let line = overlong ?? Array(buffer[start..<end])
        start = end + 1
        scanned = start
        return .line(line)
      }
      scanned = buffer.count
      if overlong == nil, buffer.count - start > maximumLineBytes {
        overlong = Array(buffer[start...].prefix(maximumLineBytes + 1))
      }
      if overlong != nil || start > 0 {
        buffer.removeSubrange(..<(overlong == nil ? start : buffer.count))
        start = 0
        scanned = buffer.count
      }
      if ended {
        let rest = overlong ?? buffer
        buffer = []
        scanned = 0
        return rest.isEmpty ? .end : .line(rest)
      }
      if let code = fill() { return .failed(code) }
    }
  }

  /// - Returns: the errno of a failed read.
  private mutating func fill() -> Int32? {
    let chunk = 1 << 16
    var code: Int32?
    let filled = buffer.count
    buffer.append(contentsOf: repeatElement(0, count: chunk))
    var count = 0
    buffer.withUnsafeMutableBytes { bytes in
      repeat {
        count = read(descriptor, bytes.baseAddress.map { $0 + filled }, chunk)
      } while count < 0 && errno == EINTR
      if count < 0 { code = errno }
    }
    buffer.removeLast(chunk - max(0, count))
    if count == 0 { ended = true }
    return code
  }
}
