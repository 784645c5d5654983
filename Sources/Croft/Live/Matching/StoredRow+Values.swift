extension StoredRow {
  /// Whether both rows hold the same values.
  ///
  /// Rows of one layout are compared byte by byte, others by the columns that the program declares.
  func holdsSame(as other: StoredRow) -> Bool {
    if isIdentical(to: other) { return true }
    if layout.isSame(as: other.layout) {
      // Safety: both rows are kept by the caller.
      return unsafe KeySort.compare(view.rowBytes, other.view.rowBytes) == 0
    }
    return !differs(from: other, in: layout.schema.columns.indices)
  }

  /// Whether some columns hold other values in another row of the same key.
  ///
  /// - Parameters:
  ///   - other: The other row.
  ///   - columns: The columns' places in the declaration.
  func differs(from other: StoredRow, in columns: some Sequence<Int>) -> Bool {
    let (left, right) = (view, other.view)
    let (leftLayout, rightLayout) = (layout, other.layout)
    return withExtendedLifetime((self, other)) {
      columns.contains { place in
        let (own, others) = (leftLayout.columns[place], rightLayout.columns[place])
        guard own.isPresent(in: left) else { return others.isPresent(in: right) }
        guard others.isPresent(in: right) else { return true }
        // A row whose ends lie is like none other.
        guard let bytes = unsafe try? own.bytes(in: left, leftLayout),
          let othersBytes = unsafe try? others.bytes(in: right, rightLayout)
        else { return true }
        return unsafe KeySort.compare(bytes, othersBytes) != 0
      }
    }
  }

  /// The object that the row holds.
  ///
  /// - Throws: ``StoreError`` as a fetch of the row does.
  func object<M: Model>(as model: M.Type) throws -> M {
    var decoder = _RowDecoder(layout: layout)
    return try withExtendedLifetime(self) {
      decoder.move(to: view)
      return try M(_row: &decoder)
    }
  }
}

extension StoredRow {
  /// The value of one column, by its place in the declaration.
  ///
  /// - Throws: ``StoreError`` as a fetch of the row does.
  func value<V: Storable>(of column: Int) throws -> V {
    var decoder = _RowDecoder(layout: layout)
    return try withExtendedLifetime(self) {
      try decoder.value(of: layout.columns[column], in: view)
    }
  }
}

extension RowLayout {
  /// Whether rows of both layouts are read in one way: a number of a model's layout is never
  /// reused.
  func isSame(as other: RowLayout) -> Bool {
    self === other || id == other.id && schema === other.schema
  }
}
