internal import Synchronization

/// The pages of one commit, as its front page leads to them.
///
/// Confined to its reader, except for what a snapshot has looked up before it is shared.
@safe struct CommitPages {
  let map: PageMap
  /// The number of the commit; nil before one was looked at.
  private(set) var version: Int?
  private(set) var lastPage: UInt = 0
  private var free: TreeRecord?
  private var names: TreeRecord?
  /// The trees looked up so far, by the places of their databases.
  private var trees: [LookUp] = []

  private struct LookUp {
    /// The serial number of the database; 0 before any was looked up.
    var serial: UInt32
    /// What was found; nil where the commit has no such tree.
    var record: TreeRecord?
  }

  init(_ map: PageMap) { self.map = map }

  /// The list of free pages: numbers of commits to the pages that they have freed.
  var freeTree: PageTree? { free.map(tree) }

  /// The tree of names.
  var namesTree: PageTree? { names.map(tree) }

  /// Looks at a commit; false where its front page is another commit's already, or damaged.
  ///
  /// A front page is written anew by the second commit after its own. While none has followed, it
  /// stays as it is; else it is read twice, and must not differ.
  mutating func look(at version: Int) -> Bool {
    if self.version == version { return true }
    self.version = nil
    for place in trees.indices { trees[place].serial = 0 }
    guard let first = front(version), isLast(version) || front(version) == first else {
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
    let place = Int(database.place)
    if place < trees.count, trees[place].serial == database.serial {
      return trees[place].record.map(tree)
    }
    return try lookUp(database, in: databases).map(tree)
  }

  /// The tree of a database, as before but without keeping it, for those who share this.
  func sharedTree(
    of database: Database, in databases: DatabaseTable
  ) throws(LMDBError) -> PageTree? {
    let place = Int(database.place)
    if place < trees.count, trees[place].serial == database.serial {
      return trees[place].record.map(tree)
    }
    return try record(of: database, in: databases).map(tree)
  }

  /// The record of the tree of a name; nil where the commit has no such tree.
  ///
  /// - Throws: ``LMDBError/Code/incompatible`` where it is no tree, or one of a kind that is not
  ///   offered, and ``LMDBError/Code/corrupted``.
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
    let place = Int(database.place)
    guard databases.holds(database) else { return record }
    while trees.count <= place { trees.append(LookUp(serial: 0)) }
    trees[place] = LookUp(serial: database.serial, record: record)
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
      // When the database was obtained, it was one that is offered.
      throw error.code == .incompatible ? Self.damagedRecord : error
    }
    guard let record else { return nil }
    guard record.order == KeyComparison(tree.order) else { throw Self.damagedRecord }
    return record
  }

  private struct Front: Equatable {
    let lastPage: UInt
    let free: TreeRecord
    let names: TreeRecord
  }

  /// What the front page of a commit says; nil where it is another's.
  private func front(_ version: Int) -> Front? {
    guard let page = unsafe map.address(of: UInt(version & 1)) else { return nil }
    atomicMemoryFence(ordering: .acquiring)
    // Safety: the front pages lie in the map, and hold what `MetaPage` describes.
    let bytes = unsafe [UInt8](UnsafeRawBufferPointer(start: page, count: MetaPage.byteCount))
    atomicMemoryFence(ordering: .acquiring)
    // What is no front page is that of no commit.
    guard let meta = try? MetaPage(bytes, of: ""), meta.transaction == UInt(version),
      meta.pageBytes == map.pageBytes
    else { return nil }
    return unsafe bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress,
        let free = unsafe TreeRecord(start + MetaPage.treesOffset, isOfFreePages: true),
        let names = unsafe TreeRecord(start + MetaPage.treesOffset + MetaPage.treeBytes)
      else { return nil }
      return Front(lastPage: meta.lastPage, free: free, names: names)
    }
  }

  /// Whether the front pages are those of two commits, one after the other, each in its place.
  ///
  /// Commits write them in turn. Both of a new file have the number 0.
  static func hasFrontPagesInOrder(_ map: PageMap) -> Bool {
    func number(_ place: UInt) -> UInt? {
      guard let page = unsafe map.address(of: place),
        // Safety: the front pages lie in the map, and hold what `MetaPage` describes.
        unsafe page.load(as: UInt.self) == place
      else { return nil }
      return unsafe page.loadUnaligned(
        fromByteOffset: MetaPage.byteCount - MetaPage.wordBytes, as: UInt.self)
    }
    guard let even = number(0), let odd = number(1) else { return false }
    if even == 0, odd == 0 { return true }
    return even & 1 == 0 && odd & 1 == 1 && max(even, odd) - min(even, odd) == 1
  }

  /// Whether no later commit was complete when this was asked.
  private func isLast(_ version: Int) -> Bool {
    guard let page = unsafe map.address(of: UInt(~version & 1)) else { return false }
    // Safety: as for the page itself; the number stands at its end.
    let other = unsafe page.loadUnaligned(
      fromByteOffset: MetaPage.byteCount - MetaPage.wordBytes, as: UInt.self)
    return other <= UInt(version)
  }
}
