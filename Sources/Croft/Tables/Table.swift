import LMDB

/// One model's place in an open store: its layouts and its trees.
@usableFromInline
final class Table: Sendable {
  /// The catalog's number of the model.
  let id: Int
  let schema: Schema
  /// What every row is seen in: the program's columns, then the fields it does not declare.
  @usableFromInline let layout: RowLayout
  /// How rows of other layouts become rows of this one, by their layout's id.
  let transcoders: [UInt16: RowTranscoder]
  /// What an insert gives the hidden columns, in their order.
  let hiddenValues: [HiddenValue]
  /// The places of hidden columns that tell if a struct is there which the program always has.
  let structMarks: [Int]
  let rows: RowTable
  let indexes: [TableIndex]
  /// The columns of references, those of hidden fields among them.
  let references: [ForeignKey]
  /// Whether what a row holds can clash with other rows, or miss one.
  let isConstrained: Bool

  init(
    id: Int, schema: Schema, layout: RowLayout, transcoders: [UInt16: RowTranscoder] = [:],
    hiddenValues: [HiddenValue] = [], structMarks: [Int] = [], rows: RowTable,
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

/// What an insert gives a field that the program does not declare.
enum HiddenValue: Sendable {
  case absent
  case value(FieldValue)
  /// The field needs a value, and the catalog has none.
  case missing
}
