internal import CardModel
internal import Glibc

/// `ledger.sqlite`: what is done. SQLite in WAL mode, with a sync on every commit.
///
/// **The order of truth.** Images are written, synced and renamed by workers; then a batch of pairs is made durable so:
/// 1. its lines are appended to `results.ndjson`, `events.ndjson`, `rescan.csv` and `timings.ndjson`;
/// 2. its images and these files are synced (fdatasync);
/// 3. one transaction enters the pairs and the files' new lengths.
///
/// A pair is done when that transaction is. *Crash before or in 1 or 2*: the files may be longer than the ledger says, perhaps
/// with a torn line; a resume cuts them to the ledger's lengths and does those pairs again, which gives the same bytes.
/// *Crash in 3*: SQLite rolls back: as before. *Crash after 3*: the pairs are skipped. So no line is ever lost, doubled or torn.
/// A file shorter than its acknowledged length is damage from outside; the run is then redone from its start.
struct Ledger {
  let database: Database

  static let version = 1

  /// Opens the ledger for reading and writing, making its tables where it is new.
  init(path: String) throws(RunError) {
    Self.keepTemporaryFiles(beside: path)
    database = try Database(path: path)
    try database.execute(
      "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA cache_size=-16000; PRAGMA temp_store=FILE;")
    try database.execute(Self.schema)
    let statement = try database.prepare("SELECT value FROM meta WHERE name = 'version'")
    guard try statement.step() else {
      try database.execute("INSERT INTO meta VALUES ('version', \(Self.version))")
      return
    }
    let found = statement.int(0)
    statement.reset()
    guard found == Self.version else {
      throw RunError(
        .cannotCreateOutput, "the output folder's ledger has version \(found), this program writes \(Self.version)")
    }
  }

  /// Opens a ledger that exists, to look things up beside the one that writes. On a read-only disk it is read as it is, provided that
  /// nothing waits in the log beside it.
  init(reading path: String) throws(RunError) {
    Self.keepTemporaryFiles(beside: path)
    let isReadOnly = access(path, W_OK) != 0 && errno == EROFS
    var log = FileStat()
    let nothingWaits = log.look(at: path + "-wal", followingLinks: true) != nil || log.size == 0
    database = try Database(path: path, unchanging: isReadOnly && nothingWaits)
    try database.execute("PRAGMA query_only=1; PRAGMA cache_size=-16000; PRAGMA temp_store=FILE;")
  }

  /// Has SQLite sort beside the ledger what is too large for memory: ids belong nowhere else, and the system's folder for temporary
  /// files may be small or read-only. SQLite looks once, when a process opens its first file.
  private static func keepTemporaryFiles(beside path: String) {
    guard let slash = path.utf8.lastIndex(of: 0x2F) else { return }
    setenv("SQLITE_TMPDIR", String(path[..<slash]), 0)
  }

  private static let schema = """
    CREATE TABLE IF NOT EXISTS meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS runs (
      number INTEGER PRIMARY KEY, folder TEXT NOT NULL UNIQUE, key BLOB NOT NULL, fresh INTEGER NOT NULL,
      retryFailed INTEGER NOT NULL, state TEXT NOT NULL, results INTEGER NOT NULL DEFAULT 0, events INTEGER NOT NULL DEFAULT 0,
      rescan INTEGER NOT NULL DEFAULT 0, timings INTEGER NOT NULL DEFAULT 0);
    CREATE TABLE IF NOT EXISTS pairs (
      key TEXT PRIMARY KEY, position INTEGER NOT NULL, run INTEGER NOT NULL, outcome TEXT NOT NULL, fingerprint BLOB NOT NULL,
      stamp BLOB NOT NULL, frontStamp BLOB NOT NULL, content BLOB NOT NULL, rescanFingerprint BLOB, frontCapture TEXT,
      resultsStart INTEGER NOT NULL, resultsEnd INTEGER NOT NULL, eventsStart INTEGER NOT NULL, eventsEnd INTEGER NOT NULL,
      images TEXT NOT NULL, finished INTEGER NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS tallies (
      run INTEGER NOT NULL, name TEXT NOT NULL, count INTEGER NOT NULL, PRIMARY KEY (run, name)) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS audit (time INTEGER NOT NULL, line TEXT NOT NULL);
    """

  // MARK: Runs

  /// The newest run, `nil` in a new ledger.
  func lastRun() throws(RunError) -> LedgerRun? { try runs("ORDER BY number DESC LIMIT 1").first }

  /// Every run, oldest first.
  func allRuns() throws(RunError) -> [LedgerRun] { try runs("ORDER BY number") }

  private func runs(_ clause: String) throws(RunError) -> [LedgerRun] {
    let statement = try database.prepare(
      "SELECT number, folder, key, fresh, retryFailed, state, results, events, rescan, timings FROM runs \(clause)")
    var runs: [LedgerRun] = []
    while try statement.step() {
      runs.append(
        LedgerRun(
          number: statement.int(0), folder: statement.text(1), key: statement.blob(2), fresh: statement.int(3) != 0,
          retryFailed: statement.int(4) != 0, state: statement.text(5),
          lengths: RunLengths(
            results: statement.int(6), events: statement.int(7), rescan: statement.int(8), timings: statement.int(9))))
    }
    return runs
  }

  /// Enters a run that starts now.
  func insert(_ run: LedgerRun) throws(RunError) {
    let statement = try database.prepare("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    statement.bind(1, run.number)
    statement.bind(2, run.folder)
    statement.bind(3, run.key)
    statement.bind(4, run.fresh ? 1 : 0)
    statement.bind(5, run.retryFailed ? 1 : 0)
    statement.bind(6, run.state)
    for (offset, length) in [run.lengths.results, run.lengths.events, run.lengths.rescan, run.lengths.timings]
      .enumerated()
    {
      statement.bind(7 + Int32(offset), length)
    }
    try statement.run()
  }

  func setState(_ state: String, ofRun number: Int) throws(RunError) {
    let statement = try database.prepare("UPDATE runs SET state = ? WHERE number = ?")
    statement.bind(1, state)
    statement.bind(2, number)
    try statement.run()
  }

  /// Forgets what a run did, so that it is done again from its start.
  func forgetPairs(ofRun number: Int) throws(RunError) {
    try database.execute(
      """
      BEGIN IMMEDIATE; DELETE FROM pairs WHERE run = \(number); DELETE FROM tallies WHERE run = \(number);
      UPDATE runs SET results = 0, events = 0, rescan = 0, timings = 0 WHERE number = \(number); COMMIT;
      """)
  }

  // MARK: Pairs

  static let columns = """
    key, position, run, outcome, fingerprint, stamp, frontStamp, content, rescanFingerprint, frontCapture, resultsStart, resultsEnd, \
    eventsStart, eventsEnd, images, finished
    """

  /// The entry in the row where a statement that selects `columns` stands.
  static func entry(_ row: Statement) throws(RunError) -> LedgerEntry {
    guard let outcome = Outcome(rawValue: row.text(3)), row.int(10) <= row.int(11), row.int(12) <= row.int(13) else {
      throw RunError(.internalError, "the ledger holds an entry that this program never wrote")
    }
    return LedgerEntry(
      key: row.text(0), position: row.int(1), run: row.int(2), outcome: outcome, fingerprint: row.blob(4),
      stamp: row.blob(5),
      frontStamp: row.blob(6), content: row.blob(7), rescanFingerprint: row.optionalBlob(8),
      frontCapture: row.optionalText(9),
      results: row.int(10)..<row.int(11), events: row.int(12)..<row.int(13), images: row.text(14), finished: row.int(15)
    )
  }

  /// Calls `body` with the entries of rows that gave no id of their own.
  func eachRefusedRow(_ body: (LedgerEntry) throws(RunError) -> Void) throws(RunError) {
    let statement = try database.prepare("SELECT \(Self.columns) FROM pairs WHERE key < char(1)")
    while try statement.step() { try body(try Self.entry(statement)) }
  }

  /// What each counter of a run stands at.
  func tallies(ofRun number: Int) throws(RunError) -> [String: Int] {
    let statement = try database.prepare("SELECT name, count FROM tallies WHERE run = ?")
    statement.bind(1, number)
    var tallies: [String: Int] = [:]
    while try statement.step() { tallies[statement.text(0)] = statement.int(1) }
    return tallies
  }

  /// Calls `body` with every pair that has the same images as another one: the group's number from 1, and the pair's key.
  /// - Returns: the number of groups.
  func eachDuplicate(_ body: (_ group: Int, _ key: String) throws(RunError) -> Void) throws(RunError) -> Int {
    // Sorted on disk where it does not fit: the memory stays bounded.
    try database.execute(
      "CREATE TEMP TABLE IF NOT EXISTS doubled (content BLOB PRIMARY KEY) WITHOUT ROWID; DELETE FROM doubled;")
    try database.execute(
      "INSERT INTO doubled SELECT content FROM pairs WHERE length(content) > 0 GROUP BY content HAVING count(*) > 1")
    let statement = try database.prepare(
      "SELECT content, key FROM pairs JOIN doubled USING (content) ORDER BY content, key")
    var group = 0
    var last: [UInt8] = []
    while try statement.step() {
      let content = statement.blob(0)
      if content != last { group += 1 }
      last = content
      try body(group, statement.text(1))
    }
    return group
  }
}

/// Looks pairs up; for the thread that reads the input.
struct LedgerLookup {
  private let statement: Statement

  init(_ ledger: Ledger) throws(RunError) {
    statement = try ledger.database.prepare("SELECT \(Ledger.columns) FROM pairs WHERE key = ?")
  }

  /// The pair's entry, `nil` where the ledger does not know it.
  func entry(key: String) throws(RunError) -> LedgerEntry? {
    statement.bind(1, key)
    defer { statement.reset() }
    return try statement.step() ? try Ledger.entry(statement) : nil
  }
}

/// Enters batches; for the thread that writes the results.
struct LedgerWriter {
  private let database: Database
  private let pair: Statement
  private let seen: Statement
  private let lengths: Statement
  private let tally: Statement

  init(_ ledger: Ledger) throws(RunError) {
    database = ledger.database
    pair = try database.prepare("INSERT OR REPLACE INTO pairs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
    seen = try database.prepare("UPDATE pairs SET position = ?, stamp = ? WHERE key = ?")
    lengths = try database.prepare("UPDATE runs SET results = ?, events = ?, rescan = ?, timings = ? WHERE number = ?")
    tally = try database.prepare(
      "INSERT INTO tallies VALUES (?, ?, ?) ON CONFLICT (run, name) DO UPDATE SET count = count + excluded.count")
  }

  /// Enters a batch in one transaction.
  /// - Parameter seen: skipped pairs whose place or stamp is new though their content is not.
  func commit(
    run: Int?, entries: [LedgerEntry], seen moved: [(key: String, position: Int, stamp: [UInt8])],
    lengths new: RunLengths,
    tallies: [String: Int]
  ) throws(RunError) {
    try database.execute("BEGIN IMMEDIATE")
    do throws(RunError) {
      for entry in entries { try insert(entry) }
      for item in moved {
        seen.bind(1, item.position)
        seen.bind(2, item.stamp)
        seen.bind(3, item.key)
        try seen.run()
      }
      if let run {
        for (index, length) in [new.results, new.events, new.rescan, new.timings].enumerated() {
          lengths.bind(Int32(index + 1), length)
        }
        lengths.bind(5, run)
        try lengths.run()
        for (name, count) in tallies where count != 0 {
          tally.bind(1, run)
          tally.bind(2, name)
          tally.bind(3, count)
          try tally.run()
        }
      }
      try database.execute("COMMIT")
    } catch {
      database.rollBack()
      throw error
    }
  }

  private func insert(_ entry: LedgerEntry) throws(RunError) {
    pair.bind(1, entry.key)
    pair.bind(2, entry.position)
    pair.bind(3, entry.run)
    pair.bind(4, entry.outcome.rawValue)
    pair.bind(5, entry.fingerprint)
    pair.bind(6, entry.stamp)
    pair.bind(7, entry.frontStamp)
    pair.bind(8, entry.content)
    pair.bind(9, entry.rescanFingerprint)
    pair.bind(10, entry.frontCapture)
    pair.bind(11, entry.results.lowerBound)
    pair.bind(12, entry.results.upperBound)
    pair.bind(13, entry.events.lowerBound)
    pair.bind(14, entry.events.upperBound)
    pair.bind(15, entry.images)
    pair.bind(16, entry.finished)
    try pair.run()
  }
}
