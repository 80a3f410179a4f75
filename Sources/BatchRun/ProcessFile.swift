internal import Glibc

/// The kernel's small files about a process: words on one line.
enum ProcessFile {
  /// - Returns: `nil` where the process has ended, or the kernel has no such file.
  static func secondWord(of name: String, _ pid: Int32) -> String? {
    let file = open("/proc/\(pid)/\(name)", O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var text = [UInt8](repeating: 0, count: 128)
    let count = read(file, &text, text.count)
    guard count > 0 else { return nil }
    let words = text[..<count].split(whereSeparator: { $0 == 0x20 || $0 == 0x0A })
    return words.count > 1 ? String(decoding: words[1], as: UTF8.self) : nil
  }
}
