/// Where a cursor stands in its range, and how it moves.
@safe struct CursorPosition {
  private enum Place {
    case beforeFirst
    case atRow
    /// Between two rows, where one was deleted.
    case atGap
    case pastLast
  }

  private let range: KeyRange
  private var cursor: TransactionCursor
  private var place = Place.beforeFirst
  private var row = unsafe (key: Bytes.none, value: Bytes.none)

  /// A place for a write transaction.
  init(_ cursor: EngineCursor, range: KeyRange) {
    self.cursor = TransactionCursor(engine: cursor)
    self.range = range
  }

  /// A place for a read transaction.
  init(_ cursor: PageCursor, range: KeyRange) {
    self.cursor = TransactionCursor(pages: cursor)
    self.range = range
  }

  /// The cursor of a write transaction.
  var handle: CursorHandle {
    guard let engine = cursor.engine else {
      preconditionFailure("A cursor of a read transaction writes nothing: use a write cursor.")
    }
    return engine.handle
  }

  /// Goes to the first row in a direction; false when the range is empty.
  mutating func start(_ direction: Direction) throws(LMDBError) -> Bool {
    let seeker = seeker(direction)
    // Safety: the cursor writes to a key and a value.
    return unsafe try settle(direction) { unsafe seeker.seekStart(&$0, $1) }
  }

  /// Goes one row on in a direction; false at the end.
  mutating func step(_ direction: Direction) throws(LMDBError) -> Bool {
    switch (place, direction) {
    case (.beforeFirst, .forward), (.pastLast, .backward): return try start(direction)
    case (.beforeFirst, .backward), (.pastLast, .forward): return false
    case (.atRow, _), (.atGap, _): break
    }
    let seeker = seeker(direction)
    // Safety: the cursor writes to a key and a value.
    return unsafe try settle(direction) { unsafe seeker.step(&$0, $1) }
  }

  /// Goes to the first row of the range whose key is not less; false when there is none.
  mutating func seek(_ key: RawSpan) throws(LMDBError) -> Bool {
    // No key is empty, and the C library refuses to seek an empty one.
    if key.byteCount == 0 { return try start(.forward) }
    // Safety: the key outlives the call.
    let found = unsafe try key.withUnsafeBytes { buffer throws(LMDBError) in
      unsafe try settle(.forward) { cursor, row in
        unsafe row.pointee = unsafe Bytes(buffer)
        return unsafe cursor.get(into: row, .atOrAfter)
      }
    }
    guard found, unsafe !seeker(.backward).contains(row.key) else { return found }
    return try start(.forward)
  }

  /// Reads the row again that the cursor stands on, which it has just written.
  mutating func stayAtRow() throws(LMDBError) {
    // Safety: the key and the value are variables of this cursor.
    let code = unsafe handle.get(&row.key, &row.value, .current)
    guard code == 0 else { throw LMDBError(.scan, code) }
    place = .atRow
  }

  /// Notes that the row is gone on which the cursor stands.
  mutating func noteDeletion() { place = .atGap }

  /// Whether the cursor stands on a row.
  var isAtRow: Bool { place == .atRow }

  /// The key of the row that the cursor stands on.
  var key: UnsafeRawBufferPointer {
    precondition(isAtRow, "The cursor stands on no row: move it before looking.")
    return unsafe row.key.buffer
  }

  /// The value of the row that the cursor stands on.
  var value: UnsafeRawBufferPointer {
    precondition(isAtRow, "The cursor stands on no row: move it before looking.")
    return unsafe row.value.buffer
  }

  private func seeker(_ direction: Direction) -> RangeSeeker {
    RangeSeeker(range: range, direction: direction, order: cursor.order)
  }

  private mutating func settle(
    _ direction: Direction,
    _ move: (inout TransactionCursor, UnsafeMutablePointer<Bytes>) -> Int32
  ) throws(LMDBError) -> Bool {
    var pair = unsafe row
    // Safety: a key and, after it, a value, both initialised.
    let code = unsafe withUnsafeMutablePointer(to: &pair) { pair in
      unsafe move(&cursor, UnsafeMutableRawPointer(pair).assumingMemoryBound(to: Bytes.self))
    }
    unsafe row = pair
    guard code == 0 || code == LMDBError.Code.notFound.rawValue else {
      throw LMDBError(.scan, code)
    }
    if code == 0, unsafe seeker(direction).contains(row.key) {
      place = .atRow
      return true
    }
    place = direction == .forward ? .pastLast : .beforeFirst
    return false
  }
}
