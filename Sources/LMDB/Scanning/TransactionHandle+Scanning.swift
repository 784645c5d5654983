extension TransactionHandle {
  /// Hands out the rows of a range in blocks until the body wants no more.
  func forEachBlock(
    in slot: UInt32, range: KeyRange, direction: Direction, order: KeyComparison,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws {
    let cursor = try openCursorOrThrow(in: slot)
    defer { cursor.close() }
    try EngineCursor(handle: cursor, order: order).forEachBlock(in: range, direction, body)
  }

  /// Counts the rows of a range, or some more than `bound` of them.
  func countRows(
    in slot: UInt32, range: KeyRange, upTo bound: Int, order: KeyComparison
  ) throws(LMDBError) -> Int {
    let cursor = try openCursorOrThrow(in: slot)
    defer { cursor.close() }
    return try EngineCursor(handle: cursor, order: order).countRows(in: range, upTo: bound)
  }

  /// Lends a cursor over the rows of a range.
  func withCursor<R: ~Copyable>(
    in slot: UInt32, over range: KeyRange, order: KeyComparison,
    _ body: (inout Cursor) throws -> R
  ) throws -> R {
    let handle = try openCursorOrThrow(in: slot)
    defer { handle.close() }
    var cursor = Cursor(CursorPosition(EngineCursor(handle: handle, order: order), range: range))
    return try body(&cursor)
  }

  /// Opens a cursor, which the caller closes.
  func openCursorOrThrow(in slot: UInt32) throws(LMDBError) -> CursorHandle {
    let (cursor, code) = openCursor(in: slot)
    guard let cursor else { throw LMDBError(.scan, database: code) }
    return cursor
  }
}

extension RowCursor {
  /// Hands out the rows of a range in blocks until the body wants no more.
  ///
  /// Blocks grow from 16 rows to 256, so that a body that wants one row does not pay for many.
  ///
  /// - Throws: ``LMDBError/Code/corrupted`` also where a whole tree has fewer rows, or more, than
  ///   its record says.
  func forEachBlock(
    in range: KeyRange, _ direction: Direction, _ body: (borrowing RowBlock) throws -> Bool
  ) throws {
    let seeker = RangeSeeker(range: range, direction: direction, order: order)
    // Safety: the memory holds two byte strings a row; a cursor fills a row before it is read.
    try unsafe withUnsafeTemporaryAllocation(of: Bytes.self, capacity: 2 * RowBlock.capacity) {
      buffer in
      guard let rows = buffer.baseAddress else { return }
      var limit = min(Threshold.rowsInFirstBlock.value, RowBlock.capacity)
      var total = 0
      var stepper = RowStepper(self, seeker)
      var code = unsafe stepper.start(rows)
      var count = code == 0 ? 1 : 0
      while true {
        if code == 0 { code = unsafe stepper.fill(rows, &count, upTo: limit) }
        guard code == 0 || code == LMDBError.Code.notFound.rawValue else {
          throw LMDBError(.scan, code)
        }
        let inside = unsafe seeker.countInside(rows, count: count)
        total += inside
        // Rows that a damaged page hides are missed here, before anybody believes that these are all.
        if code != 0, range == .all, let expected = stepper.treeCount, total != expected {
          throw LMDBError(.scan, .corrupted, "a tree with \(total) rows instead of \(expected)")
        }
        guard inside > 0, try body(unsafe RowBlock(rows, count: inside)) else { return }
        guard code == 0, inside == count else { return }
        (count, limit) = (0, min(limit * 4, RowBlock.capacity))
      }
    }
  }

  /// Counts the rows of a range, or some more than `bound` of them.
  func countRows(in range: KeyRange, upTo bound: Int) throws(LMDBError) -> Int {
    var stepper = RowStepper(
      self, RangeSeeker(range: range, direction: .forward, order: order))
    let (count, code) = stepper.count(upTo: bound)
    guard code == 0 || code == LMDBError.Code.notFound.rawValue else {
      throw LMDBError(.scan, code)
    }
    return count
  }
}
