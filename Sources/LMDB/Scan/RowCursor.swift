/// A position in a tree, with the moves and the codes of the C library's cursors.
protocol RowCursor {
  /// The order of the tree's keys.
  var order: KeyComparison { get }
  /// The number of rows of the tree; nil where the cursor does not know it.
  var treeCount: Int? { get }
  /// The number of rows after the current one on its page; 0 where the cursor does not read pages.
  var restOfPage: Int { get }

  /// Moves, and writes the row's key and, after it, its value to the caller's memory.
  mutating func get(into row: UnsafeMutablePointer<Bytes>, _ move: CursorHandle.Move) -> Int32

  /// Reads rows after the current one on its page, and moves to the last of them.
  ///
  /// - Returns: Their number; 0 at the end of the page, before a row with a long value, or where the
  ///   cursor does not read pages.
  mutating func readPage(
    _ rows: UnsafeMutablePointer<Bytes>, room: Int, _ direction: KeyRange.Direction
  ) -> Int

  /// The key of a row after the current one on its page; nil where the page is damaged.
  func key(ahead count: Int) -> Bytes?

  /// Moves to a row after the current one on its page.
  mutating func skip(_ count: Int)
}

/// A cursor of the C library, in a write transaction, whose changed pages are not in the map.
struct EngineCursor: RowCursor {
  let handle: CursorHandle
  let order: KeyComparison

  var treeCount: Int? { nil }
  var restOfPage: Int { 0 }

  @inline(__always)
  mutating func get(into row: UnsafeMutablePointer<Bytes>, _ move: CursorHandle.Move) -> Int32 {
    unsafe handle.get(into: row, move)
  }

  mutating func readPage(
    _ rows: UnsafeMutablePointer<Bytes>, room: Int, _ direction: KeyRange.Direction
  ) -> Int { 0 }

  func key(ahead count: Int) -> Bytes? { nil }

  mutating func skip(_ count: Int) {}
}

/// The cursor of a read or a write transaction.
struct TransactionCursor: RowCursor {
  /// The cursor of a write transaction.
  private(set) var engine: EngineCursor?
  /// The cursor of a read transaction; there is one of the two.
  private var pages: PageCursor?

  init(engine: EngineCursor) { self.engine = engine }

  init(pages: PageCursor) { self.pages = pages }

  var order: KeyComparison { pages?.order ?? engine?.order ?? .plain }
  var treeCount: Int? { pages?.treeCount }
  var restOfPage: Int { pages?.restOfPage ?? 0 }

  mutating func get(into row: UnsafeMutablePointer<Bytes>, _ move: CursorHandle.Move) -> Int32 {
    // Safety: the row is the caller's.
    unsafe pages?.get(into: row, move) ?? engine?.get(into: row, move)
      ?? LMDBError.Code.invalidArgument.rawValue
  }

  mutating func readPage(
    _ rows: UnsafeMutablePointer<Bytes>, room: Int, _ direction: KeyRange.Direction
  ) -> Int { unsafe pages?.readPage(rows, room: room, direction) ?? 0 }

  func key(ahead count: Int) -> Bytes? { unsafe pages?.key(ahead: count) }

  mutating func skip(_ count: Int) { pages?.skip(count) }
}

extension TransactionHandle {
  /// Calls a body with the rows of a range in blocks, until it returns false.
  func forEachBlock(
    in slot: UInt32, range: KeyRange, direction: KeyRange.Direction, order: KeyComparison,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws {
    let cursor = try openCursorOrThrow(in: slot)
    defer { cursor.close() }
    try EngineCursor(handle: cursor, order: order).forEachBlock(in: range, direction, body)
  }

  /// Counts the rows of a range, and may stop past `bound`.
  func countRows(
    in slot: UInt32, range: KeyRange, upTo bound: Int, order: KeyComparison
  ) throws(LMDBError) -> Int {
    let cursor = try openCursorOrThrow(in: slot)
    defer { cursor.close() }
    return try EngineCursor(handle: cursor, order: order).countRows(in: range, upTo: bound)
  }

  /// Runs a body with a cursor over the rows of a range.
  func withCursor<R: ~Copyable>(
    in slot: UInt32, over range: KeyRange, order: KeyComparison,
    _ body: (inout Cursor) throws -> R
  ) throws -> R {
    let handle = try openCursorOrThrow(in: slot)
    defer { handle.close() }
    var cursor = Cursor(
      TransactionCursor(engine: EngineCursor(handle: handle, order: order)), over: range)
    return try body(&cursor)
  }

  /// Opens a cursor, which the caller closes.
  func openCursorOrThrow(in slot: UInt32) throws(LMDBError) -> CursorHandle {
    let (cursor, code) = openCursor(in: slot)
    guard let cursor else { throw LMDBError(.scan, database: code) }
    return cursor
  }
}
