import LMDB

/// One index's place in an open store.
struct IndexStorage: Sendable {
  /// The catalog's number of it, which also names its tree.
  let id: Int
  /// The place of its buffer among the transaction's buffers.
  let slot: Int
  let columns: [IndexColumn]
  /// Whether no two objects may have the same values.
  let isUnique: Bool
  let entries: Database
  /// The most bytes kept of one variable value.
  let cut: Int

  init(id: Int, slot: Int, columns: [IndexColumn], isUnique: Bool, entries: Database) {
    self.id = id
    self.slot = slot
    self.columns = columns
    self.isUnique = isUnique
    self.entries = entries
    cut = KeyCode.longestKept(columns: columns.count)
  }
}

/// One entry among those of a row: where its key ends, behind the entry before it.
struct IndexEntry {
  var end: Int
  /// Whether the key is the columns' code alone and the value the primary key's.
  ///
  /// So it is in a unique index, except where a nil makes the entry clash with nothing and
  /// where a cut code stands for several values.
  var isCodeAlone: Bool
}
