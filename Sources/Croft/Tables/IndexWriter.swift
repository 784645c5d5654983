import LMDB

/// Keeps one index up to date in a write transaction: its table passes it each change of a row.
///
/// A written row goes through ``check(_:replacing:in:_:)`` before and ``put(_:replacing:in:)`` after,
/// a deleted one through ``remove(_:)``. A writer may write at once, or keep changes until
/// ``flush(to:)``: before a query of the transaction reads the index, when it is full, and at the
/// commit. An index that is being built gets rows that it does not cover through ``build(_:)``.
///
/// Confined to its transaction, which is used by one thread at a time.
protocol IndexWriter: AnyObject {
  /// Whether so much is kept that it should be flushed before more rows come.
  var isFull: Bool { get }

  /// Checks that a row that is about to be written violates nothing.
  ///
  /// - Throws: ``StoreError/uniqueViolation(model:fields:key:existing:)``.
  func check(
    _ row: RecordView, replacing old: RecordView?, in transaction: borrowing LMDB.WriteTransaction,
    _ arena: RecordArena
  ) throws

  /// Takes a row that was written and passed the check, and the row that it replaces.
  func put(
    _ row: RecordView, replacing old: RecordView?, in transaction: inout LMDB.WriteTransaction
  ) throws

  /// Takes many new rows, none of which can violate anything.
  func put(_ rows: borrowing PendingRows, in transaction: inout LMDB.WriteTransaction) throws

  /// Takes a row to be deleted; nothing is written, so that rows may be read meanwhile.
  func remove(_ row: RecordView) throws

  func endStatement(in transaction: inout LMDB.WriteTransaction) throws

  /// Keeps what a row gives an index that is being built until the flush; about how many bytes.
  func build(_ row: RecordView) throws -> Int

  /// Writes what is kept, so that the index can be read.
  ///
  /// - Throws: ``StoreError/uniqueViolation(model:fields:key:existing:)`` for rows that are built.
  func flush(to transaction: inout LMDB.WriteTransaction) throws

  /// Writes what the commit must hold.
  func finish(in transaction: inout LMDB.WriteTransaction) throws

  /// Empties the index, because all rows are gone.
  func removeAll(in transaction: inout LMDB.WriteTransaction) throws

  /// Removes what the index has of deleted rows that could not be read.
  ///
  /// - Complexity: O(entries).
  func removeEntries(of keys: ByteSet, in transaction: inout LMDB.WriteTransaction) throws

  /// Begins a savepoint: later changes can be rolled back alone.
  func beginSavepoint()

  /// Ends the innermost savepoint, and keeps its changes.
  func releaseSavepoint()

  /// Rolls back the innermost savepoint, which the tree has done already.
  func rollBackToSavepoint()
}

extension IndexWriter {
  func finish(in transaction: inout LMDB.WriteTransaction) throws { try flush(to: &transaction) }

  func put(_ rows: borrowing PendingRows, in transaction: inout LMDB.WriteTransaction) throws {
    for ordinal in 0..<rows.count { try put(rows[ordinal], replacing: nil, in: &transaction) }
  }
}
