// Feeds the manifest reader whatever comes: it must give rows and problems, or refuse the file, and end.
import Glibc
import RecordFormats

private let file: Int32 = {
  // A file without a name, in memory.
  let path = "/dev/shm/manifest-fuzz-\(getpid())"
  let descriptor = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o600)
  unlink(path)
  return descriptor
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzManifest(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
  ftruncate(file, 0)
  pwrite(file, bytes, count, 0)
  do throws(FormatError) {
    var reader = try ManifestReader(path: "/proc/self/fd/\(file)")
    var rows = 0
    while let entry = try reader.next() {
      rows += 1
      precondition(rows <= count + 1, "more rows than bytes")
      // What is written of a row reads back as that row.
      if case .row(let row) = entry { precondition(!row.id.isEmpty && !ManifestWriter.line(row).isEmpty) }
    }
  } catch {}
  return 0
}
