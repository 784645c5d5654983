import LMDB

/// A column of references in an open store.
struct ForeignKey: Sendable {
  /// The column's place in the layout.
  let column: Int
  /// The catalog's number of the model referred to.
  let target: Int
  /// The rows of the model referred to, which the program need not have opened.
  let targetRows: RowTable
  /// What becomes of an object when one that it refers to is deleted.
  let onDelete: DeleteRule
  /// The index over the column alone, which finds the objects that refer to a key.
  let index: TableIndex
}

/// A column of references and the model that it belongs to, seen from the model referred to.
struct Referrer: Sendable {
  let model: Table
  let reference: ForeignKey

  /// The column's name.
  var field: String { model.layout.names[reference.column] }
}
