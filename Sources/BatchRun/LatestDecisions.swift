internal import Glibc
internal import RecordFormats

/// The decision that counts for each pair, read from the file when it is asked for: of each only the place is held.
package final class LatestDecisions: Sendable {
  private let file: Int32
  private let places: [ExactText: Range<Int>]

  init(file: Int32, places: [ExactText: Range<Int>]) { (self.file, self.places) = (file, places) }

  deinit { if file >= 0 { close(file) } }

  /// - Returns: `nil` where nobody decided about the pair.
  /// - Throws: `RunError` where the file has changed since otherwise than by adding lines.
  package func entry(of id: String) throws(RunError) -> DecisionLog.Entry? {
    guard let place = places[ExactText(id)] else { return nil }
    var line = [UInt8](repeating: 0, count: place.count)
    let count = line.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, off_t(place.lowerBound)) }
    do throws(FormatError) {
      guard count == line.count else { throw FormatError("shorter than before") }
      return try DecisionLog.Entry(line: line)
    } catch {
      throw RunError(.internalError, "decisions.ndjson was changed while it was read: \(error)")
    }
  }
}
