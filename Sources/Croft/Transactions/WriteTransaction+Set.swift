import LMDB

extension WriteTransaction {
  /// Sets one property of all objects of a query, or of none of them, without making any.
  ///
  /// ```swift
  /// try tx.update(TodoItem.where { $0.isDone }, set: \.priority, to: .none)
  /// ```
  /// The value's bytes are patched into each row; nothing else of a row is read but what its
  /// indexes need. It is a ``savepoint(_:)`` of its own: where it throws, the transaction is as it
  /// was before.
  ///
  /// - Parameters:
  ///   - query: The query; it is settled before the first change.
  ///   - property: A stored property that is not the primary key.
  ///   - value: What all of the objects get.
  /// - Returns: How many objects the query had. Those that had the value are not written.
  /// - Throws: ``StoreError/uniqueViolation(model:fields:key:existing:)``,
  ///   ``StoreError/danglingReference(model:field:key:target:)``, errors of the engine; the
  ///   transaction stays usable.
  /// - Precondition: The property is stored, and not the primary key.
  /// - Complexity: O(*m* log *n*) for *m* objects, beside the query itself; the keys of all
  ///   of them are in memory.
  @discardableResult
  public mutating func update<M: Model, V: Storable>(
    _ query: Query<M>, set property: KeyPath<M, V>, to value: V
  ) throws -> Int {
    let place = ColumnPath(property).place
    return try writeMany { tx in
      let storage = try tx.storage(of: M._schema.shape)
      precondition(
        place != storage.shape.keyIndex,
        "\(M.self).\(storage.shape.key.name) is the primary key, which cannot be set: "
          + "delete the objects and insert others.")
      let patch = RowPatch(value, storage.layout.columns[place], storage)
      let keys = try tx.keys(of: query.core, storage)
      for place in 0..<keys.count { try unsafe tx.apply(patch, to: keys[place], storage) }
      return keys.count
    }
  }

  /// Patches the row of one key, if it has another value.
  private mutating func apply(
    _ patch: borrowing RowPatch, to key: UnsafeRawBufferPointer, _ storage: ModelStorage
  ) throws {
    // Safety: what is needed of the view is copied before anything is written.
    guard let old = try unsafe findRow(key, storage) else { return }
    if try patch.write(old, storage.layout, to: &encoder) {
      try replaceRow(copying(old), storage)
    }
  }
}

/// One column's new value, as bytes that rows take over.
struct RowPatch: ~Copyable {
  let column: ColumnLayout
  private var value = _RowEncoder()
  /// A layout of this one column.
  private let layout: RowLayout

  init<V: Storable>(_ value: V, _ column: ColumnLayout, _ storage: ModelStorage) {
    self.column = column
    let name = storage.layout.names[column.index]
    layout = RowLayout(
      shape: storage.shape, columns: [RowColumn(name: name, storage: column.storage)],
      keyWidth: nil, id: RowLayout.unregistered)
    self.value.begin(layout)
    value.store(into: &self.value)
    if self.value.isTooLongForNarrowEnds {
      self.value.begin(layout, isWide: true)
      value.store(into: &self.value)
    }
  }

  /// Writes a row with this value into an encoder; false where the row has it already.
  func write(_ old: RowView, _ rowLayout: RowLayout, to encoder: inout _RowEncoder) throws -> Bool {
    let new = RowView(value)
    let own = layout.columns[0]
    let isThere = own.isPresent(in: new)
    if column.isPresent(in: old) == isThere {
      // Safety: both rows stay as they are while they are compared.
      guard isThere,
        try unsafe KeySort.compare(
          column.bytes(in: old, rowLayout), own.bytes(in: new, layout)) != 0
      else { return false }
    }
    try encoder.assemble(rowLayout, key: old) { column in
      column.index == self.column.index
        ? (new, own, self.layout) : (old, column, rowLayout)
    }
    return true
  }
}
