import LMDB

/// A model in an open store: its layout, its rows and its indexes.
@usableFromInline
final class Table: Sendable {
  /// The catalog's number of the model.
  let id: Int
  let schema: Schema
  /// The layout in which rows are read: the program's columns, then the fields it lacks.
  @usableFromInline let layout: RecordLayout
  /// How rows of other layouts become rows of this one, by their layout's id.
  let transcoders: [UInt16: RecordTranscoder]
  /// The values of the hidden columns in new rows, in their order.
  let hiddenValues: [HiddenValue]
  /// The places of hidden columns that mark structs as present which the program requires.
  let structMarks: [Int]
  let rows: StoredTree<RecordView>
  let indexes: [TableIndex]
  /// The columns of references, those of hidden fields among them.
  let references: [ForeignKey]
  /// Whether a row can violate a unique index or a reference.
  let isConstrained: Bool

  init(
    id: Int, schema: Schema, layout: RecordLayout, transcoders: [UInt16: RecordTranscoder] = [:],
    hiddenValues: [HiddenValue] = [], structMarks: [Int] = [], rows: StoredTree<RecordView>,
    indexes: [TableIndex], references: [ForeignKey] = []
  ) {
    self.id = id
    self.references = references
    isConstrained = !references.isEmpty || indexes.contains(where: \.isUnique)
    self.schema = schema
    self.layout = layout
    self.transcoders = transcoders
    self.hiddenValues = hiddenValues
    self.structMarks = structMarks
    self.rows = rows
    self.indexes = indexes
  }

  /// The index over one column alone, if there is one.
  func index(on column: Int) -> TableIndex? {
    indexes.first { $0.columns == [IndexColumn(place: column)] }
  }
}
