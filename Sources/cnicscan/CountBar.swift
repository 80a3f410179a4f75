/// A bar on a terminal for work whose amount is known: `drawing  12/24`. It overwrites its own line.
struct CountBar {
  let label: String
  let total: Int
  let isShown: Bool

  func show(_ done: Int) {
    guard isShown else { return }
    let width = 24
    let filled = total == 0 ? width : done * width / total
    let bar = String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled)
    Terminal.writeError("\r\(label) [\(bar)] \(done)/\(total)")
  }

  /// Takes the bar off the screen.
  func clear() {
    if isShown { Terminal.writeError("\r\u{1B}[K") }
  }
}
