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
  /// The trees looked up so far, by their slots.
  private var trees: [Slot] = []

  private enum Slot {
    case unknown
    case absent
    case tree(TreeRecord)
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
    for place in trees.indices { trees[place] = .unknown }
    guard let first = front(version), isLast(version) || front(version) == first else {
      return false
    }
    (lastPage, free, names) = (first.lastPage, first.free, first.names)
    self.version = version
    return true
  }

  /// The tree in a slot; nil where the commit has none of its name.
  ///
  /// - Throws: ``LMDBError/Code/corrupted``.
  @inline(__always)
  mutating func tree(
    in slot: UInt32, of databases: DatabaseTable
  ) throws(LMDBError) -> PageTree? {
    if trees.count > Int(slot) {
      switch trees[Int(slot)] {
      case .tree(let record): return tree(record)
      case .absent: return nil
      case .unknown: break
      }
    }
    let found = try look(up: slot, of: databases)
    while trees.count <= Int(slot) { trees.append(.unknown) }
    trees[Int(slot)] = found.map { .tree($0) } ?? .absent
    return found.map(tree)
  }

  /// The tree in a slot, as before but without keeping it, for those who share this.
  func sharedTree(
    in slot: UInt32, of databases: DatabaseTable
  ) throws(LMDBError) -> PageTree? {
    if trees.count > Int(slot), case .tree(let record) = trees[Int(slot)] { return tree(record) }
    return try look(up: slot, of: databases).map(tree)
  }

  /// The record of a tree by its name.
  func record(named name: [UInt8]) throws(LMDBError) -> UnsafeRawBufferPointer? {
    guard let names = namesTree else { throw PageTree.damage }
    // Safety: the name outlives the call; what is found lies in the map.
    return unsafe try name.span.bytes.withUnsafeBytes { name throws(LMDBError) in
      unsafe try names.value(of: name)
    }
  }

  /// A tree of the commit.
  func tree(_ record: TreeRecord) -> PageTree {
    PageTree(map: map, lastPage: lastPage, record: record)
  }

  @inline(never)
  private func look(
    up slot: UInt32, of databases: DatabaseTable
  ) throws(LMDBError) -> TreeRecord? {
    guard let tree = databases.tree(in: slot), let bytes = unsafe try record(named: tree.name)
    else { return nil }
    // Safety: the record is copied out of the map.
    guard bytes.count == MetaPage.treeBytes, let start = bytes.baseAddress,
      let record = unsafe TreeRecord(start), record.order == tree.order
    else { throw LMDBError(.get, .corrupted, "the record of a tree") }
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
