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
