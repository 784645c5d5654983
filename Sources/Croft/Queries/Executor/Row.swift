/// One row of a query's result, read a property at a time and only where it is asked for.
///
/// It lies in the store's own memory and belongs to the closure that was lent it.
public struct Row<M: Model>: ~Copyable, ~Escapable {
  private let view: RowView
  private let columns: RowColumns<M>

  // The door that makes a row lends it to a closure, which it cannot leave.
  @_lifetime(immortal)
  init(_ view: RowView, _ columns: RowColumns<M>) {
    self.view = view
    self.columns = columns
  }

  /// The value of a stored property; no other is read.
  ///
  /// - Parameter property: The property's key path.
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` for a stored raw value without a
  ///   case; ``StoreError/corrupt(model:key:reason:)``.
  /// - Precondition: The property is stored.
  public subscript<V: Storable>(property: KeyPath<M, V>) -> V {
    get throws { try columns.value(of: property, in: view) }
  }
}

/// A row as the two kinds of transaction hand it out.
public struct _RowReference {
  let view: RowView
  let layout: RowLayout
}

/// Where the properties lie that a closure asks rows for, each looked up once.
///
/// Confined to one query's run.
final class RowColumns<M: Model> {
  private let layout: RowLayout
  private var decoder: _RowDecoder
  /// Key paths that a program writes are one object each, so their identity finds them.
  private var known: [(property: AnyKeyPath, place: Int)] = []

  init(_ layout: RowLayout) {
    self.layout = layout
    decoder = _RowDecoder(layout: layout)
  }

  func value<V: Storable>(of property: KeyPath<M, V>, in view: RowView) throws -> V {
    try decoder.value(of: layout.columns[place(of: property)], in: view)
  }

  /// The whole object.
  func object(in view: RowView) throws -> M {
    decoder.move(to: view)
    return try M(_row: &decoder)
  }

  private func place(of property: AnyKeyPath) -> Int {
    for entry in known where entry.property === property { return entry.place }
    let place = (property as? PartialKeyPath<M>).flatMap { M._schema.column(at: $0) }
    guard let place else {
      preconditionFailure("\(property) is no stored property of \(M.self): a row has only those.")
    }
    layout.schema.columns[place].refuseJSON(in: layout.schema)
    known.append((property, place))
    return place
  }
}

extension _RowDecoder {
  /// The value of one column of a row.
  mutating func value<V: Storable>(of column: ColumnLayout, in view: RowView) throws -> V {
    move(to: view, column: column)
    guard column.place == .key else { return try decode() }
    guard let type = V.self as? any StorableKey.Type, let value = try key(as: type) as? V else {
      preconditionFailure("A primary key is of a key's type.")
    }
    return value
  }

  private mutating func key<K: StorableKey>(as type: K.Type) throws -> K { try decodeKey() }

  /// Puts the decoder before one column of a row.
  mutating func move(to view: RowView, column: ColumnLayout) {
    move(to: view)
    columnsBegun = column.index
    presence = column.presenceBit ?? 0
    switch column.place {
    case .key: return
    case .fixed(let offset): fixed = offset
    case .variable(let slot):
      let width = isWide ? 4 : 2
      ends = layout.endsStart + slot * width
      lastEnd = slot == 0 ? 0 : view.end(slot - 1, layout)
    }
  }
}
