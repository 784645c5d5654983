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
