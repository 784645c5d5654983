import LMDB

/// One index's place in an open store; immutable, and a class so that loops copy a reference.
final class TableIndex: Sendable {
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
  /// While the index is being built, the key of the last row that has its entries, which is
  /// shorter than any where none has; nil where all rows have theirs.
  let lastBuilt: [UInt8]?
  /// Whether its entries are not to be trusted, because they are to be made anew.
  let awaitsRebuild: Bool
  /// The number of the index whose place it takes once it is built; nil for none.
  let replaces: Int?
  /// The position among ``columns`` of a collection, whose elements have an entry each.
  let multiple: Int?

  init(
    id: Int, slot: Int, columns: [IndexColumn], isUnique: Bool, entries: Database,
    layout: RowLayout, lastBuilt: [UInt8]? = nil, awaitsRebuild: Bool = false,
    replaces: Int? = nil
  ) {
    self.awaitsRebuild = awaitsRebuild
    self.replaces = replaces
    self.id = id
    self.slot = slot
    self.columns = columns
    self.isUnique = isUnique
    self.entries = entries
    self.lastBuilt = lastBuilt
    cut = KeyCode.longestKept(columns.map { layout.columns[$0.place].storage })
    multiple = columns.firstIndex { layout.columns[$0.place].storage.collection != nil }
  }

  /// Whether rows still lack their entries, so that nothing may be looked up here.
  var isBuilding: Bool { lastBuilt != nil }

  /// Whether queries may look things up here.
  var isReadable: Bool { !isBuilding && !awaitsRebuild }

  /// Whether a row has, or would have, its entries: the others get theirs as the index is built.
  @inline(__always)
  func covers(_ key: UnsafeRawBufferPointer) -> Bool {
    guard let lastBuilt else { return true }
    // Safety: the bytes are compared while both are lent.
    return unsafe lastBuilt.withUnsafeBytes { unsafe KeySort.compare(key, $0) <= 0 }
  }
}
