import Foundation

/// Reads a file from its start in pieces of bounded size.
final class FileBytes {
  private let handle: FileHandle
  private let pieceBytes: Int
  /// How many bytes of the file were handed out.
  private(set) var offset = 0

  /// - Throws: `FormatError` where the file cannot be opened; the path is not in the text, for the caller knows it.
  init(path: String, pieceBytes: Int = 1 << 16) throws(FormatError) {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw FormatError(FileManager.default.fileExists(atPath: path) ? "cannot be opened for reading" : "no such file")
    }
    self.handle = handle
    self.pieceBytes = pieceBytes
  }

  /// The next bytes, `nil` at the end.
  func next() throws(FormatError) -> [UInt8]? {
    do {
      guard let data = try handle.read(upToCount: pieceBytes), !data.isEmpty else { return nil }
      offset += data.count
      return [UInt8](data)
    } catch {
      throw FormatError("cannot be read to its end: input/output error")
    }
  }

  /// Goes back to a place that was read before.
  func seek(to place: Int) throws(FormatError) {
    do {
      try handle.seek(toOffset: UInt64(place))
      offset = place
    } catch {
      throw FormatError("cannot be read again: it is a pipe; give a file")
    }
  }
}

/// A physical line of a text file.
enum TextLine {
  /// The line with its end (LF, CR or both parts of CRLF one after the other); the last one may have none.
  case complete([UInt8])
  /// A line longer than the bound; its bytes were passed over. The number of its quotes says whether it ends inside a quoted cell.
  case tooLong(quotes: Int)
}

/// Divides a file into lines without holding more than one of them; a line longer than the bound is passed over, not kept.
struct TextLines {
  private let file: FileBytes
  private let maximumBytes: Int
  private let endsAtCarriageReturn: Bool
  private var buffer: [UInt8] = []
  private var index = 0
  private var atEnd = false

  /// - Parameter endsAtCarriageReturn: whether a CR alone ends a line too. CSV knows such files; JSON does not.
  init(file: FileBytes, maximumBytes: Int, endsAtCarriageReturn: Bool) {
    self.file = file
    self.maximumBytes = maximumBytes
    self.endsAtCarriageReturn = endsAtCarriageReturn
  }

  /// The first bytes of the file, at most `count`, without taking them.
  mutating func peek(_ count: Int) throws(FormatError) -> ArraySlice<UInt8> {
    while buffer.count - index < count, try fill() {}
    return buffer[index...].prefix(count)
  }

  /// Passes over bytes seen by `peek`.
  mutating func skip(_ count: Int) { index += count }

  /// Where in the file the next line begins.
  var offset: Int { file.offset - (buffer.count - index) }

  /// Goes back to the beginning of a line.
  mutating func rewind(to offset: Int) throws(FormatError) {
    try file.seek(to: offset)
    (buffer, index, atEnd) = ([], 0, false)
  }

  /// The next line, `nil` at the end of the file.
  mutating func next() throws(FormatError) -> TextLine? {
    var searched = 0
    var isTooLong = false
    var quotes = 0
    while true {
      if let end = lineEnd(from: index + searched) {
        let line = buffer[index...end]
        index = end + 1
        guard isTooLong || line.count > maximumBytes else { return .complete(Array(line)) }
        return .tooLong(quotes: quotes + Self.quotes(in: line))
      }
      if isTooLong || buffer.count - index > maximumBytes {
        isTooLong = true
        quotes += Self.quotes(in: buffer[index...])
        index = buffer.count
      }
      searched = buffer.count - index
      if try !fill() {
        let rest = Array(buffer[index...])
        index = buffer.count
        if isTooLong { return .tooLong(quotes: quotes) }
        return rest.isEmpty ? nil : .complete(rest)
      }
    }
  }

  private static func quotes(in bytes: ArraySlice<UInt8>) -> Int { bytes.count { $0 == 0x22 } }

  private func lineEnd(from start: Int) -> Int? {
    guard endsAtCarriageReturn else { return buffer[start...].firstIndex(of: 0x0A) }
    return buffer[start...].firstIndex { $0 == 0x0A || $0 == 0x0D }
  }

  /// Reads on; drops what was taken. False at the end of the file.
  private mutating func fill() throws(FormatError) -> Bool {
    guard !atEnd else { return false }
    buffer.removeSubrange(..<index)
    index = 0
    guard let piece = try file.next() else {
      atEnd = true
      return false
    }
    buffer.append(contentsOf: piece)
    return true
  }
}
