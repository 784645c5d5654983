/// A place among the rows of a range, for reading and changing them one by one.
///
/// ```swift
/// try transaction.withWriteCursor(in: people) { cursor in
///   while try cursor.next() {
///     if cursor.value.isEmpty { try cursor.delete() }
///   }
/// }
/// ```
/// It moves like a ``Cursor``. Puts are not confined to the range; the cursor then stands on
/// the row that was written.
///
/// Threads: the closure that was lent it.
public struct WriteCursor: ~Copyable, ~Escapable {
  private var position: CursorPosition
  private let core: EnvironmentCore

  // The door that makes a cursor lends it to a closure, which it cannot leave.
  @_lifetime(immortal)
  init(_ position: CursorPosition, of core: EnvironmentCore) {
    self.position = position
    self.core = core
  }

  /// The key of the row that the cursor stands on, which it must.
  public var key: RawSpan {
    @_lifetime(borrow self)
    get {
      // Safety: the bytes stay where they are until the cursor is used again, which ends the
      // borrow.
      unsafe _overrideLifetime(RawSpan(_unsafeBytes: position.key), borrowing: self)
    }
  }

  /// The value of the row that the cursor stands on, which it must.
  public var value: RawSpan {
    @_lifetime(borrow self)
    get {
      // Safety: as for the key.
      unsafe _overrideLifetime(RawSpan(_unsafeBytes: position.value), borrowing: self)
    }
  }

  /// Goes to the first row of the range; false when it is empty.
  @discardableResult
  public mutating func first() throws(LMDBError) -> Bool { try position.start(.forward) }

  /// Goes to the last row of the range; false when it is empty.
  @discardableResult
  public mutating func last() throws(LMDBError) -> Bool { try position.start(.backward) }

  /// Goes one row on, from a deleted row to the one that followed it; false at the end.
  @discardableResult
  public mutating func next() throws(LMDBError) -> Bool { try position.step(.forward) }

  /// Goes one row back; false at the front of the range, from where going on finds the first row.
  @discardableResult
  public mutating func previous() throws(LMDBError) -> Bool { try position.step(.backward) }

  /// Goes to the first row of the range whose key is not less; false when there is none.
  ///
  /// - Complexity: O(log *n*), and O(1) on the page where the cursor stands.
  @discardableResult
  public mutating func seek(_ key: RawSpan) throws(LMDBError) -> Bool { try position.seek(key) }

  /// Writes a row and goes there; false when the mode is ``PutMode/insert`` and the key exists.
  ///
  /// The corresponding C function is `mdb_cursor_put`.
  /// - Throws: As a put of the transaction does.
  @discardableResult
  public mutating func put(
    _ value: RawSpan, at key: RawSpan, mode: PutMode = .upsert
  ) throws(LMDBError) -> Bool {
    let flags =
      switch mode {
      case .upsert: WriteFlag.none
      case .insert: WriteFlag.mustNotExist
      case .append: WriteFlag.append
      }
    // Safety: both buffers outlive the call.
    let code = unsafe key.withUnsafeBytes { key in
      unsafe value.withUnsafeBytes { value in
        var (key, value) = unsafe (Bytes(key), Bytes(value))
        return unsafe position.handle.put(&key, &value, flags)
      }
    }
    if code == LMDBError.Code.keyExists.rawValue, mode == .insert { return false }
    guard code == 0 else { throw core.failure(.put, code) }
    try position.stayAtRow()
    return true
  }

  /// Deletes the row that the cursor stands on; false when it stands on none.
  ///
  /// The corresponding C function is `mdb_cursor_del`.
  @discardableResult
  public mutating func delete() throws(LMDBError) -> Bool {
    guard position.isAtRow else { return false }
    let code = position.handle.delete()
    guard code == 0 else { throw core.failure(.delete, code) }
    position.noteDeletion()
    return true
  }
}

extension WriteTransaction {
  /// Lends a cursor for changes among the rows of a range to a closure.
  ///
  /// - Parameter range: Which rows the cursor moves over; all unless said otherwise.
  /// - Throws: What the closure throws, ``LMDBError/Code/badDatabase``.
  @discardableResult
  public mutating func withWriteCursor<R: ~Copyable>(
    in database: Database, over range: KeyRange = .all, _ body: (inout WriteCursor) throws -> R
  ) throws -> R {
    let core = environment.core
    let slot = try core.slot(of: database, in: self.handle, for: .scan)
    // What this cursor writes may change the last key, which the transaction's own remembers.
    core.writeSlots.close(slot)
    let handle = try self.handle.openCursorOrThrow(in: slot)
    defer { handle.close() }
    let order = core.databases.order(of: database)
    let position = CursorPosition(EngineCursor(handle: handle, order: order), range: range)
    var cursor = WriteCursor(position, of: core)
    return try body(&cursor)
  }
}
