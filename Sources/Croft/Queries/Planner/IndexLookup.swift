import LMDB

/// The candidates that an index finds for a condition in a way of its own.
///
/// It is the access of a plan for a kind of index that has no entry for each row and value. The rows of
/// its candidates are tested for the conjuncts that its ``Candidate`` does not answer. It is a class, so
/// that plans, which are copied often, stay small.
protocol IndexLookup: AnyObject, Sendable {
  /// The index that is read.
  var index: any TableIndex { get }

  /// Whether the candidates come in an order; otherwise they come in any.
  ///
  /// - Parameter order: The keys of the order; without any, that of the primary key.
  func delivers(_ order: [SortKey]) -> Bool

  /// How many candidates there are: counted up to a bound, then guessed.
  func estimate(
    upTo bound: Int, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Plan.Estimate

  /// Passes the primary keys of the candidates, each once.
  ///
  /// - Parameters:
  ///   - transaction: The transaction to read in; nothing is written to it meanwhile.
  ///   - body: Receives a key, borrowed for the call; returns false to stop.
  func forEachCandidate(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws
}
