/// A place among the rows of a range, for reading them one by one in either direction.
///
/// ```swift
/// try transaction.withCursor(in: people, over: .prefix(Array("A".utf8))) { cursor in
///   while try cursor.next() { use(cursor.key, cursor.value) }
/// }
/// ```
/// A new cursor stands before the first row and past the last one at once: ``next()`` begins at the
/// front, ``previous()`` stays there, ``last()`` goes to the back. Scans of many rows are faster in
/// blocks.
///
/// Threads: the closure that was lent it.
public struct Cursor: ~Copyable, ~Escapable {
  private var position: CursorPosition

  // The door that makes a cursor lends it to a closure, which it cannot leave.
  @_lifetime(immortal)
  init(_ position: CursorPosition) { self.position = position }

  /// The key of the row that the cursor stands on, which it must.
  public var key: RawSpan {
    @_lifetime(borrow self)
    get {
      // Safety: the bytes lie in the map for as long as the cursor is lent.
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

  /// Goes one row on; false at the end of the range, from where going back finds the last row.
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
}
