import LMDB

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
