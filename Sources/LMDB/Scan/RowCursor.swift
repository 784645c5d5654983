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

/// Up to 256 neighbouring rows of a database, in the map.
///
/// A scan reads rows in blocks, so that one call serves many of them.
///
/// Threads: only within the closure that the block is passed to, as are its spans.
@safe public struct RowBlock: ~Copyable {
  /// The most rows of a block: 256.
  public static var capacity: Int { Threshold.rowsPerBlock.value }

  /// The addresses and lengths of one row's key and value.
  ///
  /// It has the layout of the two byte strings that the C library writes for a row.
  @unsafe package struct Entry {
    /// The number of bytes of the key.
    package let keyCount: Int
    /// The address of the key.
    package let keyStart: UnsafeRawPointer
    /// The number of bytes of the value.
    package let valueCount: Int
    /// The address of the value.
    package let valueStart: UnsafeRawPointer
  }

  /// The rows, valid as long as the block.
  package let entries: UnsafeBufferPointer<Entry>

  /// The first rows of memory that a cursor has filled with keys and values in turn.
  init(_ rows: UnsafeMutablePointer<Bytes>, count: Int) {
    // Safety: an entry has the size, the alignment and the fields of two byte strings, and the
    // memory is read through entries only until the scan fills it again.
    let start = unsafe UnsafeRawPointer(rows).assumingMemoryBound(to: Entry.self)
    unsafe entries = UnsafeBufferPointer(start: start, count: count)
  }

  /// The number of rows, at least one.
  public var count: Int { unsafe entries.count }

  /// The key of a row; the index counts from 0 in the direction of the scan.
  @_lifetime(borrow self)
  public func key(at index: Int) -> RawSpan {
    precondition(index >= 0 && index < count, "A row's index is between 0 and the block's count.")
    // Safety: the index is checked, and the bytes are in the map until the block's closure ends.
    let entry = unsafe entries[index]
    let span = unsafe RawSpan(_unsafeStart: entry.keyStart, byteCount: entry.keyCount)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// The value of a row; the index counts from 0 in the direction of the scan.
  @_lifetime(borrow self)
  public func value(at index: Int) -> RawSpan {
    precondition(index >= 0 && index < count, "A row's index is between 0 and the block's count.")
    // Safety: as for keys.
    let entry = unsafe entries[index]
    let span = unsafe RawSpan(_unsafeStart: entry.valueStart, byteCount: entry.valueCount)
    return unsafe _overrideLifetime(span, borrowing: self)
  }
}
