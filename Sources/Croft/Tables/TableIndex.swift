import LMDB

/// An index of a table in an open store, at one generation of the catalog; immutable.
///
/// A kind of index is a type that adopts this protocol, and makes an ``IndexWriter`` of its own. It
/// keeps a tree in a format of its own. ``EntryIndex`` has entries for each row; another kind may merge
/// many rows into one entry, and write it as late as the commit. It brings candidates for conditions
/// through its ``Candidate`` or an ``IndexLookup``. `CatalogBuilder` makes an index of the kind that
/// the catalog names.
///
/// It is a class, so that loops copy a reference.
protocol TableIndex: AnyObject, Sendable {
  /// What the catalog holds of it.
  var status: IndexStatus { get }
  /// The names of the columns and expressions that it is over.
  var names: [String] { get }

  /// Makes the writer of a transaction.
  func makeWriter(of table: Table) -> any IndexWriter

  /// How the index reaches the rows of a condition; nil where it does not help.
  ///
  /// - Parameter isOrdered: Whether it may serve for its order alone.
  func candidate(for conjuncts: [ConditionTree], of table: Table, isOrdered: Bool) -> Candidate?

  /// How large its tree is.
  func statistics(in transaction: borrowing LMDB.ReadTransaction) throws -> TreeStatistics

  /// Checks that it has what a row must have in it.
  func verify(
    _ row: RecordView, of table: Table, in transaction: borrowing LMDB.ReadTransaction,
    _ result: inout Verification
  ) throws

  /// Checks that all that it has is of a row.
  ///
  /// - Parameter progress: Called before blocks of entries with the result so far; what it throws ends the check.
  func verifyEntries(
    of table: Table, in transaction: borrowing LMDB.ReadTransaction, _ result: inout Verification,
    _ progress: (Verification) throws -> Void
  ) throws
}

/// What the catalog holds of an index, whatever its kind.
struct IndexStatus: Sendable {
  /// The catalog's number of it, which also names its tree.
  let id: Int
  /// The position of its writer among a transaction's writers of its kind.
  let slot: Int
  /// What it is over.
  let definition: IndexDefinition
  /// While the index is being built, the key of the last row that has its entries, which is
  /// shorter than any where none has; nil where all rows have theirs.
  var lastBuilt: [UInt8]?
  /// Whether queries must not use its entries, because they are to be rebuilt.
  var awaitsRebuild = false
  /// The number of the index that it replaces once it is built; nil for none.
  var replaces: Int?
  /// Whether rows that cannot be read get no entries while it is built; otherwise they stop it.
  var skipsDamagedRows = false
}

extension TableIndex {
  var id: Int { status.id }
  /// Whether rows still lack their entries, so that queries cannot use the index.
  var isBuilding: Bool { status.lastBuilt != nil }
  /// Whether queries may use the index.
  var isReadable: Bool { !isBuilding && !status.awaitsRebuild }

  /// Whether a write of a row writes its entries; the others are made when the index is built.
  @inline(__always)
  func covers(_ key: UnsafeRawBufferPointer) -> Bool {
    guard let lastBuilt = status.lastBuilt else { return true }
    // Safety: the bytes are compared while both are borrowed.
    return unsafe lastBuilt.withUnsafeBytes { unsafe ByteList.compare(key, $0) <= 0 }
  }
}
