/// A text that equals another one only where every byte does.
///
/// Swift's strings are equal where Unicode holds them for equal: `é` in one code point and in two. File systems, the ledger and the
/// results tell the two apart, so whatever is looked up by an id or a path must do so too.
package struct ExactText: Hashable, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }

  package static func == (a: ExactText, b: ExactText) -> Bool { a.text.utf8.elementsEqual(b.text.utf8) }

  package func hash(into hasher: inout Hasher) {
    var text = text
    text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}

extension String {
  /// Whether every byte is the same.
  package func isExactly(_ other: String) -> Bool { utf8.elementsEqual(other.utf8) }

  /// Whether it begins with these bytes; what follows may be a mark that Unicode joins to the last of them.
  package func beginsExactly(with start: String) -> Bool { utf8.starts(with: start.utf8) }
}
