/// A place in a tree that moves as the C library's cursors do; each move answers with its codes.
protocol RowCursor {
  /// How the tree orders its keys.
  var order: KeyComparison { get }
  /// How many rows the tree has, where the cursor knows.
  var treeCount: Int? { get }
  /// How many rows lie behind the present one on its page, where the cursor reads pages.
  var restOfPage: Int { get }

  /// Moves, and writes the row's key and, behind it, its value where the pointer points.
  mutating func get(into row: UnsafeMutablePointer<Bytes>, _ move: CursorHandle.Move) -> Int32

  /// Reads rows that follow the present one on its page, and moves to the last of them.
  ///
  /// - Returns: How many; none where the page ends, a row is not plain, or pages are not read.
  mutating func readPage(
    _ rows: UnsafeMutablePointer<Bytes>, room: Int, _ direction: Direction
  ) -> Int

  /// The key of a row that lies behind the present one on its page; nil where that is damaged.
  func key(ahead count: Int) -> Bytes?

  /// Moves to a row behind the present one on its page.
  mutating func skip(_ count: Int)
}

/// A cursor of the C library, in a write transaction: its pages need not lie in the map.
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
    _ rows: UnsafeMutablePointer<Bytes>, room: Int, _ direction: Direction
  ) -> Int { 0 }

  func key(ahead count: Int) -> Bytes? { nil }

  mutating func skip(_ count: Int) {}
}

/// The cursor of a transaction of either kind, moved where it stands.
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
    _ rows: UnsafeMutablePointer<Bytes>, room: Int, _ direction: Direction
  ) -> Int { unsafe pages?.readPage(rows, room: room, direction) ?? 0 }

  func key(ahead count: Int) -> Bytes? { unsafe pages?.key(ahead: count) }

  mutating func skip(_ count: Int) { pages?.skip(count) }
}
