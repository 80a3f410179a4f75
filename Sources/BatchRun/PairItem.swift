internal import CardModel
internal import Glibc
internal import ScanPipeline

/// A pair on its way from the input to a worker.
struct PairItem: Sendable {
  /// 0-based place among all pairs of the input, those of other shards included: what orders the results.
  var position: Int
  /// Its key in the ledger: the id, or a NUL and the position where the row gave no id of its own.
  var key: String
  /// Paths are real paths; files that are not there keep the path where they should be.
  var request: PairRequest
  /// Set where the pair must not be given to a worker: it is recorded as `failed`.
  var refusal: Reason?
  /// The front's and back's files as they were when the input was read, in the order of the request's paths.
  var front: [PairFile]
  var back: [PairFile]
  /// What the ledger knows of it.
  var prior: LedgerEntry?
  /// Whether the row asks for a new back only: the front comes from the ledger.
  var isRescan = false
  var stamp: [UInt8] = []
  var frontStamp: [UInt8] = []
}

/// One file of a pair.
struct PairFile: Sendable, Equatable {
  var path: String
  /// `nil` where it is not there.
  var stat: FileStat?
}

/// Computes what tells whether a pair has changed.
struct Fingerprints: Sendable {
  /// Settings and versions.
  let settings: Digest

  init(_ settings: RunSettings) {
    var builder = DigestBuilder()
    builder.add(text: settings.delivery.rawValue)
    builder.add(text: settings.definition)
    for (name, version) in settings.versions.sorted(by: { $0.key < $1.key }) {
      builder.add(text: name)
      builder.add(text: version)
    }
    let limits = settings.limits
    for number in [limits.fileBytes, limits.pixels, limits.pages, limits.allowPDF ? 1 : 0] {
      builder.add(number: Int64(number))
    }
    self.settings = builder.finish()
  }

  /// The cheap one, from what the file system says. Equal stamps: nothing changed.
  func stamp(_ item: PairItem) -> [UInt8] {
    var builder = start(item)
    for file in item.front + [PairFile(path: "|", stat: nil)] + item.back { Self.add(file, to: &builder) }
    return Array(builder.finish().bytes.prefix(16))
  }

  /// The stamp of the front's files.
  func frontStamp(_ item: PairItem) -> [UInt8] {
    var builder = start(item)
    for file in item.front { Self.add(file, to: &builder) }
    return Array(builder.finish().bytes.prefix(16))
  }

  private static func add(_ file: PairFile, to builder: inout DigestBuilder) {
    builder.add(text: file.path)
    guard let stat = file.stat else { return builder.add(number: -1) }
    for number in [Int64(stat.size), Int64(bitPattern: stat.inode), stat.modified, stat.changed] {
      builder.add(number: number)
    }
  }

  /// What a pair's images hold.
  struct Contents: Sendable, Equatable {
    var fingerprint: [UInt8]
    /// Of the images alone; empty where there are none.
    var content: [UInt8]
  }

  /// The sure one, from the contents of the images. A file that cannot be read counts by its errno.
  func contents(_ item: PairItem) -> Contents {
    var builder = start(item)
    var content = DigestBuilder()
    var isAnyRead = false
    for (side, files) in [(0, item.front), (1, item.back)] {
      for file in files {
        builder.add(number: Int64(side))
        switch Self.digest(of: file.path) {
        case .success(let digest):
          builder.add(digest.bytes)
          content.add(number: Int64(side))
          content.add(digest.bytes)
          isAnyRead = true
        case .failure(let error): builder.add(number: -Int64(error.code))
        }
      }
    }
    return Contents(
      fingerprint: builder.finish().bytes, content: isAnyRead ? Array(content.finish().bytes.prefix(16)) : [])
  }

  private func start(_ item: PairItem) -> DigestBuilder {
    var builder = DigestBuilder()
    builder.add(settings.bytes)
    builder.add(text: item.request.id)
    builder.add(text: item.request.expectedNumber ?? "\0")
    builder.add(text: item.request.scanMode.rawValue)
    builder.add(number: Int64(item.request.imageWidthPixels))
    builder.add(text: item.refusal?.rawValue ?? "")
    builder.add(number: item.isRescan ? 1 : 0)
    return builder
  }

  struct ReadError: Error { var code: Int32 }

  /// A file's SHA-256. It never waits: a pipe or device put in the file's place since is not read.
  private static func digest(of path: String) -> Result<Digest, ReadError> {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY)
    guard file >= 0 else { return .failure(ReadError(code: errno)) }
    defer { close(file) }
    var stat = FileStat()
    if let code = stat.look(at: file) { return .failure(ReadError(code: code)) }
    guard stat.isRegular else { return .failure(ReadError(code: EINVAL)) }
    var hasher = DigestBuilder()
    let size = 1 << 17
    let code = withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer -> Int32 in
      while true {
        let count = read(file, buffer.baseAddress, size)
        if count < 0 && errno == EINTR { continue }
        if count < 0 { return errno }
        if count == 0 { return 0 }
        hasher.add(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      }
    }
    return code == 0 ? .success(hasher.finish()) : .failure(ReadError(code: code))
  }
}
