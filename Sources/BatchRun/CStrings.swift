internal import Glibc

/// Lends C a NULL-terminated array of strings for the length of a call.
func withCStrings<R>(_ strings: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>) -> R) -> R {
  var bytes: [CChar] = []
  var offsets: [Int] = []
  for string in strings {
    offsets.append(bytes.count)
    bytes.append(contentsOf: string.utf8CString)
  }
  return bytes.withUnsafeBufferPointer { buffer in
    var pointers: [UnsafePointer<CChar>?] = offsets.map { offset in buffer.baseAddress.map { $0 + offset } }
    pointers.append(nil)
    return pointers.withUnsafeBufferPointer { list in
      guard let base = list.baseAddress else { preconditionFailure("a list with its NULL is not empty") }
      return body(base)
    }
  }
}
