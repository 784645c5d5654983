/// What can be done in every transaction, reading or writing: looking.
///
/// Bytes come out as spans that are bound to the transaction: the compiler refuses code in
/// which one outlives it, or is used after a write.
///
/// Threads: a transaction is used by one thread at a time.
public protocol Transaction: ~Copyable {
  /// The database of a name; nil when the transaction sees none.
  ///
  /// - Throws: ``LMDBError/Code/incompatible`` when it orders its keys in another way.
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
  ///   - range: Which keys.
  ///   - bound: How many are of interest; counting ends soon behind it.
  /// - Complexity: O(log *n*) and the pages of the rows counted; a write transaction steps through
  ///   the rows.
  func count(
    of database: Database, in range: KeyRange, upTo bound: Int
  ) throws(LMDBError) -> Int

  /// How large a database is, in O(1).
  func statistics(of database: Database) throws(LMDBError) -> TreeStatistics

  /// Lends the rows of a range to a closure, a block of up to 256 at a time.
  ///
  /// - Parameters:
  ///   - range: Which keys; all of them unless said otherwise.
  ///   - direction: In ascending order, or backward.
  ///   - body: Gets each block once; it returns whether it wants the next one.
  /// - Complexity: O(log *n*) and the rows handed out.
  func forEachBlock(
    of database: Database, in range: KeyRange, direction: Direction,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws

  /// Lends a cursor over the rows of a range to a closure.
  ///
  /// - Parameter range: Which rows the cursor moves over.
  func withCursor<R: ~Copyable>(
    in database: Database, over range: KeyRange, _ body: (inout Cursor) throws -> R
  ) throws -> R
}

extension Transaction where Self: ~Copyable {
  /// The database of a name with keys in plain order; nil when the transaction sees none.
  public func database(named name: String) throws(LMDBError) -> Database? {
    try database(named: name, order: .ascending)
  }

  /// Lends the rows of a range, in ascending order, to a closure that is asked for more each time.
  public func forEachBlock(
    of database: Database, in range: KeyRange = .all,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws {
    try forEachBlock(of: database, in: range, direction: .forward, body)
  }

  /// Lends a cursor over all rows to a closure.
  public func withCursor<R: ~Copyable>(
    in database: Database, _ body: (inout Cursor) throws -> R
  ) throws -> R {
    try withCursor(in: database, over: .all, body)
  }
}
