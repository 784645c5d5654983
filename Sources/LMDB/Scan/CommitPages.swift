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
  /// - Throws: ``LMDBError/Code/incompatible`` where it is no tree, or of a kind that is not
  ///   supported, and ``LMDBError/Code/corrupted``.
  func record(of name: String) throws(LMDBError) -> TreeRecord? {
    guard let names = namesTree else { throw PageTree.damage }
    // Safety: the name outlives the call; the record is copied out of the map.
    return unsafe try name.utf8Span.span.bytes.withUnsafeBytes { bytes throws(LMDBError) in
      guard let (row, isTree) = unsafe try names.row(of: bytes) else { return nil }
      guard isTree else { throw LMDBError(.openDatabase, .incompatible, name) }
      guard row.count == MetaPage.treeBytes, let start = row.baseAddress else {
        throw Self.damagedRecord
      }
      guard unsafe TreeRecord.order(start) != nil else {
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
    PageTree(map: map, lastPage: lastPage, record: record)
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
    guard let tree = databases.tree(of: database) else { return nil }
    let record: TreeRecord?
    do throws(LMDBError) {
      record = try self.record(of: tree.name)
    } catch {
      // When the database was obtained, it was of a supported kind.
      throw error.code == .incompatible ? Self.damagedRecord : error
    }
    guard let record else { return nil }
    guard record.order == KeyComparison(tree.order) else { throw Self.damagedRecord }
    return record
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
    // A page that is no valid meta page is being overwritten by another commit, or damaged.
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

/// A second mapping of the data file, through which read transactions read its pages.
///
/// The C library does not reveal the address of its own mapping. Both share the pages of the system's
/// cache; only address space is used twice.
///
/// Threads: any. It is `@unchecked` because of the address, which changes only while this process has
/// no transaction.
@safe final class PageMap: @unchecked Sendable {
  private let file: DataFile
  /// The size of a page.
  let pageBytes: Int
  private var start: UnsafeRawPointer?
  private(set) var byteCount = 0
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
    return true
  }

  /// Unmaps the file.
  func unmap() {
    // Safety: mapped here, with this size; no transaction reads it any more.
    if let start = unsafe start { unsafe file.unmap(start, byteCount) }
    unsafe start = nil
    byteCount = 0
  }

  /// The address of a page and those after it; nil where the file or the map ends before their end.
  @inline(__always)
  func address(of number: UInt, count: UInt = 1) -> UnsafeRawPointer? {
    let (last, isPast) = number.addingReportingOverflow(count)
    guard !isPast, last <= UInt(Int.max / pageBytes), let start = unsafe start else { return nil }
    let end = Int(last) &* pageBytes
    guard end <= byteCount, end <= fileBytes.load(ordering: .relaxed) || isInFile(end) else {
      return nil
    }
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
