/// The functions that read, which read and write transactions have in common.
///
/// Bytes are returned as spans that are bound to the transaction: the compiler refuses code in
/// which one outlives it, or is used after a write.
///
/// Threads: a transaction is used by one thread at a time.
public protocol Transaction: ~Copyable {
  /// The database of a name; nil when the transaction sees none.
  ///
  /// - Throws: ``LMDBError/Code/incompatible`` when it is of an unsupported kind.
  func database(named name: String) throws(LMDBError) -> Database?

  /// Whether the file holds no database at all, as a new one does.
  func isEmpty() throws(LMDBError) -> Bool

  /// The value of a key; nil when there is no such key.
  ///
  /// The corresponding C function is `mdb_get`.
  /// - Complexity: O(log *n*).
  @_lifetime(borrow self)
  func get(_ key: RawSpan, in database: Database) throws(LMDBError) -> RawSpan?

  /// The number of rows of a database, in O(1).
  func count(of database: Database) throws(LMDBError) -> Int

  /// The number of rows in a range, or any number greater than `bound` if there are more.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - range: The keys.
  ///   - bound: Counting may stop once there are more rows than this.
  /// - Complexity: O(log *n*) and the pages of the counted rows; a write transaction reads each
  ///   row of a database that it has changed.
  func count(
    of database: Database, in range: KeyRange, upTo bound: Int
  ) throws(LMDBError) -> Int

  /// The number of rows in a range, or any number greater than `bound`; a closure may end the count.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - range: The keys.
  ///   - bound: Counting may stop once there are more rows than this.
  ///   - check: Called once for some hundred rows; an error that it throws ends the count.
  /// - Throws: ``LMDBError``; what the closure throws.
  /// - Complexity: As without the closure.
  func count(
    of database: Database, in range: KeyRange, upTo bound: Int, checking check: () throws -> Void
  ) throws -> Int

  /// How large a database is, in O(1).
  func statistics(of database: Database) throws(LMDBError) -> TreeStatistics

  /// Calls a closure with the rows of a range, a block of up to 256 at a time.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - range: The keys.
  ///   - direction: Ascending or descending.
  ///   - rowsInFirst: The most rows of the first block, at least one; nil for 16. Each later block
  ///     has up to four times as many as the one before it.
  ///   - body: Receives each block once, and returns whether to continue.
  /// - Complexity: O(log *n*) and the rows read.
  func forEachBlock(
    of database: Database, in range: KeyRange, direction: KeyRange.Direction, rowsInFirst: Int?,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws

  /// Throws where the work of the transaction shall end; called between the rows that a query reads.
  ///
  /// - Throws: What the owner of the transaction stops it with.
  func checkProgress() throws
}

extension Transaction where Self: ~Copyable {
  /// Does nothing: the work goes on to its end.
  public func checkProgress() throws {}

  /// The number of rows in a range, counted to its end: the closure is not called.
  public func count(
    of database: Database, in range: KeyRange, upTo bound: Int, checking check: () throws -> Void
  ) throws -> Int {
    try count(of: database, in: range, upTo: bound)
  }

  /// Calls a closure with the rows of a range, until it returns false.
  public func forEachBlock(
    of database: Database, in range: KeyRange = .all, direction: KeyRange.Direction = .forward,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws {
    try forEachBlock(of: database, in: range, direction: direction, rowsInFirst: nil, body)
  }
}

/// A transaction that reads one commit of an environment.
///
/// Threads: used by one thread at a time.
public struct ReadTransaction: ~Copyable, Transaction {
  let environment: Environment
  private let reader: Reader
  /// The snapshot that the reader belongs to, if any.
  private let snapshot: Snapshot?
  /// Called before each block of rows; an error that it throws ends the reading of rows.
  private let onProgress: (() throws -> Void)?

  /// Begins a read of the last commit, which ends when the value is destroyed.
  ///
  /// - Parameters:
  ///   - environment: What is read.
  ///   - onProgress: Called before each block of rows; an error that it throws ends the reading of rows.
  /// - Throws: As ``Environment/read(_:)``.
  package init(
    beginningIn environment: Environment, onProgress: (() throws -> Void)? = nil
  ) throws(LMDBError) {
    self.init(environment, try environment.core.beginRead(), onProgress: onProgress)
  }

  init(
    _ environment: Environment, _ reader: Reader, of snapshot: Snapshot? = nil,
    onProgress: (() throws -> Void)? = nil
  ) {
    self.environment = environment
    self.reader = reader
    self.snapshot = snapshot
    self.onProgress = onProgress
  }

  deinit {
    if snapshot == nil { environment.core.endRead(reader) }
  }

  /// The database of a name; nil when the transaction sees none.
  public func database(named name: String) throws(LMDBError) -> Database? {
    guard try reader.pages.record(of: name) != nil else { return nil }
    return try environment.core.databases.found(name)
  }

  /// Whether the file holds no database at all, as a new one does.
  public func isEmpty() throws(LMDBError) -> Bool {
    reader.pages.namesTree?.record.entries == 0
  }

  /// The value of a key; nil when there is no such key.
  @_lifetime(borrow self)
  public func get(_ key: RawSpan, in database: Database) throws(LMDBError) -> RawSpan? {
    let tree = try tree(of: database, for: .get)
    // Safety: the key outlives the call, and the bytes are in the map until the transaction ends.
    let found = unsafe try key.withUnsafeBytes { key throws(LMDBError) in
      #if DEBUG || CROFT_SWARM
        if let code = FaultPlan.failure(in: #function) { throw LMDBError(.get, database: code) }
      #endif
      return unsafe try tree.value(of: key)
    }
    guard let bytes = unsafe found else { return nil }
    return unsafe _overrideLifetime(RawSpan(_unsafeBytes: bytes), borrowing: self)
  }

  /// The number of named databases of the file, known here or not.
  package func databaseCount() -> Int { Int(reader.pages.namesTree?.record.entries ?? 0) }

  /// The number of rows of a database, in O(1).
  public func count(of database: Database) throws(LMDBError) -> Int {
    Int(try tree(of: database, for: .count).record.entries)
  }

  /// The number of rows in a range, or any number greater than `bound` if there are more.
  public func count(
    of database: Database, in range: KeyRange, upTo bound: Int
  ) throws(LMDBError) -> Int {
    try PageCursor(try tree(of: database, for: .scan)).countRows(in: range, upTo: bound)
  }

  /// The number of rows in a range, or any number greater than `bound`; a closure may end the count.
  public func count(
    of database: Database, in range: KeyRange, upTo bound: Int, checking check: () throws -> Void
  ) throws -> Int {
    let cursor = PageCursor(try tree(of: database, for: .scan))
    return try cursor.countRows(in: range, upTo: bound, checking: check)
  }

  /// How large a database is, in O(1).
  public func statistics(of database: Database) throws(LMDBError) -> TreeStatistics {
    TreeStatistics(try tree(of: database, for: .count))
  }

  /// The sizes of the file and its trees, as this transaction sees them.
  package func fileStatistics() throws -> FileStatistics {
    try environment.core.statistics(for: reader)
  }

  /// The number of the commit that the transaction sees, which a copy of the file does not keep.
  package var version: Int { reader.handle.id }

  /// Calls a closure with the rows of a range, a block of up to 256 at a time.
  public func forEachBlock(
    of database: Database, in range: KeyRange, direction: KeyRange.Direction, rowsInFirst: Int?,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws {
    let cursor = PageCursor(try tree(of: database, for: .scan))
    guard let onProgress else {
      return try cursor.forEachBlock(in: range, direction, rowsInFirst: rowsInFirst, body)
    }
    try cursor.forEachBlock(in: range, direction, rowsInFirst: rowsInFirst) { block in
      try onProgress()
      return try body(block)
    }
  }

  /// Throws where the work of the transaction shall end.
  public func checkProgress() throws { try onProgress?() }

  /// The pages that the transaction reads.
  var commit: CommitPages { reader.pages }

  /// The tree of a database as the transaction sees it.
  @inline(__always)
  private func tree(
    of database: Database, for operation: LMDBError.Operation
  ) throws(LMDBError) -> PageTree {
    let databases = environment.core.databases
    // Several threads may read a snapshot, so that its reader caches nothing.
    let tree =
      snapshot == nil
      ? try reader.pages.tree(of: database, in: databases)
      : try reader.pages.sharedTree(of: database, in: databases)
    guard let tree else { throw LMDBError(operation, .badDatabase) }
    return tree
  }
}
