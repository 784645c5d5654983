extension TransactionHandle {
  /// Hands out the rows of a range in blocks until the body wants no more.
  ///
  /// Blocks grow from 16 rows to 256, so that a body that wants one row does not pay for many.
  ///
  /// - Parameter pageBytes: The size of the pages that may be read beside a cursor; 0 for none.
  func forEachBlock(
    in slot: UInt32, range: KeyRange, direction: Direction, pageBytes: Int,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws {
    let cursor = try openCursorOrThrow(in: slot)
    defer { cursor.close() }
    let seeker = RangeSeeker(range: range, direction: direction, transaction: self, slot: slot)
    // Safety: the memory holds two byte strings a row; a cursor fills a row before it is read.
    try unsafe withUnsafeTemporaryAllocation(of: Bytes.self, capacity: 2 * RowBlock.capacity) {
      buffer in
      guard let rows = buffer.baseAddress else { return }
      var limit = min(Threshold.rowsInFirstBlock.value, RowBlock.capacity)
      var stepper = RowStepper(cursor, seeker, pageBytes: pageBytes)
      var code = unsafe stepper.start(rows)
      var count = code == 0 ? 1 : 0
      while true {
        if code == 0 { code = unsafe stepper.fill(rows, &count, upTo: limit) }
        guard code == 0 || code == LMDBError.Code.notFound.rawValue else {
          throw LMDBError(.scan, code)
        }
        let inside = unsafe seeker.countInside(rows, count: count)
        guard inside > 0, try body(unsafe RowBlock(rows, count: inside)) else { return }
        guard code == 0, inside == count else { return }
        (count, limit) = (0, min(limit * 4, RowBlock.capacity))
      }
    }
  }

  /// Counts the rows of a range, or some more than `bound` of them.
  func countRows(
    in slot: UInt32, range: KeyRange, upTo bound: Int, pageBytes: Int
  ) throws(LMDBError) -> Int {
    let cursor = try openCursorOrThrow(in: slot)
    defer { cursor.close() }
    let seeker = RangeSeeker(range: range, direction: .forward, transaction: self, slot: slot)
    var stepper = RowStepper(cursor, seeker, pageBytes: pageBytes)
    let (count, code) = stepper.count(upTo: bound)
    guard code == 0 || code == LMDBError.Code.notFound.rawValue else {
      throw LMDBError(.scan, code)
    }
    return count
  }

  /// Lends a cursor over the rows of a range.
  func withCursor<R: ~Copyable>(
    in slot: UInt32, over range: KeyRange, _ body: (inout Cursor) throws -> R
  ) throws -> R {
    let handle = try openCursorOrThrow(in: slot)
    defer { handle.close() }
    var cursor = Cursor(CursorPosition(handle, range: range, transaction: self, slot: slot))
    return try body(&cursor)
  }

  /// A cursor that the caller must close before the transaction ends.
  func openCursorOrThrow(in slot: UInt32) throws(LMDBError) -> CursorHandle {
    let (cursor, code) = openCursor(in: slot)
    guard let cursor else { throw LMDBError(.scan, database: code) }
    return cursor
  }
}
