import LMDB

/// Distinct values, offset and limit, over rows that come in the query's order.
struct ResultWindow: ~Copyable {
  private var offset: Int
  private var open: Int
  private var seen: DistinctValues?

  init(_ query: QueryCore, _ table: Table, _ catalog: Catalog) throws {
    offset = query.offset
    open = query.limit ?? .max
    seen = query.distinct.isEmpty ? nil : try DistinctValues(query.distinct, table, catalog)
  }

  /// Hands a row to the body where it is inside.
  ///
  /// - Returns: Whether more rows are wanted.
  mutating func pass(
    _ row: RowView, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (RowView) throws -> Bool
  ) throws -> Bool {
    if let isNew = try seen?.insert(row, in: transaction), !isNew { return true }
    if offset > 0 {
      offset -= 1
      return true
    }
    open -= 1
    return try body(row) && open > 0
  }
}

/// The values of some columns that have been seen, as key codes: equal values have one code.
struct DistinctValues {
  private let columns: [SortColumn]
  private var codes: Set<[UInt8]> = []

  init(_ paths: [ColumnPath], _ table: Table, _ catalog: Catalog) throws {
    columns = try paths.map { try SortColumn($0, isDescending: false, table, catalog) }
  }

  var count: Int { codes.count }

  /// Notes a row's values.
  ///
  /// - Returns: Whether they are new.
  mutating func insert(
    _ row: RowView, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> Bool {
    var code = _ByteBuffer()
    for column in columns { try column.appendCode(of: row, to: &code, in: transaction) }
    // Safety: the code is copied while the buffer lives.
    return unsafe codes.insert([UInt8](code.bytes)).inserted
  }
}
