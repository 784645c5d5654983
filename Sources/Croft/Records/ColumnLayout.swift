/// One column's place in a row; plain bits, so that loops over rows copy it freely.
struct ColumnLayout: Sendable {
  enum Place: Sendable, Hashable {
    /// Not in the row: the key's code gives the value back.
    case key
    /// In the fixed-width area, at a constant offset from the row's first byte.
    case fixed(offset: Int)
    /// Among the variable bytes, ended by this end offset.
    case variable(slot: Int)
  }

  /// The column's place in the declaration.
  let index: Int
  let storage: StorageType
  let place: Place
  /// The bit that says whether the value is present, for optionals.
  let presenceBit: Int?

  /// The kind of the value; of a collection the kind of its elements.
  var kind: StorageType.Kind { storage.kind }
}

extension ColumnLayout {
  /// The column's collection in a row, or nil where it has none.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for bytes that are no collection.
  func collection(in row: RowView, _ layout: RowLayout) throws -> CollectionView? {
    guard isPresent(in: row) else { return nil }
    guard let collection = unsafe CollectionView(try bytes(in: row, layout), storage) else {
      throw badEnds(in: row, layout)
    }
    return collection
  }

  /// The error for bytes of this column that are no value of its kind.
  func badEnds(in row: RowView, _ layout: RowLayout) -> StoreError {
    .corrupt(
      model: layout.schema.name, key: unsafe layout.schema.describe(key: row.keyBytes),
      reason: "the ends in its \(layout.names[index]) do not fit")
  }
}

extension ColumnLayout {
  /// Whether two rows of one layout hold the same bytes in this column.
  func isSame(in left: RowView, _ right: RowView, _ layout: RowLayout) throws -> Bool {
    try isSame(in: left, layout, self, in: right, layout)
  }

  /// Whether a row holds the same bytes in this column as another row in another column.
  func isSame(
    in left: RowView, _ leftLayout: RowLayout, _ other: ColumnLayout, in right: RowView,
    _ rightLayout: RowLayout
  ) throws -> Bool {
    let isThere = isPresent(in: left)
    guard isThere == other.isPresent(in: right) else { return false }
    guard isThere else { return true }
    // Safety: both rows stay as they are while they are compared.
    return unsafe KeySort.compare(
      try bytes(in: left, leftLayout), try other.bytes(in: right, rightLayout)) == 0
  }
}
