/// The frames of a side in one CSV cell: paths divided by `;`.
///
/// A path that itself holds a semicolon is written with a backslash before it. As with a command line's quotes, backslashes mean
/// themselves unless they stand right before a semicolon: there 2n of them are n backslashes and a divider, 2n + 1 are n and a
/// semicolon that belongs to the path. White space around a path is not part of it; an empty place (`a.png;`) is no path.
package enum FrameList {
  package static func split(_ cell: String) -> [String] {
    var paths: [String] = []
    var path: [UInt8] = []
    var backslashes = 0
    func take() {
      let text = String(decoding: path, as: UTF8.self)
      let trimmed = text.trimmingASCIIBlanks
      if !trimmed.isEmpty { paths.append(trimmed) }
      path.removeAll(keepingCapacity: true)
    }
    for byte in cell.utf8 {
      if byte == 0x5C {
        backslashes += 1
      } else if byte == 0x3B {
        path.append(contentsOf: repeatElement(0x5C, count: backslashes / 2))
        if backslashes % 2 == 1 { path.append(0x3B) } else { take() }
        backslashes = 0
      } else {
        path.append(contentsOf: repeatElement(0x5C, count: backslashes))
        backslashes = 0
        path.append(byte)
      }
    }
    path.append(contentsOf: repeatElement(0x5C, count: backslashes))
    take()
    return paths
  }

  /// The cell that `split` reads as these paths. Paths with white space around them cannot be written so; NDJSON can.
  package static func join(_ paths: [String]) -> String {
    var cell: [UInt8] = []
    for (index, path) in paths.enumerated() {
      var backslashes = 0
      for byte in path.utf8 {
        if byte == 0x3B { cell.append(contentsOf: repeatElement(0x5C, count: backslashes + 1)) }
        backslashes = byte == 0x5C ? backslashes + 1 : 0
        cell.append(byte)
      }
      if index < paths.count - 1 {
        cell.append(contentsOf: repeatElement(0x5C, count: backslashes))
        cell.append(0x3B)
      }
    }
    return String(decoding: cell, as: UTF8.self)
  }
}
