internal import CLMDB

/// A place among the rows of a range, for reading and changing them one by one.
///
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

  /// Goes to the first row of the range; nil when it is empty.
  @_lifetime(&self)
  public mutating func first() throws(LMDBError) -> Row? {
    guard try position.start(.forward) else { return nil }
    return row
  }

  /// Goes to the last row of the range; nil when it is empty.
  @_lifetime(&self)
  public mutating func last() throws(LMDBError) -> Row? {
    guard try position.start(.backward) else { return nil }
    return row
  }

  /// Goes one row on, from a deleted row to the one that followed it; nil at the end of the range.
  @_lifetime(&self)
  public mutating func next() throws(LMDBError) -> Row? {
    guard try position.step(.forward) else { return nil }
    return row
  }

  /// Goes one row back; nil at the front of the range.
  @_lifetime(&self)
  public mutating func previous() throws(LMDBError) -> Row? {
    guard try position.step(.backward) else { return nil }
    return row
  }

  /// Goes to the first row of the range whose key is not less; nil when there is none.
  @_lifetime(&self)
  public mutating func seek(_ key: RawSpan) throws(LMDBError) -> Row? {
    guard try position.seek(key) else { return nil }
    return row
  }

  /// Writes a row and goes there; false when the mode is ``PutMode/insert`` and the key exists.
  ///
  /// The corresponding C function is `mdb_cursor_put`.
  /// - Throws: As a put of the transaction does.
  @discardableResult
  public mutating func put(
    _ value: RawSpan, at key: RawSpan, mode: PutMode = .upsert
  ) throws(LMDBError) -> Bool {
    let flags: Int32 =
      switch mode {
      case .upsert: 0
      case .insert: MDB_NOOVERWRITE
      case .append: MDB_APPEND
      }
    // Safety: both buffers outlive the call.
    let code = unsafe key.withUnsafeBytes { key in
      unsafe value.withUnsafeBytes { value in
        var (key, value) = unsafe (Bytes(key), Bytes(value))
        return unsafe position.handle.put(&key, &value, UInt32(flags))
      }
    }
    if code == LMDBError.Code.keyExists.rawValue, mode == .insert { return false }
    guard code == 0 else { throw core.failure(.put, code) }
    position.stayAtRow()
    return true
  }

  /// Deletes the row that the cursor stands on; false when it stands on none.
  ///
  /// The corresponding C function is `mdb_cursor_del`.
  @discardableResult
  public mutating func delete() throws(LMDBError) -> Bool {
    guard position.canDelete else { return false }
    let code = position.handle.delete()
    guard code == 0 else { throw core.failure(.delete, code) }
    position.noteDeletion()
    return true
  }

  private var row: Row {
    @_lifetime(&self)
    mutating get {
      // Safety: the bytes stay where they are until the cursor is used again, which ends the row.
      let key = unsafe RawSpan(_unsafeBytes: position.row.key.buffer)
      let value = unsafe RawSpan(_unsafeBytes: position.row.value.buffer)
      return unsafe _overrideLifetime(Row(key: key, value: value), mutating: &self)
    }
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
    let slot = try core.databases.slot(of: database, for: .scan)
    // What this cursor writes, the transaction's own would not know of.
    core.writeSlots.close(slot)
    let handle = try self.handle.openCursorOrThrow(in: slot)
    defer { handle.close() }
    let position = CursorPosition(handle, range: range, transaction: self.handle, slot: slot)
    var cursor = WriteCursor(position, of: core)
    return try body(&cursor)
  }
}
