internal import RecordFormats

/// The files of a directory that belong to no pair, as the lines of `unpaired.ndjson`: never dropped in silence.
struct UnpairedFiles: Sendable, Equatable {
  private(set) var count = 0
  /// `{"path":…,"why":…}` a line, paths relative to the directory. They may hold a person's name: they stay out of logs.
  private(set) var lines: [UInt8] = []

  enum Why: String, Sendable {
    case otherSideMissing
    case nameFitsNoPattern
    /// Hidden, or named as programs name what they are still writing.
    case temporaryName
    /// A device, a pipe, a socket, a link to a folder.
    case notARegularFile
    /// A name that is not UTF-8 cannot stand in a record; its bytes that are none show as U+FFFD.
    case nameIsNotUTF8
    case folderCannotBeRead
  }

  mutating func add(_ path: String, _ why: Why) {
    count += 1
    lines += JSONWriter.line(.object([.init("path", .string(path)), .init("why", .string(why.rawValue))])) + [0x0A]
  }
}
