/// Random numbers for drawing: SplitMix64, seeded from a set's seed, a specimen's index and the purpose of the draw.
///
/// *Source*: Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014). Each purpose has its own
/// stream, so that a change to how portraits are drawn leaves names and numbers as they were.
package struct SpecimenRandom: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// What a stream is for. Raw values are part of every set's reproducibility: never renumber.
  package enum Purpose: UInt64, Sendable {
    case person = 1, printing, artwork, barcode, frontScene, backScene, kind, page
  }

  package init(seed: UInt64, index: Int, purpose: Purpose) {
    state = Self.mixed(seed &+ 0x9E37_79B9_7F4A_7C15)
    state = Self.mixed(state ^ UInt64(truncatingIfNeeded: index) &* 0xD134_2543_DE82_EF95)
    state = Self.mixed(state ^ purpose.rawValue &* 0xA076_1D64_78BD_642F)
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    return Self.mixed(state)
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    var z = value
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Uniform in 0..<1.
  package mutating func unit() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

  /// Uniform between the bounds.
  package mutating func between(_ low: Double, _ high: Double) -> Double { low + (high - low) * unit() }

  /// Uniform over the closed range.
  package mutating func whole(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(next() % UInt64(range.upperBound - range.lowerBound + 1))
  }

  package mutating func chance(_ probability: Double) -> Bool { unit() < probability }

  /// One of `choices`, which must not be empty.
  package mutating func pick<Element>(_ choices: [Element]) -> Element { choices[whole(0...(choices.count - 1))] }

  /// One of `choices` by weight.
  package mutating func pick<Element>(weighted choices: [(Element, Double)]) -> Element {
    var left = unit() * choices.reduce(0) { $0 + $1.1 }
    for (element, weight) in choices {
      left -= weight
      if left < 0 { return element }
    }
    return choices[choices.count - 1].0
  }

  /// That many decimal digits.
  package mutating func digits(_ count: Int) -> String {
    var text = ""
    for _ in 0..<count { text.append(Character(Unicode.Scalar(UInt8(0x30 + whole(0...9))))) }
    return text
  }
}
