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
  let entries: EntryTable
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
    layout: RowLayout, lastBuilt: [UInt8]? = nil, awaitsRebuild: Bool = false,
    replaces: Int? = nil
  ) {
    self.awaitsRebuild = awaitsRebuild
    self.replaces = replaces
    self.id = id
    self.slot = slot
    self.columns = columns
    self.isUnique = isUnique
    self.entries = EntryTable(entries)
    self.lastBuilt = lastBuilt
    cut = KeyCode.longestKept(columns.map { layout.columns[$0.place].storage })
    multiple = columns.firstIndex { layout.columns[$0.place].storage.collection != nil }
  }

  /// Whether rows still lack their entries, so that queries cannot use the index.
  var isBuilding: Bool { lastBuilt != nil }

  /// Whether queries may use the index.
  var isReadable: Bool { !isBuilding && !awaitsRebuild }

  /// Whether a write of a row writes its entries; the others are made when the index is built.
  @inline(__always)
  func covers(_ key: UnsafeRawBufferPointer) -> Bool {
    guard let lastBuilt else { return true }
    // Safety: the bytes are compared while both are lent.
    return unsafe lastBuilt.withUnsafeBytes { unsafe KeySort.compare(key, $0) <= 0 }
  }
}

/// One entry among those of a row: where its key ends, behind the entry before it.
struct IndexEntry {
  /// What the entry's key and value are.
  enum Form {
    /// The columns' codes, then the primary key's; other objects may have the same columns.
    case nonUnique
    /// The columns' codes alone, in a unique index; the value is the primary key's code.
    case unique
    /// As nonUnique, in a unique index, because a code is truncated: only the rows tell whether
    /// two objects have the same value.
    case truncated
  }

  var end: Int
  var form: Form
}

// MARK: - The entries of a row

extension TableIndex {
  /// Appends the keys of a row's entries, one behind the other.
  ///
  /// A collection gives an entry for each element (a dictionary for each value); an element that
  /// it holds twice gives the same entry twice, and an empty or absent one gives none.
  ///
  /// - Parameters:
  ///   - row: A row of `layout`.
  ///   - bytes: Gets the keys.
  ///   - list: Gets one entry for each key.
  ///   - isWhole: Whether long values are not truncated; a tree could not hold such keys.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` where the row's end offsets do not fit.
  func appendEntries(
    of row: RowView, _ layout: RowLayout, to bytes: inout _ByteBuffer, _ list: inout [IndexEntry],
    isWhole: Bool = false
  ) throws {
    let cut = isWhole ? nil : cut
    guard let multiple else {
      return try appendEntry(of: row, layout, nil, to: &bytes, &list, cut)
    }
    let column = layout.columns[columns[multiple].place]
    guard let collection = try column.collection(in: row, layout) else { return }
    for element in 0..<collection.count {
      try appendEntry(of: row, layout, (collection, element), to: &bytes, &list, cut)
    }
  }

  /// Appends one entry: of a row, or of one element of its collection.
  @inline(__always)
  private func appendEntry(
    of row: RowView, _ layout: RowLayout, _ element: (of: CollectionView, at: Int)?,
    to bytes: inout _ByteBuffer, _ list: inout [IndexEntry], _ cut: Int?
  ) throws {
    var form = isUnique ? IndexEntry.Form.unique : .nonUnique
    for column in columns {
      let start = bytes.count
      let place = layout.columns[column.place]
      if let element, place.storage.collection != nil {
        guard
          bytes.appendCode(
            of: element.at, in: element.of, place.storage, cut: cut,
            foldsCase: column.isCaseFolded)
        else { throw place.badEnds(in: row, layout) }
      } else {
        try bytes.appendCode(
          of: place, in: row, layout: layout, cut: cut, foldsCase: column.isCaseFolded)
      }
      if form != .nonUnique { form = bytes.form(from: start, place.storage, self.cut) ?? form }
      if column.isDescending { bytes.invert(from: start) }
    }
    // Safety: the key is copied while the row is lent.
    if form != .unique { unsafe bytes.append(contentsOf: row.keyBytes) }
    list.append(IndexEntry(end: bytes.count, form: form))
  }
}

extension _ByteBuffer {
  /// The key of one entry of a list, lent until the buffer changes.
  func key(at place: Int, of list: [IndexEntry]) -> UnsafeRawBufferPointer {
    let start = place == 0 ? 0 : list[place - 1].end
    // Safety: the list's ends ascend within the buffer.
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<list[place].end])
  }

  /// The form that the ascending code from `start` on gives a unique entry; nil where it stays
  /// unique.
  fileprivate func form(
    from start: Int, _ storage: StorageType, _ cut: Int
  ) -> IndexEntry.Form? {
    let isMarked = storage.collection == nil ? storage.isOptional : storage.isElementOptional
    if isMarked, unsafe bytes[start] == 0 { return .nonUnique }
    guard storage.kind.canBeCut else { return nil }
    // A whole code has at most two bytes more than is kept; a truncated one has a mark and a hash.
    return count - start - (isMarked ? 1 : 0) > cut + 2 ? .truncated : nil
  }
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
