private import CSQLite

/// One connection to an SQLite file. It is used by one thread at a time and closed with its owner.
final class Database {
  private var handle: OpaquePointer?

  /// Opens the file, making it where it does not exist.
  /// - Parameter unchanging: whether the file lies where nobody can write: SQLite then makes no file beside it, and takes no lock.
  /// - Throws: `RunError`: `cannotCreateOutput` where it cannot be opened.
  init(path: String, unchanging: Bool = false) throws(RunError) {
    let mode = unchanging ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
    let name = unchanging ? "file:" + Self.quoted(path) + "?immutable=1" : path
    let code = sqlite3_open_v2(name, &handle, mode | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK else {
      sqlite3_close_v2(handle)
      throw RunError(.cannotCreateOutput, "the ledger cannot be opened (SQLite code \(code))")
    }
    sqlite3_busy_timeout(handle, 10_000)
    sqlite3_extended_result_codes(handle, 1)
  }

  deinit { sqlite3_close_v2(handle) }

  /// A path within a URI: what has a meaning there is written as its number.
  private static func quoted(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    let plain = Set("/-._~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8)
    let bytes = path.utf8.flatMap { plain.contains($0) ? [$0] : [0x25, digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Runs statements that give no rows of interest.
  func execute(_ sql: String) throws(RunError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw failure(code) }
  }

  /// Ends a transaction that failed. SQLite may have rolled back by itself, so a refusal means nothing.
  func rollBack() { sqlite3_exec(handle, "ROLLBACK", nil, nil, nil) }

  /// Compiles a statement; it is finalised with its owner, which must not outlive this connection.
  func prepare(_ sql: String) throws(RunError) -> Statement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw failure(code) }
    return Statement(statement, of: self)
  }

  /// What an error code of SQLite means for a run. The library's text is left out: it may quote values.
  func failure(_ code: Int32) -> RunError {
    switch code & 0xFF {
    case SQLITE_FULL: RunError(.outputFailure, "the ledger cannot be written: the disk is full")
    case SQLITE_IOERR: RunError(.outputFailure, "the ledger cannot be written or read (SQLite code \(code))")
    case SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM:
      RunError(.cannotCreateOutput, "the ledger cannot be written (SQLite code \(code))")
    case SQLITE_BUSY, SQLITE_LOCKED: RunError(.temporaryFailure, "another program holds the ledger")
    case SQLITE_CORRUPT, SQLITE_NOTADB:
      RunError(.internalError, "the ledger is damaged: move ledger.sqlite away to start anew")
    default: RunError(.internalError, "the ledger failed (SQLite code \(code))")
    }
  }
}

/// A compiled statement. Parameters and columns are numbered as SQLite does: parameters from 1, columns from 0.
final class Statement {
  private let handle: OpaquePointer
  private let database: Database

  fileprivate init(_ handle: OpaquePointer, of database: Database) {
    self.handle = handle
    self.database = database
  }

  deinit { sqlite3_finalize(handle) }

  /// SQLite copies what is bound: the pointer is not kept.
  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  func bind(_ index: Int32, _ value: Int?) {
    if let value { sqlite3_bind_int64(handle, index, Int64(value)) } else { sqlite3_bind_null(handle, index) }
  }
  func bind(_ index: Int32, _ value: String?) {
    guard var value else { return bind(index, nil as Int?) }
    value.withUTF8 { utf8 in
      utf8.withMemoryRebound(to: CChar.self) { text in
        _ = sqlite3_bind_text(handle, index, text.baseAddress, Int32(text.count), Self.copied)
      }
    }
  }
  func bind(_ index: Int32, _ value: [UInt8]?) {
    guard let value else { return bind(index, nil as Int?) }
    // An empty blob needs an address that is not NULL.
    if value.isEmpty { sqlite3_bind_zeroblob(handle, index, 0) }
    value.withUnsafeBytes { bytes in
      if !bytes.isEmpty { _ = sqlite3_bind_blob(handle, index, bytes.baseAddress, Int32(bytes.count), Self.copied) }
    }
  }

  /// Goes to the next row. After the last one the statement is reset.
  func step() throws(RunError) -> Bool {
    let code = sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE:
      sqlite3_reset(handle)
      return false
    default:
      sqlite3_reset(handle)
      throw database.failure(code)
    }
  }

  /// Runs a statement that gives no row, or whose rows do not matter.
  func run() throws(RunError) { while try step() {} }

  /// Ends a query early.
  func reset() { sqlite3_reset(handle) }

  func int(_ column: Int32) -> Int { Int(sqlite3_column_int64(handle, column)) }
  func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }
  func optionalInt(_ column: Int32) -> Int? { isNull(column) ? nil : int(column) }
  func optionalText(_ column: Int32) -> String? {
    guard let text = sqlite3_column_text(handle, column) else { return nil }
    let bytes = UnsafeBufferPointer(start: text, count: Int(sqlite3_column_bytes(handle, column)))
    return String(decoding: bytes, as: UTF8.self)
  }
  func text(_ column: Int32) -> String { optionalText(column) ?? "" }
  func optionalBlob(_ column: Int32) -> [UInt8]? {
    guard !isNull(column) else { return nil }
    guard let base = sqlite3_column_blob(handle, column) else { return [] }
    return Array(UnsafeRawBufferPointer(start: base, count: Int(sqlite3_column_bytes(handle, column))))
  }
  func blob(_ column: Int32) -> [UInt8] { optionalBlob(column) ?? [] }
}
