/// A position among the rows of a range, for reading them one by one in either direction.
///
/// ```swift
/// try transaction.withCursor(in: people, over: .prefix(Array("A".utf8))) { cursor in
///   while try cursor.next() { use(cursor.key, cursor.value) }
/// }
/// ```
/// A new cursor is on no row: ``next()`` moves to the first row, ``last()`` to the last one, and
/// ``previous()`` returns false. Reading many rows is faster in blocks.
///
/// Threads: only within the closure that the cursor is passed to.
@safe public struct Cursor: ~Copyable, ~Escapable {
  private enum Position {
    case beforeFirst
    case atRow
    case pastLast
  }

  private let range: KeyRange
  private var cursor: TransactionCursor
  private var position = Position.beforeFirst
  private var row = unsafe (key: Bytes.none, value: Bytes.none)

  // The functions that make a cursor pass it to a closure, which it cannot leave.
  @_lifetime(immortal)
  init(_ cursor: TransactionCursor, over range: KeyRange) {
    self.cursor = cursor
    self.range = range
  }

  /// The key of the current row; the cursor must be on one.
  public var key: RawSpan {
    @_lifetime(borrow self)
    get {
      checkRow()
      // Safety: the bytes are in the map until the closure ends that the cursor was passed to.
      return unsafe _overrideLifetime(RawSpan(_unsafeBytes: row.key.buffer), borrowing: self)
    }
  }

  /// The value of the current row; the cursor must be on one.
  public var value: RawSpan {
    @_lifetime(borrow self)
    get {
      checkRow()
      // Safety: as for the key.
      return unsafe _overrideLifetime(RawSpan(_unsafeBytes: row.value.buffer), borrowing: self)
    }
  }

  /// Moves to the first row of the range; false when the range is empty.
  @discardableResult
  public mutating func first() throws(LMDBError) -> Bool { try start(.forward) }

  /// Moves to the last row of the range; false when the range is empty.
  @discardableResult
  public mutating func last() throws(LMDBError) -> Bool { try start(.backward) }

  /// Moves to the next row; false after the last one, from where ``previous()`` returns to it.
  @discardableResult
  public mutating func next() throws(LMDBError) -> Bool { try step(.forward) }

  /// Moves to the previous row; false before the first one, from where ``next()`` returns to it.
  @discardableResult
  public mutating func previous() throws(LMDBError) -> Bool { try step(.backward) }

  /// Moves to the first row of the range whose key is not less; false when there is none.
  ///
  /// - Complexity: O(log *n*), and O(1) when the row is on the same page as the current one.
  @discardableResult
  public mutating func seek(_ key: RawSpan) throws(LMDBError) -> Bool {
    // No key is empty, and the C library refuses to seek an empty one.
    if key.byteCount == 0 { return try start(.forward) }
    // Safety: the key outlives the call.
    let found = unsafe try key.withUnsafeBytes { buffer throws(LMDBError) in
      unsafe try move(.forward) { cursor, row in
        unsafe row.pointee = unsafe Bytes(buffer)
        return unsafe cursor.get(into: row, .atOrAfter)
      }
    }
    guard found, unsafe !seeker(.backward).contains(row.key) else { return found }
    return try start(.forward)
  }
}

extension Cursor {
  private func checkRow() {
    precondition(position == .atRow, "The cursor is on no row: move it before reading.")
  }

  private func seeker(_ direction: KeyRange.Direction) -> CursorRange {
    CursorRange(range: range, direction: direction, order: cursor.order)
  }

  /// Moves to the first row in a direction; false when the range is empty.
  private mutating func start(_ direction: KeyRange.Direction) throws(LMDBError) -> Bool {
    let seeker = seeker(direction)
    // Safety: the cursor writes to a key and a value.
    return unsafe try move(direction) { unsafe seeker.seekStart(&$0, $1) }
  }

  /// Moves one row in a direction; false at the end.
  private mutating func step(_ direction: KeyRange.Direction) throws(LMDBError) -> Bool {
    switch (position, direction) {
    case (.beforeFirst, .forward), (.pastLast, .backward): return try start(direction)
    case (.beforeFirst, .backward), (.pastLast, .forward): return false
    case (.atRow, _): break
    }
    let seeker = seeker(direction)
    // Safety: the cursor writes to a key and a value.
    return unsafe try move(direction) { unsafe seeker.step(&$0, $1) }
  }

  /// Makes a move and reads the row; false when there is none, or it is not in the range.
  private mutating func move(
    _ direction: KeyRange.Direction,
    _ body: (inout TransactionCursor, UnsafeMutablePointer<Bytes>) -> Int32
  ) throws(LMDBError) -> Bool {
    var pair = unsafe row
    // Safety: a key and, after it, a value, both initialised.
    let code = unsafe withUnsafeMutablePointer(to: &pair) { pair in
      unsafe body(&cursor, UnsafeMutableRawPointer(pair).assumingMemoryBound(to: Bytes.self))
    }
    unsafe row = pair
    guard code == 0 || code == LMDBError.Code.notFound.rawValue else {
      throw LMDBError(.scan, code)
    }
    if code == 0, unsafe seeker(direction).contains(row.key) {
      position = .atRow
      return true
    }
    position = direction == .forward ? .pastLast : .beforeFirst
    return false
  }
}
