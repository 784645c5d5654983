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
    let arena = RowArena()
    return try withExtendedLifetime(arena) {
      guard let row = try unsafe row(code.bytes, in: transaction, arena) else { return nil }
      var decoder = _RowDecoder(layout: layout)
      decoder.move(to: row)
      return try M(_row: &decoder)
    }
  }
}
