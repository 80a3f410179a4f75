internal import CardModel

/// What the ledger knows of a pair that is done.
struct LedgerEntry: Sendable, Equatable {
  /// The pair's id; a row that gave none has a key of its own that starts with a NUL, which no id can hold.
  var key: String
  /// 0-based place among all pairs of the input, those of other shards included, when it was last seen.
  var position: Int
  /// The run whose results hold its line.
  var run: Int
  var outcome: Outcome
  /// What decides whether it is done again: images' contents, expected number, mode, width, settings and versions.
  var fingerprint: [UInt8]
  /// As `fingerprint`, but from paths, sizes, times and inodes: cheap, and enough to see that nothing changed.
  var stamp: [UInt8]
  /// The stamp of the front's files alone.
  var frontStamp: [UInt8]
  /// The contents of all images, to find the same card under two ids.
  var content: [UInt8]
  /// As `fingerprint`, of the row with which the back was scanned again; `nil` where that did not happen.
  var rescanFingerprint: [UInt8]?
  /// The captured front (JSON) where the back must be scanned again.
  var frontCapture: String?
  /// Where its lines stand in its run's files.
  var results: Range<Int>
  var events: Range<Int>
  /// The names of its images, divided by `/`.
  var images: String
  /// Seconds since 1970.
  var finished: Int

  /// Whether it is of a row that gave no id of its own.
  var isRefusedRow: Bool { key.utf8.first == 0 }
}

/// A run as the ledger knows it.
struct LedgerRun: Sendable, Equatable {
  var number: Int
  /// The folder's name below `runs/`.
  var folder: String
  /// Input, settings and versions: a run is resumed only by the same ones.
  var key: [UInt8]
  var fresh: Bool
  var retryFailed: Bool
  /// `running`, `complete` or `abandoned`.
  var state: String
  /// How many bytes of each file are acknowledged; what stands behind them was never promised and is cut off.
  var lengths: RunLengths
}

/// The acknowledged lengths of a run's files.
struct RunLengths: Sendable, Equatable {
  var results = 0
  var events = 0
  var rescan = 0
  var timings = 0
}
