import LMDB

extension Plan {
  /// Calls the body with a decoder at each row of the query's result, in order.
  func forEachDecoded(
    in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ body: (inout _RowDecoder) throws -> Bool
  ) throws {
    var decoder = _RowDecoder(layout: table.layout)
    try forEachMatch(in: transaction) { row in
      decoder.move(to: row)
      return try body(&decoder)
    }
  }
}

extension Table {
  /// Lends the row of a key's code to a closure, if there is one.
  func withRow(
    _ key: UnsafeRawBufferPointer, in transaction: borrowing some LMDB.Transaction & ~Copyable,
    _ arena: RowArena, _ body: (inout _RowDecoder) throws -> Void
  ) throws {
    arena.clear()
    // Safety: the caller lends the key and keeps the arena until the closure has returned.
    guard let row = try unsafe row(key, in: transaction, arena) else { return }
    try row.checkSum(layout)
    var decoder = _RowDecoder(layout: layout)
    decoder.move(to: row)
    try body(&decoder)
  }
}
