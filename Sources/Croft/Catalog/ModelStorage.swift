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
