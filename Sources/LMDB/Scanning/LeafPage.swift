/// A page of rows, read where it lies in the map.
///
/// A step of a cursor is a call into the C library, and most of the rows of a scan lie beside
/// the one that the cursor stands on. Read transactions, whose pages nobody changes or moves, read
/// them from the page; what is not as described here is left to the cursor.
///
/// The layout is format version 1's, which opening a file makes sure of; numbers are in the machine's
/// byte order, *w* is the size of a machine word:
/// 1. a header: number of the page (*w* bytes), 2 bytes unused, flags (2), end of the list (2),
///    2 bytes more;
/// 2. the list of the rows in the order of their keys: where each begins (2), from the page's start;
/// 3. a row: length of the value (4), flags (2), length of the key (2), the key, the value.
@safe struct LeafPage {
  private static let leafFlag: UInt16 = 0x02
  private static let listStart = MetaPage.headerBytes
  private static let rowHeaderBytes = 8

  private let start: UnsafeRawPointer
  private let byteCount: Int
  /// The number of rows.
  let count: Int

  /// The page that a key lies on; nil where what lies there is no such page.
  ///
  /// - Parameters:
  ///   - key: A key that a cursor of a read transaction gave.
  ///   - pageBytes: The size of a page, of which the map's start is a multiple; 0 if it is none.
  init?(of key: Bytes, pageBytes: Int) {
    // Safety: the key lies in the map, which consists of whole pages.
    guard pageBytes > 0, let place = unsafe key.buffer.baseAddress else { return nil }
    let offset = Int(bitPattern: place) & (pageBytes - 1)
    unsafe start = place - offset
    byteCount = pageBytes
    let flags = unsafe start.loadUnaligned(fromByteOffset: Self.listStart - 6, as: UInt16.self)
    let end = unsafe start.loadUnaligned(fromByteOffset: Self.listStart - 4, as: UInt16.self)
    let listBytes = Int(end) - Self.listStart
    guard flags == Self.leafFlag, listBytes > 0, listBytes & 1 == 0,
      Int(end) + Self.rowHeaderBytes <= offset
    else { return nil }
    count = listBytes / 2
  }

  /// The place of a key that lies on the page; nil where no row begins before it.
  func place(of key: Bytes) -> Int? {
    // Safety: the list lies on the page.
    guard let key = unsafe key.buffer.baseAddress else { return nil }
    let row = unsafe key - start - Self.rowHeaderBytes
    if rowStart(count - 1) == row { return count - 1 }
    for place in 0..<count - 1 where rowStart(place) == row { return place }
    return nil
  }

  /// Writes the key and the value of a row; false where its value lies on other pages.
  @inline(__always)
  func read(_ place: Int, into row: UnsafeMutablePointer<Bytes>) -> Bool {
    let offset = rowStart(place)
    guard offset + Self.rowHeaderBytes <= byteCount else { return false }
    // Safety: the row's header lies on the page, and so do key and value, or they are refused.
    let header = unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
    let lengths = RowHeader(header)
    let end = offset + Self.rowHeaderBytes + lengths.key + lengths.value
    guard lengths.flags == 0, end <= byteCount else { return false }
    let key = unsafe start + offset + Self.rowHeaderBytes
    unsafe row.pointee = Bytes(UnsafeRawBufferPointer(start: key, count: lengths.key))
    unsafe (row + 1).pointee = Bytes(
      UnsafeRawBufferPointer(start: key + lengths.key, count: lengths.value))
    return true
  }

  /// The key of a row; nil where it does not lie on the page.
  func key(_ place: Int) -> Bytes? {
    let offset = rowStart(place)
    guard offset + Self.rowHeaderBytes <= byteCount else { return nil }
    // Safety: as for reading a row.
    let lengths = RowHeader(unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    guard offset + Self.rowHeaderBytes + lengths.key <= byteCount else { return nil }
    let key = unsafe start + offset + Self.rowHeaderBytes
    return unsafe Bytes(UnsafeRawBufferPointer(start: key, count: lengths.key))
  }

  @inline(__always)
  private func rowStart(_ place: Int) -> Int {
    // Safety: places lie below the count, and so within the list.
    let offset = unsafe start.loadUnaligned(
      fromByteOffset: Self.listStart + 2 * place, as: UInt16.self)
    return Int(offset)
  }
}

/// The eight bytes in front of a row's key.
private struct RowHeader {
  let value: Int
  let flags: UInt16
  let key: Int

  @inline(__always)
  init(_ word: UInt64) {
    #if _endian(little)
      value = Int(truncatingIfNeeded: word & 0xFFFF_FFFF)
      flags = UInt16(truncatingIfNeeded: word >> 32)
      key = Int(truncatingIfNeeded: word >> 48)
    #else
      value = Int(truncatingIfNeeded: word >> 32)
      flags = UInt16(truncatingIfNeeded: word >> 16)
      key = Int(truncatingIfNeeded: word & 0xFFFF)
    #endif
  }
}
