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

  var order: KeyComparison { .plain }
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

extension TransactionHandle {
  /// Calls a body with the rows of a range in blocks, until it returns false.
  func forEachBlock(
    in slot: UInt32, range: KeyRange, direction: KeyRange.Direction, rowsInFirst: Int?,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws {
    let cursor = try openCursorOrThrow(in: slot)
    defer { cursor.close() }
    try EngineCursor(handle: cursor).forEachBlock(
      in: range, direction, rowsInFirst: rowsInFirst, body)
  }

  /// Counts the rows of a range, and may stop once there are more than `bound`.
  func countRows(
    in slot: UInt32, range: KeyRange, upTo bound: Int
  ) throws(LMDBError) -> Int {
    let cursor = try openCursorOrThrow(in: slot)
    defer { cursor.close() }
    return try EngineCursor(handle: cursor).countRows(in: range, upTo: bound)
  }

  /// Counts the rows of a range, up to a bound; a closure may end the count.
  func countRows(
    in slot: UInt32, range: KeyRange, upTo bound: Int, checking check: () throws -> Void
  ) throws -> Int {
    let cursor = try openCursorOrThrow(in: slot)
    defer { cursor.close() }
    return try EngineCursor(handle: cursor).countRows(in: range, upTo: bound, checking: check)
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

/// Moves a cursor to the ends of a range, and tests whether keys are inside.
struct CursorRange {
  let range: KeyRange
  let direction: KeyRange.Direction
  let order: KeyComparison

  /// Moves a cursor to the first row of the range in its direction; `notFound` when it is empty.
  func seekStart(
    _ cursor: inout some RowCursor, _ row: UnsafeMutablePointer<Bytes>
  ) -> Int32 {
    let code =
      switch direction {
      case .forward: unsafe seekLowest(&cursor, row)
      case .backward: unsafe seekHighest(&cursor, row)
      }
    guard code == 0 else { return code }
    return unsafe contains(row[0]) ? 0 : LMDBError.Code.notFound.rawValue
  }

  /// Moves a cursor to the next row in the direction; the caller tests whether it is inside.
  @inline(__always)
  func step(
    _ cursor: inout some RowCursor, _ row: UnsafeMutablePointer<Bytes>
  ) -> Int32 {
    unsafe cursor.get(into: row, direction == .forward ? .next : .previous)
  }

  /// Whether a key is not past the end of the range in its direction.
  func contains(_ key: Bytes) -> Bool {
    switch direction {
    case .forward: unsafe isBelowUpper(key)
    case .backward: unsafe isAboveLower(key)
    }
  }

  /// The number of leading rows, of rows in the range's direction, that are inside: O(log count).
  func countInside(_ rows: UnsafeMutablePointer<Bytes>, count: Int) -> Int {
    guard count > 0, unsafe !contains(rows[2 * (count - 1)]) else { return count }
    var inside = 0
    var outside = count - 1
    while inside < outside {
      let middle = (inside + outside) / 2
      if unsafe contains(rows[2 * middle]) { inside = middle + 1 } else { outside = middle }
    }
    return inside
  }

  /// Whether the keys of rows follow each other in the direction of the scan, each once.
  ///
  /// - Parameter last: The key of the row before the first; nil where there is none.
  func isInOrder(_ rows: UnsafeMutablePointer<Bytes>, count: Int, after last: Bytes?) -> Bool {
    if count > 0, let last = unsafe last, unsafe !follows(last, rows[0]) { return false }
    // A scan asks this of every row, and nearly all keys differ in their first eight bytes: as
    // numbers they ascend with the rows of the scan. A shorter key, or one of another order, is 0.
    let flip = direction == .forward ? 0 : UInt64.max
    let shortest = order == .plain ? 8 : Int.max
    var known: UInt64 = 0
    var place = 0
    while place < count {
      let key = unsafe rows[2 &* place].buffer
      var next: UInt64 = 0
      if key.count >= shortest, let start = key.baseAddress {
        // Safety: the key has eight bytes.
        next = UInt64(bigEndian: unsafe start.loadUnaligned(as: UInt64.self)) ^ flip
      }
      if known == 0 || known >= next, place > 0 {
        guard unsafe follows(rows[2 &* place &- 2], rows[2 &* place]) else { return false }
      }
      known = next
      place &+= 1
    }
    return true
  }

  private func follows(_ one: Bytes, _ next: Bytes) -> Bool {
    let order = unsafe order.order(one.buffer, next.buffer)
    return direction == .forward ? order < 0 : order > 0
  }

  private func seekLowest(
    _ cursor: inout some RowCursor, _ row: UnsafeMutablePointer<Bytes>
  ) -> Int32 {
    let isExclusive: Bool
    let bound: [UInt8]
    switch range.lower {
    case .unbounded: return unsafe cursor.get(into: row, .first)
    case .inclusive(let bytes): (bound, isExclusive) = (bytes, false)
    case .exclusive(let bytes): (bound, isExclusive) = (bytes, true)
    }
    // No key is empty, and the C library refuses to seek an empty one.
    if bound.isEmpty { return unsafe cursor.get(into: row, .first) }
    return unsafe bound.withUnsafeBytes { bytes in
      let key = unsafe Bytes(bytes)
      unsafe row.pointee = key
      let code = unsafe cursor.get(into: row, .atOrAfter)
      guard code == 0, isExclusive, unsafe order.order(row.pointee.buffer, key.buffer) == 0
      else { return code }
      return unsafe cursor.get(into: row, .next)
    }
  }

  private func seekHighest(
    _ cursor: inout some RowCursor, _ row: UnsafeMutablePointer<Bytes>
  ) -> Int32 {
    let isExclusive: Bool
    let bound: [UInt8]
    switch range.upper {
    case .unbounded: return unsafe cursor.get(into: row, .last)
    case .inclusive(let bytes): (bound, isExclusive) = (bytes, false)
    case .exclusive(let bytes): (bound, isExclusive) = (bytes, true)
    }
    if bound.isEmpty { return LMDBError.Code.notFound.rawValue }
    return unsafe bound.withUnsafeBytes { bytes in
      let key = unsafe Bytes(bytes)
      unsafe row.pointee = key
      let code = unsafe cursor.get(into: row, .atOrAfter)
      if code == LMDBError.Code.notFound.rawValue { return unsafe cursor.get(into: row, .last) }
      guard code == 0 else { return code }
      let isAtBound = unsafe order.order(row.pointee.buffer, key.buffer) == 0
      return isAtBound && !isExclusive ? 0 : unsafe cursor.get(into: row, .previous)
    }
  }

  private func isBelowUpper(_ key: Bytes) -> Bool {
    switch range.upper {
    case .unbounded: true
    case .inclusive(let bytes): unsafe compare(key, bytes) <= 0
    case .exclusive(let bytes): unsafe compare(key, bytes) < 0
    }
  }

  private func isAboveLower(_ key: Bytes) -> Bool {
    switch range.lower {
    case .unbounded: true
    case .inclusive(let bytes): unsafe compare(key, bytes) >= 0
    case .exclusive(let bytes): unsafe compare(key, bytes) > 0
    }
  }

  private func compare(_ key: Bytes, _ bytes: [UInt8]) -> Int32 {
    // Safety: the array outlives the comparison.
    unsafe bytes.withUnsafeBytes { unsafe order.order(key.buffer, $0) }
  }
}

extension RowCursor {
  /// Calls a body with the rows of a range in blocks, until it returns false.
  ///
  /// Blocks grow from 16 rows, or those asked for, to 256, so that reading one row does not cost
  /// many.
  ///
  /// - Throws: ``LMDBError/Code/corrupted`` also where rows are out of order, and where a whole tree has
  ///   fewer rows, or more, than its record says.
  func forEachBlock(
    in range: KeyRange, _ direction: KeyRange.Direction, rowsInFirst: Int? = nil,
    _ body: (borrowing RowBlock) throws -> Bool
  ) throws {
    let seeker = CursorRange(range: range, direction: direction, order: order)
    // Safety: the memory holds two byte strings a row; a cursor fills a row before it is read.
    try unsafe withUnsafeTemporaryAllocation(of: Bytes.self, capacity: 2 * RowBlock.capacity) {
      buffer in
      guard let rows = buffer.baseAddress else { return }
      var limit = min(rowsInFirst ?? Threshold.rowsInFirstBlock.value, RowBlock.capacity)
      var total = 0
      var last: Bytes?
      var stepper = CursorRange.Scanner(self, seeker)
      var code = unsafe stepper.start(rows)
      var count = code == 0 ? 1 : 0
      while true {
        if code == 0 { code = unsafe stepper.fill(rows, &count, upTo: limit) }
        guard code == 0 || code == LMDBError.Code.notFound.rawValue else {
          throw LMDBError(.scan, code)
        }
        // A damaged offset that leads to another row of its page brings that row twice, or looks like
        // the end of the range.
        guard unsafe seeker.isInOrder(rows, count: count, after: last) else {
          throw LMDBError(.scan, .corrupted, "a tree whose rows are out of order")
        }
        let inside = unsafe seeker.countInside(rows, count: count)
        total += inside
        // A damaged page may hide rows, which the count reveals.
        if code != 0, range == .all, let expected = stepper.treeCount, total != expected {
          throw LMDBError(.scan, .corrupted, "a tree with \(total) rows instead of \(expected)")
        }
        if inside > 0 { unsafe last = unsafe rows[2 * inside - 2] }
        guard inside > 0, try body(unsafe RowBlock(rows, count: inside)) else { return }
        guard code == 0, inside == count else { return }
        (count, limit) = (0, min(limit * 4, RowBlock.capacity))
      }
    }
  }

  /// Counts the rows of a range, and may stop once there are more than `bound`.
  func countRows(in range: KeyRange, upTo bound: Int) throws(LMDBError) -> Int {
    var stepper = CursorRange.Scanner(
      self, CursorRange(range: range, direction: .forward, order: order))
    return try Self.counted(stepper.count(upTo: bound) { () throws(Never) in })
  }

  /// Counts the rows of a range, up to a bound; a closure may end the count.
  func countRows(
    in range: KeyRange, upTo bound: Int, checking check: () throws -> Void
  ) throws -> Int {
    var stepper = CursorRange.Scanner(
      self, CursorRange(range: range, direction: .forward, order: order))
    return try Self.counted(stepper.count(upTo: bound, checking: check))
  }

  private static func counted(_ result: (count: Int, code: Int32)) throws(LMDBError) -> Int {
    guard result.code == 0 || result.code == LMDBError.Code.notFound.rawValue else {
      throw LMDBError(.scan, result.code)
    }
    return result.count
  }
}

extension CursorRange {
  /// Reads or counts the rows of a range, page by page where the cursor reads pages.
  @safe struct Scanner<Source: RowCursor> {
    /// The most rows that are read past the end of a range.
    private static var stride: Int { Threshold.rowsPastRange.value }

    private var cursor: Source
    private let seeker: CursorRange
    /// The key of the last row read.
    private var last = unsafe Bytes.none

    init(_ cursor: Source, _ seeker: CursorRange) {
      self.cursor = cursor
      self.seeker = seeker
    }

    /// The number of rows of the tree, where that is known.
    var treeCount: Int? { cursor.treeCount }

    /// Moves to the first row of the range, and reads it.
    mutating func start(_ row: UnsafeMutablePointer<Bytes>) -> Int32 {
      let code = unsafe seeker.seekStart(&cursor, row)
      // Safety: the cursor has written the row.
      if code == 0 { unsafe last = row.pointee }
      return code
    }

    /// Reads more rows, until there are `limit` or the last is past the range.
    ///
    /// - Parameters:
    ///   - rows: Room for `limit` rows, `count` of which are read.
    ///   - count: The number of rows read, some of which may be past the range.
    ///   - limit: The number of rows to read.
    mutating func fill(
      _ rows: UnsafeMutablePointer<Bytes>, _ count: inout Int, upTo limit: Int
    ) -> Int32 {
      var code: Int32 = 0
      repeat {
        // Safety: there is room for `limit` rows, each a key and a value.
        let beside = unsafe cursor.readPage(
          rows + 2 * count, room: limit - count, seeker.direction)
        count += beside
        if beside > 0 { unsafe last = rows[2 * (count - 1)] }
        let pause =
          beside > 0 ? count : min(count + (cursor.treeCount == nil ? Self.stride : 1), limit)
        while code == 0, count < pause {
          // Safety: there is room for `limit` rows, each a key and a value.
          code = unsafe step(rows + 2 * count)
          if code == 0 { count += 1 }
        }
        // The end of the range is tested after some rows, so that few are read past it.
      } while unsafe code == 0 && count < limit && seeker.contains(last)
      return code
    }

    /// Counts the rows of the range, or some more than `bound` of them.
    ///
    /// - Parameter check: Called once for about as many rows as a block has.
    mutating func count<E: Error>(
      upTo bound: Int, checking check: () throws(E) -> Void
    ) throws(E) -> (count: Int, code: Int32) {
      var row = unsafe (Bytes.none, Bytes.none)
      // Safety: a tuple of a key and a value is laid out as two elements.
      return try unsafe withUnsafeMutablePointer(to: &row) { pointer throws(E) in
        try unsafe pointer.withMemoryRebound(to: Bytes.self, capacity: 2) { row throws(E) in
          var code = unsafe start(row)
          var (count, pause) = (0, RowBlock.capacity)
          while unsafe code == 0 && count <= bound && seeker.contains(last) {
            if count >= pause {
              try check()
              pause = count + RowBlock.capacity
            }
            let (inside, isAll) = countPage()
            count += inside
            if !isAll { break }
            code = unsafe step(row)
          }
          return (count, code)
        }
      }
    }

    /// Moves to the next row, and reads it.
    @inline(__always)
    private mutating func step(_ row: UnsafeMutablePointer<Bytes>) -> Int32 {
      let code = unsafe seeker.step(&cursor, row)
      if code == 0 { unsafe last = row.pointee }
      return code
    }

    /// Counts the last row and those after it on its page that are in the range.
    ///
    /// - Returns: Their number, and whether more rows of the range may follow on the next page.
    private mutating func countPage() -> (inside: Int, isAll: Bool) {
      let rest = cursor.restOfPage
      guard rest > 0, seeker.direction == .forward, let end = unsafe cursor.key(ahead: rest) else {
        return (1, true)
      }
      if unsafe seeker.contains(end) {
        cursor.skip(rest)
        CoverageMark.hit(.pageCounted)
        return (rest + 1, true)
      }
      var (inside, outside) = (0, rest)
      while outside - inside > 1 {
        let middle = (inside + outside) / 2
        guard let key = unsafe cursor.key(ahead: middle) else { return (1, true) }
        if unsafe seeker.contains(key) { inside = middle } else { outside = middle }
      }
      return (inside + 1, false)
    }
  }
}
