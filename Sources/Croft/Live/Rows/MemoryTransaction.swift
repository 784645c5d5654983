import LMDB

/// A transaction without trees, for a condition that reads the bytes of a row in memory alone.
///
/// Conditions on a row's own columns never call it.
struct MemoryTransaction: LMDB.Transaction, ~Copyable {
  func database(named name: String) throws(LMDBError) -> Database? { nil }

  func isEmpty() throws(LMDBError) -> Bool { true }

  @_lifetime(borrow self)
  func get(_ key: RawSpan, in database: Database) throws(LMDBError) -> RawSpan? { nil }

  func count(of database: Database) throws(LMDBError) -> Int { 0 }

  func count(
    of database: Database, in range: KeyRange, upTo bound: Int
  ) throws(LMDBError) -> Int { 0 }

  func statistics(of database: Database) throws(LMDBError) -> TreeStatistics {
    preconditionFailure("A condition on own columns reads no tree: run the query again instead.")
  }

  func forEachBlock(
    of database: Database, in range: KeyRange, direction: KeyRange.Direction, rowsInFirst: Int?,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws {}
}
