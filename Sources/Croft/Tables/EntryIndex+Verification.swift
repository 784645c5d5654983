import LMDB

extension EntryIndex {
  /// Checks that a row has its entries.
  func verify(
    _ row: RecordView, of table: Table, in transaction: borrowing LMDB.ReadTransaction,
    _ result: inout Verification
  ) throws {
    var own = RowEntries()
    try own.make(of: row, in: self)
    func owner() -> String { unsafe table.schema.describe(key: row.keyBytes) }
    for ordinal in 0..<own.count {
      // Safety: the entry does not change during the call.
      guard let value = try unsafe transaction.get(RawSpan(_unsafeBytes: own[ordinal]), in: entries)
      else {
        result.report("\(name(in: table)) lacks the entry of \(owner())", isOfIndex: true)
        continue
      }
      // Safety: the value lives as long as the transaction is borrowed.
      let found = unsafe value.withUnsafeBytes { unsafe $0 }
      let isUnique = own.form(ordinal) == .unique
      let isOwn = unsafe isUnique ? ByteList.compare(found, row.keyBytes) == 0 : found.isEmpty
      if !isOwn {
        let isOther = try unsafe isUnique && has(own[ordinal], found, of: table, transaction)
        result.report(
          "\(name(in: table)) gives the value of \(owner()) to another object",
          isOfIndex: !isOther)
      }
    }
    if isUnique, (0..<own.count).contains(where: { own.form($0) == .truncated }) {
      do {
        try table.checkUnique(own, of: row, in: self, transaction, RecordArena())
      } catch StoreError.uniqueViolation(_, _, let key, let existing) {
        result.report("\(name(in: table)) is unique, and \(key) and \(existing) have the same")
      }
    }
  }

  /// Whether an object's row has an entry.
  private func has(
    _ entry: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer, of table: Table,
    _ transaction: borrowing LMDB.ReadTransaction
  ) throws -> Bool {
    let arena = RecordArena()
    guard let row = try unsafe table.row(key, in: transaction, arena) else { return false }
    var own = RowEntries()
    try own.make(of: row, in: self)
    return unsafe own.contains(entry)
  }

  /// Checks that every entry belongs to a row that has it.
  func verifyEntries(
    of table: Table, in transaction: borrowing LMDB.ReadTransaction, _ result: inout Verification,
    _ progress: (Verification) throws -> Void
  ) throws {
    var own = RowEntries()
    let arena = RecordArena()
    try transaction.forEachBlock(of: entries) { block in
      try progress(result)
      arena.clear()
      for position in 0..<block.count {
        let found = unsafe block.entries[position]
        result.indexEntries += 1
        let key: UnsafeRawBufferPointer
        do {
          unsafe key = try unsafe table.primaryKey(of: found, in: self)
        } catch let error as StoreError {
          result.report("\(error)", isOfIndex: true)
          continue
        }
        do {
          guard let row = try unsafe table.row(key, in: transaction, arena) else {
            unsafe result.report(
              "\(name(in: table)) has an entry of \(table.schema.describe(key: key)), "
                + "which does not exist", isOfIndex: true)
            continue
          }
          try own.make(of: row, in: self)
          if unsafe !(own.contains(found.key) && covers(key)) {
            unsafe result.report(
              "\(name(in: table)) has a stale entry of \(table.schema.describe(key: key))",
              isOfIndex: true)
          }
        } catch let error as StoreError {
          result.report("\(error)")
        }
      }
      return true
    }
  }

  private func name(in table: Table) -> String {
    "The index of \(table.schema.name) over \(text)"
  }
}
