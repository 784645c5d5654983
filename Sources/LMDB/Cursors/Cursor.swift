/// A place among the rows of a range, for reading them one by one in either direction.
///
/// ```swift
/// try transaction.withCursor(in: people, over: .prefix(Array("A".utf8))) { cursor in
///   while let row = try cursor.next() { use(row.key, row.value) }
/// }
/// ```
/// A new cursor stands before the first row and past the last one at once: ``next()`` begins at
/// the front, ``last()`` at the back. Scans of many rows are faster in blocks.
///
/// Threads: the closure that was lent it.
public struct Cursor: ~Copyable, ~Escapable {
  private var position: CursorPosition

  // The door that makes a cursor lends it to a closure, which it cannot leave.
  @_lifetime(immortal)
  init(_ position: CursorPosition) { self.position = position }

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

  /// Goes one row on; nil at the end of the range, where going back finds the last row again.
  @_lifetime(&self)
  public mutating func next() throws(LMDBError) -> Row? {
    guard try position.step(.forward) else { return nil }
    return row
  }

  /// Goes one row back; nil at the front of the range, where going on finds the first row again.
  @_lifetime(&self)
  public mutating func previous() throws(LMDBError) -> Row? {
    guard try position.step(.backward) else { return nil }
    return row
  }

  /// Goes to the first row of the range whose key is not less; nil when there is none.
  ///
  /// - Complexity: O(log *n*), and O(1) on the page where the cursor stands.
  @_lifetime(&self)
  public mutating func seek(_ key: RawSpan) throws(LMDBError) -> Row? {
    guard try position.seek(key) else { return nil }
    return row
  }

  private var row: Row {
    @_lifetime(&self)
    mutating get {
      // Safety: the bytes lie in the map for as long as the cursor is lent.
      let key = unsafe RawSpan(_unsafeBytes: position.row.key.buffer)
      let value = unsafe RawSpan(_unsafeBytes: position.row.value.buffer)
      return unsafe _overrideLifetime(Row(key: key, value: value), mutating: &self)
    }
  }
}
