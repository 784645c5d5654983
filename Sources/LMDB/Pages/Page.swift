/// A page of a tree, read where it lies in the map.
///
/// Nothing of what it says is believed before it is checked: places of rows, lengths and numbers of
/// pages that point elsewhere make its methods return nil.
///
/// The layout is format version 1's, which opening a file makes sure of; numbers are in the machine's
/// byte order, *w* is the size of a machine word:
/// 1. a header: number of the page (*w* bytes), 2 bytes unused, flags (2), end of the list (2), start
///    of the rows (2); of pages that hold a long value, the number of pages (4) instead of the last
///    two;
/// 2. the list of the rows in the order of their keys: where each begins (2), from the page's start;
/// 3. a row: length of the value (4), flags (2), length of the key (2), the key, the value. In a
///    branch, the number of a page stands in the place of the length and the flags.
@safe struct Page {
  static let branchFlag: UInt16 = 0x01
  static let leafFlag: UInt16 = 0x02
  static let overflowFlag: UInt16 = 0x04
  static let listStart = MetaPage.headerBytes
  static let rowHeaderBytes = 8

  let start: UnsafeRawPointer
  let byteCount: Int
  /// The number of rows.
  let count: Int
  let isLeaf: Bool

  /// The page at an address, where it is one of a tree and has the number that it should.
  @inline(__always)
  init?(_ start: UnsafeRawPointer, number: UInt, byteCount: Int, isLeaf: Bool) {
    unsafe self.start = start
    self.byteCount = byteCount
    self.isLeaf = isLeaf
    // Safety: the header lies on the page.
    let found = unsafe start.load(as: UInt.self)
    let flags = unsafe start.load(fromByteOffset: Self.listStart - 6, as: UInt16.self)
    let end = Int(unsafe start.load(fromByteOffset: Self.listStart - 4, as: UInt16.self))
    let listBytes = end &- Self.listStart
    guard found == number, flags == (isLeaf ? Self.leafFlag : Self.branchFlag), listBytes > 0,
      listBytes & 1 == 0, end <= byteCount
    else { return nil }
    count = listBytes &>> 1
  }

  /// Where the rows begin, behind free room.
  var rowsStart: Int {
    // Safety: the header lies on the page.
    Int(unsafe start.load(fromByteOffset: Self.listStart - 2, as: UInt16.self))
  }

  /// Where a row begins on the page; its header lies on it too.
  @inline(__always)
  func rowStart(_ place: Int) -> Int? {
    // Safety: places lie below the count, and so within the list.
    let offset = Int(
      unsafe start.load(fromByteOffset: Self.listStart &+ 2 &* place, as: UInt16.self))
    guard offset & 1 == 0, offset &+ Self.rowHeaderBytes <= byteCount else { return nil }
    return offset
  }

  /// The header of a row that begins at an offset.
  @inline(__always)
  func header(at offset: Int) -> RowHeader {
    // Safety: the offset was found by `rowStart`.
    RowHeader(unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The key of a row; nil where it does not lie on the page.
  @inline(__always)
  func key(_ place: Int) -> UnsafeRawBufferPointer? {
    guard let offset = rowStart(place) else { return nil }
    let count = header(at: offset).key
    guard offset &+ Self.rowHeaderBytes &+ count <= byteCount else { return nil }
    // Safety: the key lies on the page.
    return unsafe UnsafeRawBufferPointer(
      start: start + (offset &+ Self.rowHeaderBytes), count: count)
  }

  /// Reads rows of a leaf whose values lie on it, up to the first that is another.
  ///
  /// - Returns: How many were read.
  func read(
    _ rows: UnsafeMutablePointer<Bytes>, from first: Int, by step: Int, count: Int
  ) -> Int {
    var place = first
    for number in 0..<max(0, count) {
      guard let offset = rowStart(place) else { return number }
      let header = header(at: offset)
      let key = offset &+ Self.rowHeaderBytes
      let value = key &+ header.key
      guard header.flags == 0, value &+ header.value <= byteCount else { return number }
      // Safety: key and value lie on the page, and the caller has room for both.
      let row = unsafe rows + 2 &* number
      unsafe row.pointee = Bytes(UnsafeRawBufferPointer(start: start + key, count: header.key))
      unsafe (row + 1).pointee = Bytes(
        UnsafeRawBufferPointer(start: start + value, count: header.value))
      place &+= step
    }
    return max(0, count)
  }

  /// The page that a row of a branch leads to.
  @inline(__always)
  func child(_ place: Int) -> UInt? {
    guard let offset = rowStart(place) else { return nil }
    return header(at: offset).child
  }
}

/// The eight bytes in front of a row's key.
struct RowHeader {
  /// The value lies on pages of its own.
  static let longValue: UInt16 = 0x01
  /// The value is the record of a tree.
  static let tree: UInt16 = 0x02

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

  /// In a branch, the page that the row leads to.
  ///
  /// Where a word has 64 bits, the rest of its number stands in the place of the flags.
  @inline(__always)
  var child: UInt {
    MetaPage.wordBytes == 8
      ? UInt(value) | UInt(truncatingIfNeeded: UInt64(flags) << 32) : UInt(value)
  }
}
