internal import CardModel
internal import RecordFormats

/// Decides for each pair of the input, from what the ledger and the file system say, whether a worker must see it.
/// It belongs to the thread that reads the input, with a connection to the ledger of its own.
struct ItemPreparer {
  private let lookup: LedgerLookup?
  private let fingerprints: Fingerprints
  private let redo: RedoRule
  /// The run that is resumed; what it did already stands in its results.
  private let resumedRun: Int?
  private var confinement: PathConfinement

  init(
    lookup: LedgerLookup?, fingerprints: Fingerprints, redo: RedoRule, resumedRun: Int?, confinement: PathConfinement
  ) {
    self.lookup = lookup
    self.fingerprints = fingerprints
    self.redo = redo
    self.resumedRun = resumedRun
    self.confinement = confinement
  }

  enum Decision {
    /// Its line stands in the run that is resumed.
    case resumed
    /// Done before and nothing changed.
    case skipped(Moved?)
    /// To be looked at by a lane.
    case item(PairItem)
  }

  mutating func decide(_ source: SourcePair, position: Int) throws(RunError) -> Decision {
    let key = source.hasOwnId ? source.request.id : "\0\(position)"
    let prior = try lookup?.entry(key: key)
    if let prior, prior.run == resumedRun { return .resumed }

    var item = PairItem(
      position: position, key: key, request: source.request, refusal: nil, front: [], back: [], prior: prior)
    if source.problem { item.refusal = .invalidRequest }
    resolve(&item)
    if let prior, prior.frontCapture != nil, source.request.frontFiles.isEmpty, source.request.scanMode.includesFront {
      // A row of rescan.csv: nothing to do until its back is filled in.
      if source.request.backFiles.isEmpty { return .skipped(nil) }
      item.isRescan = true
    }
    item.stamp = fingerprints.stamp(item)
    item.frontStamp = fingerprints.frontStamp(item)
    if let prior, !item.isRescan, !redo.applies(to: prior), prior.stamp == item.stamp {
      return .skipped(prior.position == position ? nil : Moved(key: key, position: position, stamp: item.stamp))
    }
    return .item(item)
  }

  /// As `decide`, for a pair whose place is not known yet; `nil` where the ledger cannot be read.
  mutating func decision(_ source: SourcePair) -> Decision? {
    do throws(RunError) { return try decide(source, position: 0) } catch { return nil }
  }

  /// Replaces the paths by real ones and looks at the files.
  private mutating func resolve(_ item: inout PairItem) {
    guard item.refusal == nil else {
      item.request.frontFiles = []
      item.request.backFiles = []
      return
    }
    for (side, keyPath) in [(CardSide.front, \PairRequest.frontFiles), (.back, \.backFiles)] {
      var files: [PairFile] = []
      for path in item.request[keyPath: keyPath] {
        switch confinement.place(path) {
        case .file(let path, let stat): files.append(PairFile(path: path, stat: stat))
        case .absent(let path, _): files.append(PairFile(path: path, stat: nil))
        case .refused(let reason): item.refusal = item.refusal ?? reason
        }
      }
      item.request[keyPath: keyPath] = files.map(\.path)
      if side == .front { item.front = files } else { item.back = files }
    }
    if item.refusal != nil {
      (item.front, item.back) = ([], [])
      (item.request.frontFiles, item.request.backFiles) = ([], [])
    }
  }
}

/// A skipped pair whose place or stamp is new, though its content is not.
struct Moved: Sendable, Equatable {
  var key: String
  var position: Int
  var stamp: [UInt8]
}

/// When a pair is done again although nothing of it changed.
struct RedoRule: Sendable {
  /// The run forgets earlier ones.
  var fresh: Bool
  /// The run tries failures again.
  var retryFailed: Bool

  func applies(to prior: LedgerEntry) -> Bool { fresh || retryFailed && prior.outcome == .failed }
}
