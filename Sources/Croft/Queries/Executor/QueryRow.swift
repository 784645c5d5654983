/// One row of a query's result; only the properties that are accessed are decoded.
///
/// It is in the store's own memory, and is valid only in the closure that it is passed to.
public struct QueryRow<M: Model>: ~Copyable, ~Escapable {
  private let view: RecordView
  private let columns: RowColumns<M>

  // The caller passes the row to a closure, which it cannot escape.
  @_lifetime(immortal)
  init(_ view: RecordView, _ columns: RowColumns<M>) {
    self.view = view
    self.columns = columns
  }

  /// The value of a stored property; no other is read.
  ///
  /// - Throws: ``StoreError/schemaMismatch(model:field:reason:)`` for a stored raw value without a
  ///   case; ``StoreError/corrupt(model:key:reason:)``.
  /// - Precondition: The property is stored.
  public subscript<V: Storable>(property: KeyPath<M, V>) -> V {
    get throws { try columns.value(of: property, in: view) }
  }
}

/// A row's bytes, as both kinds of transaction pass them on.
public struct _RowReference {
  let view: RecordView
  let layout: RecordLayout
  /// The values that were asked for.
  let values: [StoredValue]
}

/// The parts of each row that a query reads.
public struct _RowReading: Sendable {
  let paths: [ColumnPath]
  /// Whether the rest of the row is read, too.
  var isWhole = false

  /// All columns of the row.
  static let all = _RowReading(paths: [], isWhole: true)

  /// All columns of the row, and the values of some paths.
  static func whole(and paths: [ColumnPath]) -> _RowReading {
    _RowReading(paths: paths, isWhole: true)
  }

  func readers(_ layout: RecordLayout, _ catalog: Catalog) throws -> [ColumnReader] {
    try paths.map { try ColumnReader($0, layout, catalog) }
  }
}

/// The columns of the properties that a closure reads, each looked up once.
///
/// Confined to one query's run.
final class RowColumns<M: Model> {
  private let layout: RecordLayout
  private var decoder: _RecordDecoder
  /// Key paths that a program writes are one object each, so their identity finds them.
  private var known: [(property: AnyKeyPath, place: Int)] = []

  init(_ layout: RecordLayout) {
    self.layout = layout
    decoder = _RecordDecoder(layout: layout)
  }

  func value<V: Storable>(of property: KeyPath<M, V>, in view: RecordView) throws -> V {
    try decoder.value(of: layout.columns[place(of: property)], in: view)
  }

  func object(in view: RecordView) throws -> M {
    decoder.move(to: view)
    return try M(_record: &decoder)
  }

  private func place(of property: AnyKeyPath) -> Int {
    for entry in known where entry.property === property { return entry.place }
    let place = (property as? PartialKeyPath<M>).flatMap { M._schema.column(at: $0) }
    guard let place else {
      preconditionFailure("\(property) is no stored property of \(M.self): a row has only those.")
    }
    layout.schema.refuseJSON(at: place)
    known.append((property, place))
    return place
  }
}
