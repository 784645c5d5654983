import LMDB

extension ModelStorage {
  /// Calls the body with a decoder at each row of a query's result, in order.
  func forEachDecoded(
    _ query: QueryCore, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (inout _RowDecoder) throws -> Bool
  ) throws {
    var decoder = _RowDecoder(layout: layout)
    try forEachMatch(query, in: transaction) { row in
      decoder.move(to: row)
      return try body(&decoder)
    }
  }

  /// Finds one object by its primary key.
  func get<M: Model>(
    _ model: M.Type, _ key: M.PrimaryKey,
    in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> M? {
    var code = _ByteBuffer()
    key.appendKey(to: &code)
    guard let row = try unsafe row(code.bytes, in: transaction) else { return nil }
    var decoder = _RowDecoder(layout: layout)
    decoder.move(to: row)
    return try M(_row: &decoder)
  }

  /// Finds one row by its key's code.
  ///
  /// - Returns: The row, lent until the transaction changes; nil where there is none.
  func row(
    _ key: UnsafeRawBufferPointer, in transaction: borrowing some LMDB.Transaction & ~Copyable
  ) throws -> RowView? {
    // Safety: the caller lets go of the view before anything is written.
    guard let row = try unsafe transaction.get(RawSpan(_unsafeBytes: key), in: rows) else {
      return nil
    }
    return try unsafe RowView(key: key, row: row.withUnsafeBytes { unsafe $0 }, layout: layout)
  }
}
