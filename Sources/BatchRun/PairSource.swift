internal import CardModel
internal import RecordFormats

/// Where a run's pairs come from, in the order of the results.
protocol PairSource {
  /// The number of pairs, once it is known.
  var total: Int? { get }
  /// Files that belong to no pair; complete once the end was reached.
  var unpaired: UnpairedFiles { get }
  /// The next pair, `nil` at the end. Paths are as the input has them.
  /// - Throws: `RunError(.noInput)` where the input cannot be read on.
  mutating func next() throws(RunError) -> SourcePair?
}

/// A pair as the input names it.
struct SourcePair: Sendable, Equatable {
  var request: PairRequest
  /// Set where the row is no pair: the record says so.
  var problem: Bool = false
  /// Whether the row gave an id that no other row has.
  var hasOwnId: Bool = true
}

extension SourcePair {
  /// What tells one input from another: everything that it says of the pair.
  func add(to digest: inout DigestBuilder) {
    digest.add(text: request.id)
    digest.add(text: request.expectedNumber ?? "\0")
    digest.add(text: request.scanMode.rawValue)
    digest.add(number: Int64(request.imageWidthPixels))
    for paths in [request.frontFiles, request.backFiles] {
      digest.add(number: Int64(paths.count))
      for path in paths { digest.add(text: path) }
    }
  }
}

/// The rows of a manifest, in its order.
struct ManifestSource: PairSource {
  private var reader: ManifestReader
  private let defaults: ManifestDefaults
  let total: Int? = nil
  let unpaired = UnpairedFiles()

  init(path: String, defaults: ManifestDefaults) throws(RunError) {
    do throws(FormatError) { reader = try ManifestReader(path: path) } catch {
      throw RunError(.noInput, "the manifest cannot be read: \(error)")
    }
    self.defaults = defaults
  }

  mutating func next() throws(RunError) -> SourcePair? {
    let entry: ManifestEntry?
    do throws(FormatError) { entry = try reader.next() } catch {
      throw RunError(.noInput, "the manifest cannot be read on: \(error)")
    }
    switch entry {
    case nil: return nil
    case .row(let row)?: return SourcePair(request: row.request(defaults))
    case .problem(let problem)?:
      // Without an id of its own a row is named by its place; two records of one id could not be told apart.
      let request = PairRequest(
        id: problem.id ?? "row \(problem.number)", frontFiles: [], backFiles: [], expectedNumber: nil,
        scanMode: defaults.scanMode,
        imageWidthPixels: defaults.imageWidthPixels)
      return SourcePair(request: request, problem: true, hasOwnId: false)
    }
  }
}
