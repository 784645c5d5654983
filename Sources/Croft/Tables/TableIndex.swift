import LMDB

/// One index of a table in an open store; immutable, and a class so that loops copy a reference.
final class TableIndex: Sendable {
  /// The catalog's number of it, which also names its tree.
  let id: Int
  /// The place of its writer among a transaction's index writers.
  let slot: Int
  let columns: [IndexColumn]
  /// Whether no two objects may have the same values.
  let isUnique: Bool
  let entries: StoredTree<IndexEntry>
  /// The most bytes kept of one variable value.
  let cut: Int
  /// While the index is being built, the key of the last row that has its entries, which is
  /// shorter than any where none has; nil where all rows have theirs.
  let lastBuilt: [UInt8]?
  /// Whether queries must not use its entries, because they are to be made anew.
  let awaitsRebuild: Bool
  /// The number of the index that it replaces once it is built; nil for none.
  let replaces: Int?
  /// The position among ``columns`` of a collection, whose elements have an entry each.
  let multiple: Int?

  init(
    id: Int, slot: Int, columns: [IndexColumn], isUnique: Bool, entries: Database,
    layout: RecordLayout, lastBuilt: [UInt8]? = nil, awaitsRebuild: Bool = false,
    replaces: Int? = nil
  ) {
    self.awaitsRebuild = awaitsRebuild
    self.replaces = replaces
    self.id = id
    self.slot = slot
    self.columns = columns
    self.isUnique = isUnique
    self.entries = StoredTree<IndexEntry>(entries)
    self.lastBuilt = lastBuilt
    cut = KeyCode.longestKept(columns.map { layout.columns[$0.place].storage })
    multiple = columns.firstIndex { layout.columns[$0.place].storage.collection != nil }
  }

  /// Whether rows still lack their entries, so that queries cannot use the index.
  var isBuilding: Bool { lastBuilt != nil }

  /// Whether queries may use the index.
  var isReadable: Bool { !isBuilding && !awaitsRebuild }
}

// MARK: - From an entry to its row

extension Table {
  /// The primary key's code of an index entry: its value, or the end of its key.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where there is none.
  @inline(__always)
  func primaryKey(
    of entry: RowBlock.Entry, in index: TableIndex
  ) throws -> UnsafeRawBufferPointer {
    // Safety: the entry's bytes are lent as long as the answer.
    try unsafe primaryKey(ofKey: entry.key, value: entry.value, in: index)
  }

  /// The primary key's code of an index entry of a key and a value.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where there is none.
  func primaryKey(
    ofKey key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer, in index: TableIndex
  ) throws -> UnsafeRawBufferPointer {
    if index.isUnique, unsafe !value.isEmpty {
      guard layout.keyWidth.map({ $0 == value.count }) ?? true else {
        throw badEntry(of: index)
      }
      return unsafe value
    }
    if let width = layout.keyWidth, key.count > width, let start = key.baseAddress {
      // Safety: the last bytes of what the caller lends.
      return unsafe UnsafeRawBufferPointer(start: start + (key.count - width), count: width)
    }
    var rest = unsafe key
    for column in index.columns {
      let storage = layout.columns[column.place].storage
      guard
        let length = unsafe KeyCode.length(
          of: storage.collection == nil ? storage : storage.element, in: rest,
          isDescending: column.isDescending)
      else { throw badEntry(of: index) }
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(length))
    }
    guard unsafe !rest.isEmpty, layout.keyWidth.map({ $0 == rest.count }) ?? true else {
      throw badEntry(of: index)
    }
    return unsafe rest
  }

  /// The error of an index entry that brings no row, or one that has other values.
  var falseEntry: StoreError {
    .corrupt(
      model: schema.name, key: nil,
      reason: "an index has an entry of an object that is not there or has other values; "
        + "`store.verify()` names it, and `store.rebuildIndexes()` makes the index anew")
  }

  private func badEntry(of index: TableIndex) -> StoreError {
    .corrupt(
      model: schema.name, key: nil,
      reason: "an entry of the index over \(names(of: index)) is cut short")
  }

  /// An index's columns as a person reads them.
  func names(of index: TableIndex) -> String {
    index.columns.map { layout.names[$0.place] }.joined(separator: ", ")
  }
}
