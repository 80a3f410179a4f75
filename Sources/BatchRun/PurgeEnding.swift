internal import CardModel
internal import Glibc
internal import RecordFormats

/// What a purge does once its transaction stands, after a crash too: it is listed in the ledger's table `purging`, and each step may be
/// done twice. As long as the table is there, the runs' files and the ledger need not agree.
struct PurgeEnding {
  let folder: OutputFolder
  let ledger: Ledger

  /// A thing to be done.
  enum Step: String {
    /// `runs/NAME.purged` takes the place of `runs/NAME`.
    case file
    /// A run's pages made from its results go: `report` and `review` make them again.
    case derived
    /// A card image goes.
    case image
    /// A line for `audit.ndjson`.
    case audit
  }

  /// Lists steps, within the purge's transaction.
  struct Pending {
    private let statement: Statement

    init(_ database: Database) throws(RunError) {
      statement = try database.prepare("INSERT INTO purging VALUES (?, ?)")
    }

    func note(_ step: Step, _ name: String) throws(RunError) {
      statement.bind(1, step.rawValue)
      statement.bind(2, name)
      try statement.run()
    }
  }

  /// Makes the empty list, within the purge's transaction, and counts the purge: who reads results must see that none came between.
  /// - Returns: its number.
  static func begin(_ database: Database) throws(RunError) -> Int {
    let number = (try count(database) ?? 0) + 1
    try database.execute(
      """
      CREATE TABLE purging (kind TEXT NOT NULL, name TEXT NOT NULL);
      INSERT OR REPLACE INTO meta VALUES ('purges', \(number));
      """)
    return number
  }

  /// The number of purges so far, `nil` while one is under way or must be finished.
  static func count(_ database: Database) throws(RunError) -> Int? {
    let statement = try database.prepare(
      """
      SELECT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'purging'),
        coalesce((SELECT value FROM meta WHERE name = 'purges'), 0)
      """)
    defer { statement.reset() }
    guard try statement.step() else { return nil }
    return statement.int(0) == 0 ? statement.int(1) : nil
  }

  /// Finishes a purge whose transaction is done, or clears away what one left that came to nothing. The folder's lock must be held.
  func finishInterrupted() throws(RunError) {
    if try Self.count(ledger.database) == nil { try finish() }
    try discardFiles()
  }

  private func finish() throws(RunError) {
    try steps([.file]) { name throws(RunError) in
      let path = folder.runs + "/" + name
      guard rename(path + ".purged", path) == 0 || errno == ENOENT else {
        throw FileFailure.error("a purged file cannot be put in place", errno)
      }
    }
    try steps([.derived]) { name throws(RunError) in
      for page in ["report.html", "report.html.tmp"] { unlink(folder.run(name) + "/" + page) }
      removeTree(folder.run(name) + "/review")
      // Without its names being durable the new files might be the old ones again after a power failure.
      try syncFolder(folder.run(name))
    }
    try steps([.image]) { unlink(folder.images + "/" + $0) }
    try forgetDecisions()
    removeTree(folder.path + "/review")
    try steps([.audit]) { line throws(RunError) in try audit(Array(line.utf8)) }
    try syncFolder(folder.path)
    // What was deleted must not stay in the log beside the file.
    try ledger.database.execute("PRAGMA secure_delete=ON; DROP TABLE purging; PRAGMA wal_checkpoint(TRUNCATE);")
  }

  private func steps(_ wanted: Set<Step>, _ body: (_ name: String) throws(RunError) -> Void) throws(RunError) {
    let statement = try ledger.database.prepare("SELECT kind, name FROM purging")
    while try statement.step() {
      guard let step = Step(rawValue: statement.text(0)), wanted.contains(step) else { continue }
      try body(statement.text(1))
    }
  }

  /// Decisions on pairs that are not known any more go. A refused row has no key of its own: its id stands in its line.
  private func forgetDecisions() throws(RunError) {
    let lookup = try LedgerLookup(ledger)
    let lines = try ResultLines(folder, ledger: ledger, finishingPurge: true)
    var refused: Set<ExactText> = []
    try ledger.eachRefusedRow { entry throws(RunError) in
      if let id = try lines.id(of: entry) { refused.insert(ExactText(id)) }
    }
    try DecisionLog(in: folder).forget { id throws(RunError) in
      if refused.contains(ExactText(id)) { return true }
      return try lookup.entry(key: id) != nil
    }
  }

  /// Adds a line to `audit.ndjson`, unless it stands there last: then a crash came between it and the end.
  private func audit(_ line: [UInt8]) throws(RunError) {
    let path = folder.path + "/audit.ndjson"
    let file = open(path, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard file >= 0 else { throw FileFailure.error("the audit line cannot be written", errno) }
    defer { close(file) }
    var stat = FileStat()
    if let code = stat.look(at: file) { throw FileFailure.error("the audit file cannot be looked at", code) }
    var lines = LineReader(descriptor: file, maximumLineBytes: 1 << 16)
    var last: [UInt8] = []
    var end = 0
    // What stands behind the last line's end is torn.
    while case .line(let next) = lines.next(), end + next.count + 1 <= stat.size {
      last = next
      end += next.count + 1
    }
    if last == line { return }
    let target = try GrowingFile(path: path, acknowledged: end)
    target.append(line + [0x0A])
    try target.sync()
  }

  /// Removes new files that no transaction speaks of.
  func discardFiles() throws(RunError) {
    try OutputFolder.eachName(in: folder.runs) { run throws(RunError) in
      try OutputFolder.eachName(in: folder.run(run)) { name throws(RunError) in
        if name.hasSuffix(".purged") { unlink(folder.run(run) + "/" + name) }
      }
    }
  }
}
