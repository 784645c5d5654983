import LMDB

/// One index's place in an open store; immutable, and a class so that loops copy a reference.
final class IndexStorage: Sendable {
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
  /// The position among ``columns`` of a collection, whose elements have an entry each.
  let multiple: Int?

  init(
    id: Int, slot: Int, columns: [IndexColumn], isUnique: Bool, entries: Database,
    layout: RowLayout
  ) {
    self.id = id
    self.slot = slot
    self.columns = columns
    self.isUnique = isUnique
    self.entries = entries
    cut = KeyCode.longestKept(columns: columns.count)
    multiple = columns.firstIndex { layout.columns[$0.place].storage.collection != nil }
  }
}
