/// The reading that read and write transactions share.
///
/// Bytes are returned as spans that are bound to the transaction: the compiler refuses code in
/// which one outlives it, or is used after a write.
///
/// Threads: a transaction is used by one thread at a time.
public protocol Transaction: ~Copyable {
  /// The database of a name; nil when the transaction sees none.
  ///
  /// - Throws: ``LMDBError/Code/incompatible`` when it has another order of keys.
  func database(named name: String, order: Database.KeyOrder) throws(LMDBError) -> Database?

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

  /// The number of rows in a range of a database, or a number past `bound` where there are more.
  ///
  /// - Parameters:
  ///   - range: The keys.
  ///   - bound: The count past which counting may end.
  /// - Complexity: O(log *n*) and the pages of the counted rows; a write transaction reads each row.
  func count(
    of database: Database, in range: KeyRange, upTo bound: Int
  ) throws(LMDBError) -> Int

  /// How large a database is, in O(1).
  func statistics(of database: Database) throws(LMDBError) -> TreeStatistics

  /// Calls a closure with the rows of a range, a block of up to 256 at a time.
  ///
  /// - Parameters:
  ///   - range: The keys; all by default.
  ///   - direction: Ascending or descending.
  ///   - body: Gets each block once, and returns whether to go on.
  /// - Complexity: O(log *n*) and the rows read.
  func forEachBlock(
    of database: Database, in range: KeyRange, direction: KeyRange.Direction,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws

  /// Runs a closure with a cursor over the rows of a range.
  ///
  /// - Parameter range: The rows that the cursor moves over.
  func withCursor<R: ~Copyable>(
    in database: Database, over range: KeyRange, _ body: (inout Cursor) throws -> R
  ) throws -> R
}

extension Transaction where Self: ~Copyable {
  /// The database of a name with ascending keys; nil when the transaction sees none.
  public func database(named name: String) throws(LMDBError) -> Database? {
    try database(named: name, order: .ascending)
  }

  /// Calls a closure with the rows of a range in ascending order, until it returns false.
  public func forEachBlock(
    of database: Database, in range: KeyRange = .all,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws {
    try forEachBlock(of: database, in: range, direction: .forward, body)
  }

  /// Runs a closure with a cursor over all rows.
  public func withCursor<R: ~Copyable>(
    in database: Database, _ body: (inout Cursor) throws -> R
  ) throws -> R {
    try withCursor(in: database, over: .all, body)
  }
}
