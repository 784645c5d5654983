import LMDB

/// One model's place in an open store: its layout and its trees.
@usableFromInline
final class ModelStorage: Sendable {
  let shape: ModelShape
  @usableFromInline let layout: RowLayout
  let rows: Database
  let indexes: [IndexStorage]

  init(shape: ModelShape, layout: RowLayout, rows: Database, indexes: [IndexStorage]) {
    self.shape = shape
    self.layout = layout
    self.rows = rows
    self.indexes = indexes
  }

  /// The index over one column alone, if there is one.
  func index(on column: Int) -> IndexStorage? {
    indexes.first { $0.columns == [IndexColumn(place: column)] }
  }
}

/// One index's place in an open store.
struct IndexStorage: Sendable {
  /// The place of its buffer among the transaction's buffers.
  let slot: Int
  let columns: [IndexColumn]
  /// Whether no two objects may have the same values.
  let isUnique: Bool
  let entries: Database
  /// The most bytes kept of one variable value.
  let cut: Int

  /// Appends an index entry: the columns' codes, then the primary key's.
  func appendEntry(
    of row: RowView, layout: RowLayout, to key: inout _ByteBuffer
  ) throws {
    for column in columns {
      try key.appendCode(of: layout.columns[column.place], in: row, layout: layout, cut: cut)
    }
    // Safety: the key is copied while the row is lent.
    unsafe key.append(contentsOf: row.keyBytes)
  }
}
