import CardModel
import Glibc
import ScanPipeline

/// The formats that are read, told by a file's first bytes.
enum ImageFormat: Equatable {
  case jpeg, png, tiff, webp, gif, heif, pdf

  /// - Returns: `nil` for everything that is not on the list.
  init?(firstBytes bytes: UnsafeRawBufferPointer) {
    func starts(_ prefix: [UInt8], at offset: Int = 0) -> Bool {
      bytes.count >= offset + prefix.count && prefix.indices.allSatisfy { bytes[offset + $0] == prefix[$0] }
    }
    func text(_ text: String) -> [UInt8] { Array(text.utf8) }
    if starts([0xFF, 0xD8, 0xFF]) {
      self = .jpeg
    } else if starts([0x89] + text("PNG\r\n") + [0x1A, 0x0A]) {
      self = .png
    } else if starts(text("II*") + [0]) || starts(text("MM") + [0, 0x2A]) || starts(text("II+") + [0])
      || starts(text("MM") + [0, 0x2B])
    {
      self = .tiff
    } else if starts(text("RIFF")), starts(text("WEBP"), at: 8) {
      self = .webp
    } else if starts(text("GIF87a")) || starts(text("GIF89a")) {
      self = .gif
    } else if starts(text("ftyp"), at: 4), Self.heifBrands.contains(where: { starts(text($0), at: 8) }) {
      self = .heif
    } else if starts(text("%PDF-")) {
      self = .pdf
    } else {
      return nil
    }
  }

  private static let heifBrands = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1", "avif"]
}

/// The bytes of an image file, read once: what is looked at later cannot change under us.
struct ImageFile {
  let bytes: [UInt8]
  let format: ImageFormat

  /// Reads a regular file that keeps to the limits.
  /// - Throws: `fileMissing`, `permissionDenied`, `notARegularFile`, `fileEmpty`, `fileTooLarge`, `fileUnreadable`,
  ///   `fileChanged` (it shrank while it was read), `formatNotAllowed`.
  init(path: String, limits: ImageLimits) throws(ImageFailure) {
    // O_NONBLOCK: opening a pipe must not wait for its writer; on a regular file it has no effect.
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { throw Self.failure(errno) }
    defer { close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw Self.failure(errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw ImageFailure(.notARegularFile) }
    let size = Int(status.st_size)
    guard size > 0 else { throw ImageFailure(.fileEmpty) }
    guard size <= limits.fileBytes else { throw ImageFailure(.fileTooLarge, diagnostic: "\(size) bytes") }
    bytes = try Self.read(descriptor, size: size)
    guard let format = bytes.withUnsafeBytes({ ImageFormat(firstBytes: $0) }), format != .pdf || limits.allowPDF else {
      throw ImageFailure(.formatNotAllowed)
    }
    self.format = format
  }

  private static func read(_ descriptor: Int32, size: Int) throws(ImageFailure) -> [UInt8] {
    var problem: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
      while count < size {
        let rest = UnsafeMutableBufferPointer(rebasing: buffer[count...])
        let got = Glibc.read(descriptor, rest.baseAddress, rest.count)
        if got > 0 {
          count += got
        } else if got == 0 {
          return
        } else if errno != EINTR {
          problem = errno
          return
        }
      }
    }
    guard problem == 0 else { throw failure(problem) }
    guard bytes.count == size else { throw ImageFailure(.fileChanged) }
    return bytes
  }

  private static func failure(_ code: Int32) -> ImageFailure {
    let reason: Reason =
      switch code {
      case ENOENT, ENOTDIR: .fileMissing
      case EACCES, EPERM: .permissionDenied
      case ENXIO, ENODEV, EISDIR: .notARegularFile
      default: .fileUnreadable
      }
    return ImageFailure(reason, diagnostic: String(cString: strerror(code)))
  }
}
