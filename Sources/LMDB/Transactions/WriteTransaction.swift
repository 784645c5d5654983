/// A change of an environment, which happens as a whole or not at all.
///
/// It sees what it has written itself. After a failed write, such as ``LMDBError/Code/mapFull``,
/// it can only end; further calls throw ``LMDBError/Code/badTransaction``.
///
/// Threads: it begins and ends on one OS thread.
public struct WriteTransaction: ~Copyable, Transaction {
  let environment: Environment
  let handle: TransactionHandle
  /// How many write transactions it lies inside, itself included.
  private let depth: Int
  /// Whether it has yet to end.
  private var isOpen = true

  init(_ environment: Environment, _ handle: TransactionHandle, depth: Int = 1) {
    self.environment = environment
    self.handle = handle
    self.depth = depth
  }

  deinit {
    if isOpen { environment.core.abortWrite(handle, depth: depth) }
  }

  /// Makes all changes durable and visible, or throws and leaves none of them.
  package consuming func commit() throws(LMDBError) {
    isOpen = false
    try environment.core.commitWrite(handle, depth: depth)
  }

  /// Takes all changes back.
  package consuming func abort() {
    isOpen = false
    environment.core.abortWrite(handle, depth: depth)
  }

  /// The database of a name; nil when the transaction sees none.
  public func database(
    named name: String, order: Database.KeyOrder
  ) throws(LMDBError) -> Database? {
    try environment.core.openForWriting(name, order, handle, creates: false)
  }

  /// Whether the file holds no database at all, as a new one does.
  public func isEmpty() throws(LMDBError) -> Bool {
    try handle.countOrThrow(of: TransactionHandle.namesSlot) == 0
  }

  /// The value of a key; nil when there is no such key.
  @_lifetime(borrow self)
  public func get(_ key: RawSpan, in database: Database) throws(LMDBError) -> RawSpan? {
    let slot = try environment.core.slot(of: database, in: handle, for: .get)
    // Safety: the bytes stay where they are until the next write, which the borrow excludes.
    guard let bytes = unsafe try handle.value(of: key, in: slot) else { return nil }
    return unsafe _overrideLifetime(RawSpan(_unsafeBytes: bytes), borrowing: self)
  }

  /// The number of rows of a database, in O(1).
  public func count(of database: Database) throws(LMDBError) -> Int {
    try handle.countOrThrow(of: environment.core.slot(of: database, in: handle, for: .count))
  }

  /// The number of rows in a range of a database, or a number past `bound` where there are more.
  public func count(
    of database: Database, in range: KeyRange, upTo bound: Int
  ) throws(LMDBError) -> Int {
    let slot = try environment.core.slot(of: database, in: handle, for: .scan)
    return try handle.countRows(
      in: slot, range: range, upTo: bound, order: environment.core.databases.order(of: database))
  }

  /// How large a database is, in O(1).
  public func statistics(of database: Database) throws(LMDBError) -> TreeStatistics {
    try handle.statisticsOrThrow(of: environment.core.slot(of: database, in: handle, for: .count))
  }

  /// Lends the rows of a range to a closure, a block of up to 256 at a time.
  public func forEachBlock(
    of database: Database, in range: KeyRange = .all, direction: Direction = .forward,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws {
    let slot = try environment.core.slot(of: database, in: handle, for: .scan)
    try handle.forEachBlock(
      in: slot, range: range, direction: direction,
      order: environment.core.databases.order(of: database), body)
  }

  /// Lends a cursor over the rows of a range to a closure.
  public func withCursor<R: ~Copyable>(
    in database: Database, over range: KeyRange, _ body: (inout Cursor) throws -> R
  ) throws -> R {
    let slot = try environment.core.slot(of: database, in: handle, for: .scan)
    return try handle.withCursor(
      in: slot, over: range, order: environment.core.databases.order(of: database), body)
  }
}
