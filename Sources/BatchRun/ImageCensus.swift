/// The card images of a folder, and which of them somebody names: 17 bytes each, so that a folder of millions can be held.
struct ImageCensus {
  /// The numbers in the names, each list sorted: of fronts, and of backs.
  private var numbers: [[UInt128]] = [[], []]
  private var noted: [[Bool]] = [[], []]

  init() {}

  /// Takes an image in. - Parameter name: one that `OutputFolder.isImageName` holds for such.
  mutating func add(_ name: String) {
    let (list, number) = Self.place(name)
    numbers[list].append(number)
  }

  /// Called once all are in.
  mutating func sort() {
    for list in numbers.indices {
      numbers[list].sort()
      noted[list] = Array(repeating: false, count: numbers[list].count)
    }
  }

  /// Says that an image is named; one that is not in the folder changes nothing.
  mutating func note(_ name: String) {
    let (list, number) = Self.place(name)
    if let index = index(list, number) { noted[list][index] = true }
  }

  /// Whether an image is named, or came since.
  func isNoted(_ name: String) -> Bool {
    let (list, number) = Self.place(name)
    return index(list, number).map { noted[list][$0] } ?? true
  }

  private func index(_ list: Int, _ number: UInt128) -> Int? {
    let index = numbers[list].partitionPoint { $0 < number }
    return index < numbers[list].count && numbers[list][index] == number ? index : nil
  }

  /// `front_<uuid>.png`: the list, and the UUID's digits as a number.
  private static func place(_ name: String) -> (list: Int, number: UInt128) {
    var number: UInt128 = 0
    for byte in name.utf8.drop(while: { $0 != 0x5F }).dropFirst().prefix(36) where byte != 0x2D {
      number = number << 4 | UInt128(byte & 0x40 == 0 ? byte & 0xF : byte & 0xF + 9)
    }
    return (name.utf8.first == 0x66 ? 0 : 1, number)
  }
}
