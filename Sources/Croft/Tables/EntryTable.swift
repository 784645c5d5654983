import LMDB

/// The tree of an index's entries, in which every unique entry has its owner.
///
/// The tree itself is private to this file: every function that puts or removes an entry is below.
struct EntryTable: Sendable, Hashable {
  fileprivate let tree: Database

  init(_ tree: Database) { self.tree = tree }

  /// A batch that removes entries, and puts those whose keys hold their owner's primary key.
  var changes: SortedBatch { SortedBatch(tree) }
}

extension LMDB.WriteTransaction {
  /// Puts an entry of a unique index, with its owner.
  ///
  /// - Parameters:
  ///   - key: The entry's key.
  ///   - form: Says whether the value holds the owner's primary key, or the key does.
  ///   - owner: The primary key of the entry's row.
  ///   - entries: The index's entries.
  ///   - mode: Whether an entry of that key is replaced.
  /// - Returns: Whether the entry was put; false where there is one and the mode is insert.
  @discardableResult
  mutating func put(
    _ key: UnsafeRawBufferPointer, _ form: IndexEntry.Form, of owner: UnsafeRawBufferPointer,
    into entries: EntryTable, mode: PutMode = .upsert
  ) throws(LMDBError) -> Bool {
    let value =
      unsafe form == .unique ? owner : UnsafeRawBufferPointer(start: nil, count: 0)
    // Safety: neither the key nor the owner's changes during the call.
    return try unsafe put(
      RawSpan(_unsafeBytes: value), at: RawSpan(_unsafeBytes: key), in: entries.tree, mode: mode)
  }

  /// Removes an entry of a unique index, if there is one.
  mutating func remove(
    _ key: UnsafeRawBufferPointer, from entries: EntryTable
  ) throws(LMDBError) {
    // Safety: the key does not change during the call.
    _ = try unsafe delete(RawSpan(_unsafeBytes: key), in: entries.tree)
  }

  /// Removes all entries.
  mutating func empty(_ entries: EntryTable) throws(LMDBError) { try empty(entries.tree) }
}

extension LMDB.Transaction where Self: ~Copyable {
  /// The value of an entry: its owner's primary key, or nothing where the key holds that.
  @_lifetime(borrow self)
  func get(_ key: RawSpan, in entries: EntryTable) throws(LMDBError) -> RawSpan? {
    try get(key, in: entries.tree)
  }

  /// Lends the entries of a range to a closure, a block at a time.
  func forEachBlock(
    of entries: EntryTable, in range: KeyRange = .all, direction: Direction = .forward,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws {
    try forEachBlock(of: entries.tree, in: range, direction: direction, body)
  }

  /// How many entries there are.
  func count(of entries: EntryTable) throws(LMDBError) -> Int { try count(of: entries.tree) }

  /// How many entries of a range there are, or a number past `bound`.
  func count(
    of entries: EntryTable, in range: KeyRange, upTo bound: Int
  ) throws(LMDBError) -> Int {
    try count(of: entries.tree, in: range, upTo: bound)
  }

  /// How large the tree is.
  func statistics(of entries: EntryTable) throws(LMDBError) -> TreeStatistics {
    try statistics(of: entries.tree)
  }
}
