import LMDB

extension Table {
  /// Checks that a row has its entries in an index.
  func verifyEntries(
    of row: RecordView, in index: TableIndex,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable, _ result: inout Verification
  ) throws {
    var bytes = _ByteBuffer()
    var entries: [IndexEntry] = []
    try index.appendEntries(of: row, layout, to: &bytes, &entries)
    for place in entries.indices {
      let key = unsafe bytes.key(at: place, of: entries)
      // Safety: the entry does not change during the call.
      guard let value = try unsafe transaction.get(RawSpan(_unsafeBytes: key), in: index.entries)
      else {
        unsafe result.report(
          "\(text(index)) lacks the entry of \(schema.describe(key: row.keyBytes))",
          isOfIndex: true)
        continue
      }
      // Safety: the value lives as long as the transaction is borrowed.
      let found = unsafe value.withUnsafeBytes { unsafe $0 }
      let isUnique = entries[place].form == .unique
      let isOwn = unsafe isUnique ? ByteList.compare(found, row.keyBytes) == 0 : found.isEmpty
      if !isOwn {
        let owner = unsafe schema.describe(key: row.keyBytes)
        result.report(
          "\(text(index)) gives the value of \(owner) to another object",
          isOfIndex: try unsafe !(isUnique && hasEntry(key, found, in: index, transaction)))
      }
    }
    if index.isUnique, entries.contains(where: { $0.form == .truncated }) {
      do {
        try checkUnique(row, in: index, transaction, RecordArena())
      } catch StoreError.uniqueViolation(_, _, let key, let existing) {
        result.report("\(text(index)) is unique, and \(key) and \(existing) have the same")
      }
    }
  }

  /// Whether an object's row has an entry.
  private func hasEntry(
    _ entry: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, in index: TableIndex,
    _ transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Bool {
    let arena = RecordArena()
    guard let row = try unsafe row(key, in: transaction, arena) else { return false }
    var bytes = _ByteBuffer()
    var entries: [IndexEntry] = []
    try index.appendEntries(of: row, layout, to: &bytes, &entries)
    // Safety: the keys are compared while the buffer does not change.
    return entries.indices.contains { place in
      unsafe ByteList.compare(bytes.key(at: place, of: entries), entry) == 0
    }
  }

  /// Checks that every entry belongs to a row that has it.
  func verifyEntries(
    of index: TableIndex, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ result: inout Verification
  ) throws {
    var bytes = _ByteBuffer()
    var entries: [IndexEntry] = []
    let arena = RecordArena()
    try transaction.forEachBlock(of: index.entries) { block in
      arena.clear()
      for place in 0..<block.count {
        let found = unsafe block.entries[place]
        result.indexEntries += 1
        let key: UnsafeRawBufferPointer
        do {
          unsafe key = try unsafe primaryKey(of: found, in: index)
        } catch let error as StoreError {
          result.report("\(error)", isOfIndex: true)
          continue
        }
        do {
          guard let row = try unsafe row(key, in: transaction, arena) else {
            unsafe result.report(
              "\(text(index)) has an entry of \(schema.describe(key: key)), which does not exist",
              isOfIndex: true)
            continue
          }
          bytes.count = 0
          entries.removeAll(keepingCapacity: true)
          try index.appendEntries(of: row, layout, to: &bytes, &entries)
          let isOwn = entries.indices.contains { place in
            unsafe ByteList.compare(bytes.key(at: place, of: entries), found.key) == 0
          }
          let isExpected = unsafe isOwn && index.covers(key)
          if !isExpected {
            unsafe result.report(
              "\(text(index)) has a stale entry of \(schema.describe(key: key))", isOfIndex: true)
          }
        } catch let error as StoreError {
          result.report("\(error)")
        }
      }
      return true
    }
  }

  /// Checks that the objects exist that a row refers to.
  func verifyReferences(
    of row: RecordView, _ transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ result: inout Verification
  ) throws {
    for reference in references {
      try unsafe forEachTarget(of: reference, in: row) { _, target in
        // Safety: the key does not change during the call.
        let exists =
          try unsafe target.count <= KeyCode.longestPrimaryKey
          && transaction.get(RawSpan(_unsafeBytes: target), in: reference.targetRows) != nil
        if exists { return }
        let name = "\(schema.name).\(layout.names[reference.column])"
        let storage = layout.columns[reference.column].storage
        unsafe result.report(
          "\(name) of \(schema.describe(key: row.keyBytes)) refers to "
            + "\(KeyCode.describe(target, as: storage)), which does not exist")
      }
    }
  }

  private func text(_ index: TableIndex) -> String {
    "The index of \(schema.name) over \(names(of: index))"
  }
}
