/// Up to 256 neighbouring rows of a database, where they lie in the map.
///
/// A scan hands out its rows in blocks, so that it costs one call for many of them.
///
/// Threads: the block, and every span it gives, belong to the closure that was lent it.
@safe public struct RowBlock: ~Copyable {
  /// The most rows that a block holds: 256.
  public static var capacity: Int { Threshold.rowsPerBlock.value }

  /// Where the key and the value of one row lie.
  ///
  /// Its four words are laid over the two byte strings that the C library fills in for a row.
  @unsafe package struct Entry {
    /// The number of bytes of the key.
    package let keyCount: Int
    /// Where the key lies.
    package let keyStart: UnsafeRawPointer
    /// The number of bytes of the value.
    package let valueCount: Int
    /// Where the value lies.
    package let valueStart: UnsafeRawPointer
  }

  /// Where the rows lie, valid for as long as the block is.
  package let entries: UnsafeBufferPointer<Entry>

  /// The first rows of memory that a cursor filled with keys and values in turn.
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
    precondition(index >= 0 && index < count, "A row's index lies between 0 and the block's count.")
    // Safety: the index is checked, and the bytes lie in the map for as long as the block is lent.
    let entry = unsafe entries[index]
    let span = unsafe RawSpan(_unsafeStart: entry.keyStart, byteCount: entry.keyCount)
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// The value of a row; the index counts from 0 in the direction of the scan.
  @_lifetime(borrow self)
  public func value(at index: Int) -> RawSpan {
    precondition(index >= 0 && index < count, "A row's index lies between 0 and the block's count.")
    // Safety: as for keys.
    let entry = unsafe entries[index]
    let span = unsafe RawSpan(_unsafeStart: entry.valueStart, byteCount: entry.valueCount)
    return unsafe _overrideLifetime(span, borrowing: self)
  }
}
