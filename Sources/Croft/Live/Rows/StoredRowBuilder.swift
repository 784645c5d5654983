import LMDB

/// Copies rows into memory, with the codes that place them in a query's order.
///
/// Confined to its query.
final class StoredRowBuilder {
  private let group: [ColumnReader]
  private let sort: [ColumnReader]
  private let layout: RecordLayout
  private var codes = _ByteBuffer(capacity: 256)

  /// - Throws: ``StoreError/unknownModel(model:)`` where a path leads to a model that was not
  ///   opened.
  init(_ query: QueryCore, _ table: Table, _ catalog: Catalog) throws {
    let group = try query.distinct.map {
      try ColumnReader($0, table.layout, catalog)
    }
    let sort = try query.order.map {
      try ColumnReader($0, table, catalog)
    }
    self.group = group
    self.sort = sort
    layout = table.layout
  }

  /// Copies a row with its codes.
  ///
  /// - Throws: ``StoreError/corrupt(model:key:reason:)`` for a row with wrong column ends.
  func stored(
    _ row: RecordView, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> StoredRow {
    codes.count = 0
    for column in group { try column.appendCode(of: row, to: &codes, in: transaction) }
    let groupCount = codes.count
    for column in sort { try column.appendCode(of: row, to: &codes, in: transaction) }
    // Safety: the codes do not change during the call.
    return unsafe StoredRow(row, layout, codes: codes.bytes, groupCount: groupCount)
  }
}
