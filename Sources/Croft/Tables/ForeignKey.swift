import LMDB

/// A column of references in an open store.
struct ForeignKey: Sendable {
  let column: Int
  /// The catalog's number of the model referred to.
  let target: Int
  /// The rows of the model referred to, which the program need not have opened.
  let targetRows: StoredTree<RecordView>
  /// The delete rule for an object when one that it refers to is deleted.
  let onDelete: DeleteRule
  /// The index over the column alone, which finds the objects that refer to a key.
  let index: EntryIndex

  /// A column of references and the model that it belongs to, seen from the model referred to.
  struct Referrer: Sendable {
    let model: Table
    let reference: ForeignKey

    var field: String { model.layout.names[reference.column] }
  }
}

// MARK: - From a row to its targets, and from a target to its referrers

extension Table {
  /// Passes the key codes of the objects that a row refers to by a column, with their indices.
  ///
  /// - Parameter body: Receives a reference's index in its collection, and the code, borrowed for
  ///   the call.
  func forEachTarget(
    of reference: ForeignKey, in row: RecordView,
    _ body: (Int, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    var code = _ByteBuffer()
    try unsafe forEachTarget(of: reference, in: row, &code, body)
  }

  /// The same with a buffer for the codes.
  private func forEachTarget(
    of reference: ForeignKey, in row: RecordView, _ code: inout _ByteBuffer,
    _ body: (Int, UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let column = layout.columns[reference.column]
    let start = isMarked(reference) ? 1 : 0
    guard column.storage.collection != nil else {
      guard column.isPresent(in: row) else { return }
      code.count = 0
      try code.appendCode(of: column, in: row, layout: layout, cut: nil)
      // Safety: the code lives until the closure returns.
      return try unsafe body(0, UnsafeRawBufferPointer(rebasing: code.bytes[start...]))
    }
    guard let collection = try column.collection(in: row, layout) else { return }
    for element in 0..<collection.count where collection.isPresent(element) {
      code.count = 0
      guard code.appendCode(of: element, in: collection, column.storage, cut: nil) else {
        throw column.badEnds(in: row, layout)
      }
      try unsafe body(element, UnsafeRawBufferPointer(rebasing: code.bytes[start...]))
    }
  }

  /// Passes the primary keys of the objects that refer to a key by a column of this model.
  ///
  /// The index's buffered changes must be in the tree. An object comes once, however often it
  /// refers to the key.
  ///
  /// - Parameters:
  ///   - transaction: The transaction to read in; nothing may be written to it meanwhile.
  ///   - body: Returns false to stop.
  func forEachReferrer(
    to key: UnsafeRawBufferPointer, by reference: ForeignKey,
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    let index = reference.index
    try transaction.forEachBlock(
      of: index.entries, in: unsafe entries(to: key, by: reference)
    ) { block in
      try transaction.checkProgress()
      for place in 0..<block.count {
        let referrer = try unsafe primaryKey(of: block.entries[place], in: index)
        guard try unsafe body(referrer) else { return false }
      }
      return true
    }
  }

  /// Passes the rows of the objects that refer to a key by a column of this model.
  ///
  /// Entries have no checksum, so that each row is asked whether it has the reference: by a changed
  /// entry a cascade would delete another object, and a condition would hold for it.
  ///
  /// - Parameters:
  ///   - key: The key code of the object referred to; its memory may not change meanwhile.
  ///   - known: The keys of objects that are passed over, whose rows need not be readable.
  ///   - transaction: The transaction to read in; nothing may be written to it meanwhile.
  ///   - arena: Holds one row at a time.
  ///   - body: Returns false to stop.
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for an entry of an object that is not there
  ///   or does not refer to the key.
  func forEachReferringRow(
    to key: UnsafeRawBufferPointer, by reference: ForeignKey, except known: ByteSet? = nil,
    in transaction: borrowing some LMDB.Transaction & ~Copyable, _ arena: RecordArena,
    _ body: (RecordView) throws -> Bool
  ) throws {
    var code = _ByteBuffer()
    // Safety: keys and rows are borrowed while nothing is written to the transaction.
    try unsafe forEachReferrer(to: key, by: reference, in: transaction) { referrer in
      if unsafe known?.contains(referrer) == true { return true }
      arena.clear()
      guard let row = try unsafe row(referrer, in: transaction, arena),
        try unsafe refers(row, to: key, by: reference, &code)
      else { throw falseEntry }
      return try body(row)
    }
  }

  /// Whether a row refers to a key by a column.
  private func refers(
    _ row: RecordView, to key: UnsafeRawBufferPointer, by reference: ForeignKey,
    _ code: inout _ByteBuffer
  ) throws -> Bool {
    var refers = false
    // Safety: the code is compared while it is borrowed.
    try unsafe forEachTarget(of: reference, in: row, &code) { _, target in
      if unsafe ByteList.compare(target, key) == 0 { refers = true }
    }
    return refers
  }

  /// The index entries of the objects that refer to a key by a column of this model.
  func entries(to key: UnsafeRawBufferPointer, by reference: ForeignKey) -> KeyRange {
    .prefix(unsafe (isMarked(reference) ? [1] : []) + [UInt8](key))
  }

  /// The index entries of all objects that refer to any key by a column of this model.
  func entriesOfReferences(by reference: ForeignKey) -> KeyRange {
    isMarked(reference) ? .prefix([1]) : .all
  }

  /// Whether a code in the column starts with a byte that tells nil from a reference.
  func isMarked(_ reference: ForeignKey) -> Bool {
    let storage = layout.columns[reference.column].storage
    return storage.collection == nil ? storage.isOptional : storage.isElementOptional
  }
}

// MARK: - Checks

extension Table {
  /// Checks that the objects exist that a row refers to, now or at the end of the statement.
  ///
  /// - Parameters:
  ///   - old: The row that it replaces; what that one refers to exists.
  ///   - targets: Collects the keys to be looked up at the end of the statement; nil for none.
  /// - Throws: ``StoreError/danglingReference(model:field:key:target:)``; nothing is written yet.
  func checkReferences(
    of row: RecordView, replacing old: RecordView?, in transaction: borrowing LMDB.WriteTransaction,
    _ targets: ForeignKey.PendingTargets?, _ catalog: Catalog
  ) throws {
    for (place, reference) in references.enumerated() {
      if let old, try layout.columns[reference.column].isSame(in: old, row, layout) { continue }
      try unsafe forEachTarget(of: reference, in: row) { _, target in
        // An index cannot hold a longer one even until the statement ends.
        if let targets, target.count <= KeyCode.longestPrimaryKey {
          unsafe targets.insert(target, at: place, of: self)
        } else if try unsafe !exists(target, reference, in: transaction),
          unsafe reference.target != id || ByteList.compare(target, row.keyBytes) != 0
        {
          throw unsafe dangling(reference, row.keyBytes, target, catalog)
        }
      }
    }
  }

  func exists(
    _ target: UnsafeRawBufferPointer, _ reference: ForeignKey,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Bool {
    guard target.count <= KeyCode.longestPrimaryKey else { return false }
    // Safety: the key does not change during the call.
    return try unsafe transaction.get(RawSpan(_unsafeBytes: target), in: reference.targetRows)
      != nil
  }

  /// The error for a reference to an object that does not exist.
  fileprivate func dangling(
    _ reference: ForeignKey, _ key: UnsafeRawBufferPointer,
    _ target: UnsafeRawBufferPointer, _ catalog: Catalog
  ) -> StoreError {
    let type = layout.columns[reference.column].storage
    return .danglingReference(
      model: schema.name, field: layout.names[reference.column],
      key: unsafe schema.describe(key: key),
      target: unsafe catalog.describe(target, reference, type))
  }

  /// Checks that the objects exist that a stored row refers to.
  func verifyReferences(
    of row: RecordView, _ transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ result: inout Verification
  ) throws {
    for reference in references {
      try unsafe forEachTarget(of: reference, in: row) { _, target in
        if try unsafe exists(target, reference, in: transaction) { return }
        let name = "\(schema.name).\(layout.names[reference.column])"
        let storage = layout.columns[reference.column].storage
        unsafe result.report(
          "\(name) of \(schema.describe(key: row.keyBytes)) refers to "
            + "\(KeyCode.describe(target, as: storage)), which does not exist")
      }
    }
  }
}

extension ForeignKey {
  /// The keys that the rows of one statement refer to, each once for each column of references.
  ///
  /// They are looked up when the statement ends, so that its rows may refer to each other in any
  /// order. Confined to its transaction.
  final class PendingTargets {
    private var table: Table?
    private var sets: [ByteSet] = []

    func insert(_ target: UnsafeRawBufferPointer, at place: Int, of table: Table) {
      if self.table == nil {
        self.table = table
        sets = table.references.map { _ in ByteSet() }
      }
      unsafe sets[place].insert(target)
    }

    /// Looks up all keys, in their order.
    ///
    /// - Throws: ``StoreError/danglingReference(model:field:key:target:)``; the statement has to be
    ///   undone then.
    func check(
      in transaction: inout LMDB.WriteTransaction, _ context: borrowing WriteTransaction.Context
    ) throws {
      guard let table, let catalog = context.catalog else { return }
      for (place, reference) in table.references.enumerated() {
        let keys = sets[place].sorted()
        for position in 0..<keys.count {
          let target = unsafe keys[position]
          if try unsafe table.exists(target, reference, in: transaction) { continue }
          try context.writer(of: reference.index)?.flush(to: &transaction)
          var referrer: [UInt8] = []
          try unsafe table.forEachReferrer(to: target, by: reference, in: transaction) { key in
            referrer = unsafe [UInt8](key)
            return false
          }
          throw unsafe referrer.withUnsafeBytes { key in
            unsafe table.dangling(reference, key, target, catalog)
          }
        }
      }
    }
  }
}

extension Catalog {
  /// A description of an object that is referred to, for errors.
  func describe(
    _ key: UnsafeRawBufferPointer, _ reference: ForeignKey, _ type: StorageType
  ) -> String {
    let target = all.first { $0.id == reference.target }
    // The model's key may have become another type, and the reference is still of the former one.
    return unsafe "\(target?.schema.name ?? "key") " + KeyCode.describe(key, as: type)
  }
}
