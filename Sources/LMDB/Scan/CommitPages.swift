internal import Synchronization

/// The pages of one commit, which its meta page refers to.
///
/// Threads: that of its reader; a snapshot's is only read by several, after its trees were looked up.
@safe struct CommitPages {
  let map: PageMap
  /// The number of the commit; nil before one was loaded.
  private(set) var version: Int?
  private(set) var lastPage: UInt = 0
  private var free: TreeRecord?
  private var names: TreeRecord?
  /// The trees looked up so far, by the indexes of their databases.
  private var trees: [LookUp] = []

  private struct LookUp {
    /// The serial number of the database; 0 before any was looked up.
    var serial: UInt32
    /// The record of the tree; nil where the commit has no such tree.
    var record: TreeRecord?
  }

  init(_ map: PageMap) { self.map = map }

  /// The list of free pages: the numbers of commits, with the pages that each has freed.
  var freeTree: PageTree? { free.map(tree) }

  /// The tree of names.
  var namesTree: PageTree? { names.map(tree) }

  /// Reads the meta page of a commit; false where another commit has overwritten it, or it is damaged.
  ///
  /// The second commit after its own overwrites a meta page. When none has followed, it cannot be
  /// overwritten; else it is read twice, and must not differ.
  mutating func load(_ version: Int) -> Bool {
    if self.version == version { return true }
    self.version = nil
    for index in trees.indices { trees[index].serial = 0 }
    guard let first = meta(version), isLast(version) || meta(version) == first else {
      return false
    }
    (lastPage, free, names) = (first.lastPage, first.free, first.names)
    self.version = version
    return true
  }

  /// Whether the commit's meta page is valid and has something else than what was read from it.
  var isChanged: Bool {
    guard let version, let free, let names, let meta = meta(version) else { return false }
    return meta != Meta(lastPage: lastPage, free: free, names: names)
  }

  /// The tree of a database; nil where the commit has none, or the database is void.
  ///
  /// - Throws: ``LMDBError/Code/corrupted``.
  @inline(__always)
  mutating func tree(
    of database: Database, in databases: DatabaseTable
  ) throws(LMDBError) -> PageTree? {
    let index = Int(database.index)
    if index < trees.count, trees[index].serial == database.serial {
      return trees[index].record.map(tree)
    }
    return try lookUp(database, in: databases).map(tree)
  }

  /// The tree of a database without caching it, for threads that share this value.
  func sharedTree(
    of database: Database, in databases: DatabaseTable
  ) throws(LMDBError) -> PageTree? {
    let index = Int(database.index)
    if index < trees.count, trees[index].serial == database.serial {
      return trees[index].record.map(tree)
    }
    return try record(of: database, in: databases).map(tree)
  }

  /// The record of the tree of a name; nil where the commit has no such tree.
  ///
  /// - Throws: ``LMDBError/Code/incompatible`` where the name is not of a tree, or of a tree of an
  ///   unsupported kind, and ``LMDBError/Code/corrupted``.
  func record(of name: String) throws(LMDBError) -> TreeRecord? {
    guard let names = namesTree else { throw PageTree.damage }
    // Safety: the name outlives the call; the record is copied out of the map.
    return unsafe try name.utf8Span.span.bytes.withUnsafeBytes { bytes throws(LMDBError) in
      guard let (row, isTree) = unsafe try names.row(of: bytes) else { return nil }
      guard isTree else { throw LMDBError(.openDatabase, .incompatible, name) }
      guard row.count == MetaPage.treeBytes, let start = row.baseAddress else {
        throw Self.damagedRecord
      }
      guard unsafe TreeRecord.isSupported(start) else {
        throw LMDBError(.openDatabase, .incompatible, name)
      }
      guard let record = unsafe TreeRecord(start) else { throw Self.damagedRecord }
      return record
    }
  }

  private static var damagedRecord: LMDBError {
    LMDBError(.get, .corrupted, "the record of a tree")
  }

  /// A tree of the commit.
  func tree(_ record: TreeRecord) -> PageTree {
    PageTree(map, lastPage: lastPage, record)
  }

  @inline(never)
  private mutating func lookUp(
    _ database: Database, in databases: DatabaseTable
  ) throws(LMDBError) -> TreeRecord? {
    let record = try record(of: database, in: databases)
    let index = Int(database.index)
    guard databases.holds(database) else { return record }
    while trees.count <= index { trees.append(LookUp(serial: 0)) }
    trees[index] = LookUp(serial: database.serial, record: record)
    return record
  }

  private func record(
    of database: Database, in databases: DatabaseTable
  ) throws(LMDBError) -> TreeRecord? {
    guard let name = databases.name(of: database) else { return nil }
    do throws(LMDBError) {
      return try record(of: name)
    } catch {
      // When the database was obtained, it was of a supported kind.
      throw error.code == .incompatible ? Self.damagedRecord : error
    }
  }

  private struct Meta: Equatable {
    let lastPage: UInt
    let free: TreeRecord
    let names: TreeRecord
  }

  /// The contents of a commit's meta page; nil where it is another commit's.
  private func meta(_ version: Int) -> Meta? {
    guard let page = unsafe map.address(of: UInt(version & 1)) else { return nil }
    atomicMemoryFence(ordering: .acquiring)
    // Safety: the meta pages are in the map, with the layout that `MetaPage` describes.
    let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: page, count: MetaPage.byteCount))
    atomicMemoryFence(ordering: .acquiring)
    // An invalid meta page is being overwritten by another commit, or damaged.
    guard let meta = try? MetaPage(bytes, of: ""), meta.transaction == UInt(version),
      meta.pageBytes == map.pageBytes
    else { return nil }
    return unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let free = unsafe TreeRecord(start + MetaPage.treesOffset, isOfFreePages: true),
        let names = unsafe TreeRecord(start + MetaPage.treesOffset + MetaPage.treeBytes)
      else { return nil }
      return Meta(lastPage: meta.lastPage, free: free, names: names)
    }
  }

  /// Whether the meta pages are those of two commits, one after the other, each in its place.
  ///
  /// Commits write them in turn. Both of a new file have the number 0.
  static func hasMetaPagesInOrder(_ map: PageMap) -> Bool {
    func version(ofMetaPage number: UInt) -> UInt? {
      guard let page = unsafe map.address(of: number),
        // Safety: the meta pages are in the map, with the layout that `MetaPage` describes.
        unsafe page.load(as: UInt.self) == number
      else { return nil }
      return unsafe page.loadUnaligned(
        fromByteOffset: MetaPage.byteCount - MetaPage.wordBytes, as: UInt.self)
    }
    guard let even = version(ofMetaPage: 0), let odd = version(ofMetaPage: 1) else { return false }
    if even == 0, odd == 0 { return true }
    return even & 1 == 0 && odd & 1 == 1 && max(even, odd) - min(even, odd) == 1
  }

  /// Whether no later commit was complete when this was called.
  private func isLast(_ version: Int) -> Bool {
    guard let page = unsafe map.address(of: UInt(~version & 1)) else { return false }
    // Safety: as for the page itself; the number is at its end.
    let other = unsafe page.loadUnaligned(
      fromByteOffset: MetaPage.byteCount - MetaPage.wordBytes, as: UInt.self)
    return other <= UInt(version)
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

/// A second mapping of the data file, through which read transactions read its pages.
///
/// The C library does not reveal the address of its own mapping. Both share the pages of the system's
/// cache; only address space is used twice.
///
/// Threads: any. It is `@unchecked` because of the address, which changes only while this process has
/// no transaction.
@safe final class PageMap: @unchecked Sendable {
  private let file: DataFile
  var path: String { file.path }
  /// The size of a page.
  let pageBytes: Int
  private var start: UnsafeRawPointer?
  private(set) var byteCount = 0
  private var pageCount: UInt = 0
  /// The file is at least that long; the size is read again for a page past it.
  private let fileBytes = Atomic<Int>(0)

  init(_ file: DataFile, pageBytes: Int) {
    self.file = file
    self.pageBytes = pageBytes
    unsafe start = nil
  }

  deinit { unmap() }

  /// Maps so many bytes of the file, at any address; false when the system refuses.
  func map(_ bytes: Int) -> Bool {
    unmap()
    guard let mapped = unsafe file.map(bytes) else { return false }
    unsafe start = mapped
    byteCount = bytes
    pageCount = UInt(bytes / pageBytes)
    return true
  }

  /// Unmaps the file.
  func unmap() {
    // Safety: mapped here, with this size; no transaction reads it any more.
    if let start = unsafe start { unsafe file.unmap(start, byteCount) }
    unsafe start = nil
    byteCount = 0
    pageCount = 0
  }

  /// The address of a page and those after it; nil where the file or the map ends before their end.
  @inline(__always)
  func address(of number: UInt, count: UInt = 1) -> UnsafeRawPointer? {
    let (last, isPast) = number.addingReportingOverflow(count)
    guard !isPast, last <= pageCount, let start = unsafe start else { return nil }
    let end = Int(last) &* pageBytes
    guard end <= fileBytes.load(ordering: .relaxed) || isInFile(end) else { return nil }
    // Safety: the page is in the map and in the file.
    return unsafe start + Int(number) &* pageBytes
  }

  private func isInFile(_ end: Int) -> Bool {
    // When the size of the file cannot be read, the page counts as missing.
    guard let size = try? file.size else { return false }
    fileBytes.store(size, ordering: .relaxed)
    return end <= size
  }
}
