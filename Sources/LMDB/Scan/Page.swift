/// A page of a tree, read in the map.
///
/// Everything is checked before it is used: offsets of rows, lengths and numbers of pages that are
/// out of bounds make its methods return nil.
///
/// The layout is that of format version 1, which is checked when a file is opened; numbers are in the
/// machine's byte order, *w* is the size of a machine word:
/// 1. a header: number of the page (*w* bytes), 2 bytes unused, flags (2), end of the list (2), start
///    of the rows (2); of pages with a long value, the number of pages (4) instead of the last
///    two;
/// 2. the list of the rows in the order of their keys: the offset of each (2), from the page's start;
/// 3. a row: length of the value (4), flags (2), length of the key (2), the key, the value. In a
///    branch, the number of a page is in the place of the length and the flags.
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
  /// The offset of the first byte of rows, after the free space.
  let rowsStart: Int
  let isLeaf: Bool

  /// The page at an address; nil when it has another number or is of another kind.
  @inline(__always)
  init?(_ start: UnsafeRawPointer, number: UInt, byteCount: Int, isLeaf: Bool) {
    unsafe self.start = start
    self.byteCount = byteCount
    self.isLeaf = isLeaf
    // Safety: the header is on the page.
    let found = unsafe start.load(as: UInt.self)
    let flags = unsafe start.load(fromByteOffset: Self.listStart - 6, as: UInt16.self)
    let end = Int(unsafe start.load(fromByteOffset: Self.listStart - 4, as: UInt16.self))
    let listBytes = end &- Self.listStart
    rowsStart = Int(unsafe start.load(fromByteOffset: Self.listStart - 2, as: UInt16.self))
    guard found == number, flags == (isLeaf ? Self.leafFlag : Self.branchFlag), listBytes > 0,
      listBytes & 1 == 0, end <= rowsStart, rowsStart <= byteCount
    else { return nil }
    count = listBytes &>> 1
  }

  /// The offset of a row, whose header is among the rows too; nil where it is not.
  ///
  /// In the free space are rows that are deleted or replaced, and as whole as they were.
  @inline(__always)
  func rowStart(_ index: Int) -> Int? {
    // Safety: the index is less than the count, so its entry is in the list.
    let offset = Int(
      unsafe start.load(fromByteOffset: Self.listStart &+ 2 &* index, as: UInt16.self))
    guard offset & 1 == 0, offset >= rowsStart, offset &+ Self.rowHeaderBytes <= byteCount else {
      return nil
    }
    return offset
  }

  /// The header of a row that begins at an offset.
  @inline(__always)
  func header(at offset: Int) -> RowHeader {
    // Safety: the offset was found by `rowStart`.
    RowHeader(unsafe start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
  }

  /// The key of a row; nil where it is not on the page.
  @inline(__always)
  func key(_ index: Int) -> UnsafeRawBufferPointer? {
    guard let offset = rowStart(index) else { return nil }
    let count = header(at: offset).key
    guard offset &+ Self.rowHeaderBytes &+ count <= byteCount else { return nil }
    // Safety: the key is on the page.
    return unsafe UnsafeRawBufferPointer(
      start: start + (offset &+ Self.rowHeaderBytes), count: count)
  }

  /// Reads rows of a leaf up to the first whose value is not on it.
  ///
  /// - Returns: How many were read.
  func read(
    _ rows: UnsafeMutablePointer<Bytes>, from first: Int, by step: Int, count: Int
  ) -> Int {
    var index = first
    for number in 0..<max(0, count) {
      guard let offset = rowStart(index) else { return number }
      let header = header(at: offset)
      let key = offset &+ Self.rowHeaderBytes
      let value = key &+ header.key
      guard header.flags == 0, value &+ header.value <= byteCount else { return number }
      // Safety: key and value are on the page, and the caller has room for both.
      let row = unsafe rows + 2 &* number
      unsafe row.pointee = Bytes(UnsafeRawBufferPointer(start: start + key, count: header.key))
      unsafe (row + 1).pointee = Bytes(
        UnsafeRawBufferPointer(start: start + value, count: header.value))
      index &+= step
    }
    return max(0, count)
  }

  /// The number of the child page that a row of a branch refers to.
  @inline(__always)
  func child(_ index: Int) -> UInt? {
    guard let offset = rowStart(index) else { return nil }
    return header(at: offset).child
  }
}

extension Page {
  /// The eight bytes before a row's key.
  struct RowHeader {
    /// The value is on pages of its own.
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

    /// In a branch, the number of the child page.
    ///
    /// Where a word has 64 bits, its high bits are in the place of the flags.
    @inline(__always)
    var child: UInt {
      MetaPage.wordBytes == 8
        ? UInt(value) | UInt(truncatingIfNeeded: UInt64(flags) << 32) : UInt(value)
    }
  }
}

/// One of the two pages at the start of a data file, which refer to the trees of a commit.
///
/// The layout, where *w* is the size of a machine word and numbers are in the machine's byte order:
/// 1. the page's header: number (*w* bytes), 2 bytes unused, flags (2), two offsets (2 each);
/// 2. magic number (4), format version (4), address (*w*), size of the map (*w*);
/// 3. the roots of two trees, the free pages' and that of names: page size (4, in the first) or
///    unused, flags (2), depth (2), branch pages, leaf pages, overflow pages, entries, root
///    page (*w* each);
/// 4. the number of the last page (*w*), the number of the transaction (*w*).
struct MetaPage {
  /// The word size of this machine.
  static let wordBytes = MemoryLayout<UInt>.size
  /// The size of a page's header.
  static let headerBytes = wordBytes + 8
  /// The size of everything described above.
  static let byteCount = headerBytes + 8 + 2 * wordBytes + 2 * treeBytes + 2 * wordBytes
  /// The size of a tree's record.
  static let treeBytes = 8 + 5 * wordBytes
  /// The root of a tree without pages.
  static let noPage = UInt.max

  /// The number that data files and lock tables begin with.
  static let magic: UInt32 = 0xBEEF_C0DE

  /// The size of the largest pages that the C library writes.
  static let mostPageBytes = 32_768
  /// The size of the smallest pages that have room for the longest keys.
  static let leastPageBytes = 1_024

  private static let version: UInt32 = 1
  private static let metaFlag: UInt16 = 0x08

  let pageBytes: Int
  let freeRoot: UInt
  let namesRoot: UInt
  /// The number of named trees.
  let nameCount: UInt
  let lastPage: UInt
  let transaction: UInt

  /// Reads the page out of its first bytes; throws what is wrong with them.
  init(_ bytes: [UInt8], of path: String) throws(LMDBError) {
    guard bytes.number(at: Self.headerBytes, UInt32.self) == Self.magic else {
      throw LMDBError(
        .open, Self.isOfOtherMachine(bytes) ? .otherMachine : .notAnEnvironment, path)
    }
    guard bytes.count >= Self.byteCount else { throw LMDBError(.open, .truncated, path) }
    guard bytes.number(at: Self.headerBytes + 4, UInt32.self) == Self.version else {
      throw LMDBError(.open, .versionMismatch, path)
    }
    let flags = bytes.number(at: Self.wordBytes + 2, UInt16.self)
    let trees = Self.treesOffset
    let end = trees + 2 * Self.treeBytes
    let pageBytes = Int(bytes.number(at: trees, UInt32.self) ?? 0)
    guard let flags, flags & Self.metaFlag != 0,
      (Self.leastPageBytes...Self.mostPageBytes).contains(pageBytes),
      pageBytes.nonzeroBitCount == 1,
      let freeRoot = bytes.number(at: trees + Self.rootOffset, UInt.self),
      let namesRoot = bytes.number(at: trees + Self.treeBytes + Self.rootOffset, UInt.self),
      let nameCount = bytes.number(
        at: trees + Self.treeBytes + Self.rootOffset - Self.wordBytes, UInt.self),
      let lastPage = bytes.number(at: end, UInt.self), lastPage < UInt(Int.max / pageBytes),
      let transaction = bytes.number(at: end + Self.wordBytes, UInt.self),
      transaction < UInt(Int.max)
    else { throw LMDBError(.open, .corrupted, path) }
    self.pageBytes = pageBytes
    self.freeRoot = freeRoot
    self.namesRoot = namesRoot
    self.nameCount = nameCount
    self.lastPage = lastPage
    self.transaction = transaction
  }

  /// The offset of the two trees' records.
  static let treesOffset = headerBytes + 8 + 2 * wordBytes
  /// The offset of the root page's number in a tree's record.
  static let rootOffset = 8 + 4 * wordBytes

  /// Whether the magic number is at the offset of another word size, or in the other byte order.
  private static func isOfOtherMachine(_ bytes: [UInt8]) -> Bool {
    [12, 16].contains { offset in
      let number = bytes.number(at: offset, UInt32.self)
      return number == magic || number == magic.byteSwapped
    }
  }
}

extension [UInt8] {
  /// The number at an offset, in the machine's byte order; nil when it is out of bounds.
  func number<N: FixedWidthInteger & BitwiseCopyable>(at offset: Int, _ type: N.Type) -> N? {
    guard offset >= 0, offset + MemoryLayout<N>.size <= count else { return nil }
    // Safety: the bounds are checked, and every bit pattern is a number.
    return unsafe withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: offset, as: N.self)
    }
  }
}
