extension _RowEncoder {
  /// Writes a row whose columns are those of other rows, without decoding any.
  ///
  /// - Parameters:
  ///   - layout: The layout of the row.
  ///   - source: The row whose key it gets.
  ///   - choose: For each column, the row that it is taken from, and where it lies in that one.
  mutating func assemble(
    _ layout: RowLayout, key source: RowView,
    _ choose: (ColumnLayout) throws -> (row: RowView, column: ColumnLayout, layout: RowLayout)
  ) throws {
    begin(layout)
    // Safety: the key and the values are copied while the rows are lent.
    unsafe key.append(contentsOf: source.keyBytes)
    for column in layout.columns where column.place != .key {
      let (row, place, rowLayout) = try choose(column)
      if place.isPresent(in: row) {
        unsafe store(try place.bytes(in: row, rowLayout), in: column, layout)
      } else {
        storeNothing(in: column, layout)
      }
    }
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
