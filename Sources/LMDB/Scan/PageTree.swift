/// A tree of one commit, read from its pages.
///
/// It finds rows like `mdb_get`, except that a damaged page is an error and does not end the process.
@safe struct PageTree {
  let map: PageMap
  /// The last page that the commit knows.
  let lastPage: UInt
  let record: TreeRecord

  var order: KeyComparison { record.order }

  /// A page of the tree; at the last depth it must be a leaf.
  @inline(__always)
  func page(_ number: UInt, depth: Int) -> Page? {
    guard number > 1, number <= lastPage, let start = unsafe map.address(of: number) else {
      return nil
    }
    return unsafe Page(
      start, number: number, byteCount: map.pageBytes, isLeaf: depth == record.depth &- 1)
  }

  /// The page below a row of a branch.
  @inline(__always)
  func child(_ index: Int, of page: Page, depth: Int) -> Page? {
    guard let number = page.child(index) else { return nil }
    return self.page(number, depth: depth)
  }

  /// The index of the row in a branch whose subtree may contain a key.
  @inline(__always)
  func branch(for key: UnsafeRawBufferPointer, on page: Page) -> Int? {
    // The first row's key is not read: its subtree has all keys before the second's.
    var (low, high) = (1, page.count)
    while low < high {
      let middle = (low &+ high) &>> 1
      guard let found = unsafe page.key(middle) else { return nil }
      if unsafe order.order(found, key) <= 0 { low = middle &+ 1 } else { high = middle }
    }
    return low &- 1
  }

  /// The index of the first row on a leaf whose key is not less, and whether it is equal.
  @inline(__always)
  func leaf(
    for key: UnsafeRawBufferPointer, on page: Page
  ) -> (index: Int, isSame: Bool)? {
    var (low, high) = (0, page.count)
    while low < high {
      let middle = (low &+ high) &>> 1
      guard let found = unsafe page.key(middle) else { return nil }
      let comparison = unsafe order.order(found, key)
      if comparison == 0 { return (middle, true) }
      if comparison < 0 { low = middle &+ 1 } else { high = middle }
    }
    return (low, false)
  }

  /// The value of a row; nil where it is neither on the page nor on valid pages of its own.
  @inline(__always)
  func value(_ index: Int, on page: Page) -> UnsafeRawBufferPointer? {
    guard let offset = page.rowStart(index) else { return nil }
    let header = page.header(at: offset)
    let start = offset &+ Page.rowHeaderBytes &+ header.key
    guard header.flags & ~Page.RowHeader.tree == 0 else {
      return unsafe longValue(header, at: start, on: page)
    }
    guard start &+ header.value <= page.byteCount else { return nil }
    // Safety: the value is on the page.
    return unsafe UnsafeRawBufferPointer(start: page.start + start, count: header.value)
  }

  private func longValue(
    _ header: Page.RowHeader, at offset: Int, on page: Page
  ) -> UnsafeRawBufferPointer? {
    guard header.flags == Page.RowHeader.longValue, offset + MetaPage.wordBytes <= page.byteCount
    else {
      return nil
    }
    // Safety: the number of the first page is on the page.
    let number = unsafe page.start.loadUnaligned(fromByteOffset: offset, as: UInt.self)
    guard let (start, pages) = unsafe longValue(number),
      MetaPage.headerBytes + header.value <= Int(pages) * page.byteCount
    else { return nil }
    // Safety: so many pages have room for the value.
    return unsafe UnsafeRawBufferPointer(
      start: start + MetaPage.headerBytes, count: header.value)
  }

  /// The pages of a long value, by the number of the first.
  func longValue(_ number: UInt) -> (start: UnsafeRawPointer, pages: UInt)? {
    guard number > 1, number <= lastPage, let start = unsafe map.address(of: number) else {
      return nil
    }
    // Safety: the header is on the page.
    let found = unsafe start.load(as: UInt.self)
    let flags = unsafe start.load(fromByteOffset: Page.listStart - 6, as: UInt16.self)
    let pages = UInt(unsafe start.load(fromByteOffset: Page.listStart - 4, as: UInt32.self))
    guard found == number, flags == Page.overflowFlag, pages > 0, pages <= lastPage,
      number + pages - 1 <= lastPage, unsafe map.address(of: number, count: pages) != nil
    else { return nil }
    return unsafe (start, pages)
  }

  /// The value of a key; nil when there is no such key.
  ///
  /// - Throws: ``LMDBError/Code/corrupted`` where a page on the path from the root is damaged.
  @inline(__always)
  func value(of key: UnsafeRawBufferPointer) throws(LMDBError) -> UnsafeRawBufferPointer? {
    guard let (page, index) = unsafe try find(key) else { return nil }
    guard let value = unsafe value(index, on: page) else { throw Self.damage }
    return unsafe value
  }

  /// The value of a key, and whether it is the record of a tree; nil when there is no such key.
  func row(
    of key: UnsafeRawBufferPointer
  ) throws(LMDBError) -> (value: UnsafeRawBufferPointer, isTree: Bool)? {
    guard let (page, index) = unsafe try find(key) else { return nil }
    guard let value = unsafe value(index, on: page), let offset = page.rowStart(index) else {
      throw Self.damage
    }
    return unsafe (value, page.header(at: offset).flags == Page.RowHeader.tree)
  }

  /// The leaf of a key, and the index of its row.
  @inline(__always)
  private func find(
    _ key: UnsafeRawBufferPointer
  ) throws(LMDBError) -> (page: Page, index: Int)? {
    guard record.depth > 0 else { return nil }
    guard var page = page(record.root, depth: 0) else { throw Self.damage }
    for depth in 1..<record.depth {
      guard let index = unsafe branch(for: key, on: page),
        let next = child(index, of: page, depth: depth)
      else { throw Self.damage }
      page = next
    }
    guard let (index, isSame) = unsafe leaf(for: key, on: page) else { throw Self.damage }
    return isSame ? (page, index) : nil
  }

  static var damage: LMDBError { LMDBError(.get, .corrupted, "a page of a tree") }
}

/// The record of a tree in the file: its size and its root page.
struct TreeRecord: Equatable {
  /// The deepest tree that the C library reads.
  static let deepest = 32

  let order: KeyComparison
  let depth: Int
  let branchPages: UInt
  let leafPages: UInt
  let overflowPages: UInt
  let entries: UInt
  let root: UInt

  /// The order of a tree's keys, by its record; nil where it is of a kind that is not supported.
  static func order(_ start: UnsafeRawPointer) -> Database.KeyOrder? {
    // Safety: the caller passes a whole record.
    Database.KeyOrder(
      flags: UInt32(unsafe start.loadUnaligned(fromByteOffset: 4, as: UInt16.self)))
  }

  /// Reads a record; nil where it is inconsistent, or of a kind that is not supported.
  ///
  /// - Parameters:
  ///   - start: As many bytes as a record has.
  ///   - isOfFreePages: Whether it is the list of free pages, whose keys are numbers.
  init?(_ start: UnsafeRawPointer, isOfFreePages: Bool = false) {
    // Safety: the caller passes a whole record, which need not be aligned.
    func word(_ index: Int) -> UInt {
      unsafe start.loadUnaligned(fromByteOffset: 8 + index * MetaPage.wordBytes, as: UInt.self)
    }
    if isOfFreePages {
      // Its flags are the same in every file: keys are numbers, and each has one value.
      // Safety: as above.
      let flags = unsafe start.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
      guard flags & 0x7E == 0x08 else { return nil }
      order = .numbers
    } else {
      guard let order = unsafe Self.order(start) else { return nil }
      self.order = KeyComparison(order)
    }
    depth = Int(unsafe start.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
    branchPages = word(0)
    leafPages = word(1)
    overflowPages = word(2)
    entries = word(3)
    root = word(4)
    guard depth <= Self.deepest, (depth == 0) == (root == MetaPage.noPage),
      (depth == 0) == (entries == 0), entries <= UInt(Int.max)
    else { return nil }
  }
}
