import LMDB

extension Plan {
  /// Calls the body with a decoder at each row of the query's result, in order.
  func forEachDecoded(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (inout _RowDecoder) throws -> Bool
  ) throws {
    var decoder = _RowDecoder(layout: storage.layout)
    try forEachMatch(in: transaction) { row in
      decoder.move(to: row)
      return try body(&decoder)
    }
  }
}

extension ModelStorage {
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
