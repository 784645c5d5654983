/// A tree of one commit, read from its pages and no further than they go.
///
/// It does what `mdb_get` does, except that a damaged page is an error and not the process's end.
@safe struct PageTree {
  let map: PageMap
  /// The last page that the commit knows.
  let lastPage: UInt
  let record: TreeRecord

  var order: KeyComparison { record.order }

  /// A page of the tree, at a depth that tells whether it must be a leaf.
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
  func child(_ place: Int, of page: Page, depth: Int) -> Page? {
    guard let number = page.child(place) else { return nil }
    return self.page(number, depth: depth)
  }

  /// The place of the row in a branch below which a key would stand.
  @inline(__always)
  func branch(for key: UnsafeRawBufferPointer, on page: Page) -> Int? {
    // The first row's key is not looked at: it leads to all keys before the second's.
    var (low, high) = (1, page.count)
    while low < high {
      let middle = (low &+ high) &>> 1
      guard let found = unsafe page.key(middle) else { return nil }
      if unsafe order.order(found, key) <= 0 { low = middle &+ 1 } else { high = middle }
    }
    return low &- 1
  }

  /// The place of the first row on a leaf whose key is not less, and whether it is the same.
  @inline(__always)
  func leaf(
    for key: UnsafeRawBufferPointer, on page: Page
  ) -> (place: Int, isSame: Bool)? {
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

  /// The value of a row; nil where it does not lie on the page, or on good pages of its own.
  @inline(__always)
  func value(_ place: Int, on page: Page) -> UnsafeRawBufferPointer? {
    guard let offset = page.rowStart(place) else { return nil }
    let header = page.header(at: offset)
    let start = offset &+ Page.rowHeaderBytes &+ header.key
    guard header.flags & ~RowHeader.tree == 0 else {
      return unsafe longValue(header, at: start, on: page)
    }
    guard start &+ header.value <= page.byteCount else { return nil }
    // Safety: the value lies on the page.
    return unsafe UnsafeRawBufferPointer(start: page.start + start, count: header.value)
  }

  private func longValue(
    _ header: RowHeader, at offset: Int, on page: Page
  ) -> UnsafeRawBufferPointer? {
    guard header.flags == RowHeader.longValue, offset + MetaPage.wordBytes <= page.byteCount else {
      return nil
    }
    // Safety: the number of the first page lies on the page.
    let number = unsafe page.start.loadUnaligned(fromByteOffset: offset, as: UInt.self)
    guard let (start, pages) = unsafe longValue(number),
      MetaPage.headerBytes + header.value <= Int(pages) * page.byteCount
    else { return nil }
    // Safety: the value lies on as many pages.
    return unsafe UnsafeRawBufferPointer(
      start: start + MetaPage.headerBytes, count: header.value)
  }

  /// The pages of a long value that begin with one.
  func longValue(_ number: UInt) -> (start: UnsafeRawPointer, pages: UInt)? {
    guard number > 1, number <= lastPage, let start = unsafe map.address(of: number) else {
      return nil
    }
    // Safety: the header lies on the page.
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
  /// - Throws: ``LMDBError/Code/corrupted`` where a page on the way is damaged.
  @inline(__always)
  func value(of key: UnsafeRawBufferPointer) throws(LMDBError) -> UnsafeRawBufferPointer? {
    guard let (page, place) = unsafe try find(key) else { return nil }
    guard let value = unsafe value(place, on: page) else { throw Self.damage }
    return unsafe value
  }

  /// The value of a key, and whether it is the record of a tree; nil when there is no such key.
  func row(
    of key: UnsafeRawBufferPointer
  ) throws(LMDBError) -> (value: UnsafeRawBufferPointer, isTree: Bool)? {
    guard let (page, place) = unsafe try find(key) else { return nil }
    guard let value = unsafe value(place, on: page), let offset = page.rowStart(place) else {
      throw Self.damage
    }
    return unsafe (value, page.header(at: offset).flags == RowHeader.tree)
  }

  /// The leaf and the place on it where a key stands.
  @inline(__always)
  private func find(
    _ key: UnsafeRawBufferPointer
  ) throws(LMDBError) -> (page: Page, place: Int)? {
    guard record.depth > 0 else { return nil }
    guard var page = page(record.root, depth: 0) else { throw Self.damage }
    for depth in 1..<record.depth {
      guard let place = unsafe branch(for: key, on: page),
        let next = child(place, of: page, depth: depth)
      else { throw Self.damage }
      page = next
    }
    guard let (place, isSame) = unsafe leaf(for: key, on: page) else { throw Self.damage }
    return isSame ? (page, place) : nil
  }

  static var damage: LMDBError { LMDBError(.get, .corrupted, "a page of a tree") }
}
