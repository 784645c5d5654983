/// One of the two pages at the front of a data file that say what the rest of it holds.
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
  /// The size of all that is described above.
  static let byteCount = headerBytes + 8 + 2 * wordBytes + 2 * treeBytes + 2 * wordBytes
  /// The size of the description of a tree.
  static let treeBytes = 8 + 5 * wordBytes
  /// The number that a tree without pages has for its root.
  static let noPage = UInt.max

  /// The number that data files and lock tables begin with.
  static let magic: UInt32 = 0xBEEF_C0DE

  /// The size of the largest pages that the C library writes.
  static let mostPageBytes = 32_768
  /// The size of the smallest pages on which there is room for the longest keys.
  static let leastPageBytes = 1_024

  private static let version: UInt32 = 1
  private static let metaFlag: UInt16 = 0x08

  let pageBytes: Int
  let freeRoot: UInt
  let namesRoot: UInt
  /// How many named trees there are.
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

  /// Where the descriptions of the two trees begin.
  static let treesOffset = headerBytes + 8 + 2 * wordBytes
  /// Where the number of the root page stands in the description of a tree.
  static let rootOffset = 8 + 4 * wordBytes

  /// Whether the magic number stands where another word size puts it, or is written backward.
  private static func isOfOtherMachine(_ bytes: [UInt8]) -> Bool {
    [12, 16].contains { offset in
      let number = bytes.number(at: offset, UInt32.self)
      return number == magic || number == magic.byteSwapped
    }
  }
}

extension [UInt8] {
  /// The number at an offset, in the machine's byte order; nil when it does not lie inside.
  func number<N: FixedWidthInteger & BitwiseCopyable>(at offset: Int, _ type: N.Type) -> N? {
    guard offset >= 0, offset + MemoryLayout<N>.size <= count else { return nil }
    // Safety: the bounds are checked, and every bit pattern is a number.
    return unsafe withUnsafeBytes {
      unsafe $0.loadUnaligned(fromByteOffset: offset, as: N.self)
    }
  }
}
