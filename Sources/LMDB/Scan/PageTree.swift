/// A tree of one commit, read from its pages.
///
/// It finds rows like `mdb_get`, except that a damaged page is an error and does not end the process.
@safe struct PageTree {
  // The commit's pages, which outlive the tree, hold the map: a tree is made for each row read.
  private let map: Unmanaged<PageMap>
  /// The last page that the commit knows.
  let lastPage: UInt
  let record: TreeRecord

  var order: KeyComparison { record.order }
  var pageBytes: Int { unsafe map._withUnsafeGuaranteedRef { $0.pageBytes } }

  init(_ map: PageMap, lastPage: UInt, _ record: TreeRecord) {
    unsafe self.map = .passUnretained(map)
    self.lastPage = lastPage
    self.record = record
  }

  /// The address of a page and those after it; nil where the file or the map ends before their end.
  @inline(__always)
  private func address(of number: UInt, count: UInt = 1) -> UnsafeRawPointer? {
    // Safety: the map outlives the tree.
    unsafe map._withUnsafeGuaranteedRef { unsafe $0.address(of: number, count: count) }
  }

  /// A page of the tree; at the last depth it must be a leaf.
  @inline(__always)
  func page(_ number: UInt, depth: Int) -> Page? {
    guard number > 1, number <= lastPage, let start = unsafe address(of: number) else {
      return nil
    }
    return unsafe Page(
      start, number: number, byteCount: pageBytes, isLeaf: depth == record.depth &- 1)
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
    let word = unsafe order.word(key)
    while low < high {
      let middle = (low &+ high) &>> 1
      guard let found = unsafe page.key(middle) else { return nil }
      if unsafe order.order(found, key, word) <= 0 { low = middle &+ 1 } else { high = middle }
    }
    return low &- 1
  }

  /// The index of the first row on a leaf whose key is not less, and whether it is equal.
  ///
  /// - Parameter bounds: What the first words of the keys on the leaf are not less and not greater than.
  @inline(__always)
  func leaf(
    for key: UnsafeRawBufferPointer, on page: Page, within bounds: Bounds = Bounds()
  ) -> (index: Int, isSame: Bool)? {
    var (low, high) = (0, page.count)
    let word = unsafe order.word(key)
    var middle = bounds.place(of: word, among: page.count)
    while low < high {
      guard let found = unsafe page.key(middle) else { return nil }
      let comparison = unsafe order.order(found, key, word)
      if comparison == 0 { return (middle, true) }
      if comparison < 0 { low = middle &+ 1 } else { high = middle }
      middle = (low &+ high) &>> 1
    }
    return (low, false)
  }

  /// Between which numbers the first words of the keys on a page are, as the branches above it say.
  struct Bounds {
    private var lower = UInt64.min
    private var upper = UInt64.max

    /// Narrows the bounds to those of a row of a branch.
    @inline(__always)
    mutating func narrow(to index: Int, of page: Page, _ order: KeyComparison) {
      // A word of 0 does not tell.
      if index > 0, let key = unsafe page.key(index) { lower = unsafe max(lower, order.word(key)) }
      if index &+ 1 < page.count, let key = unsafe page.key(index &+ 1) {
        upper = unsafe min(upper, order.word(key) &- 1)
      }
    }

    /// The place of a word among others at even distances, such as numbers that count up: the first
    /// row of a page that is read then is most often the one that is sought.
    @inline(__always)
    func place(of word: UInt64, among count: Int) -> Int {
      guard lower > .min, upper < .max, lower <= word, word <= upper else { return count &>> 1 }
      let place = Double(word &- lower) * Double(count) / Double(upper &- lower &+ 1)
      return min(Int(place), count &- 1)
    }
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
    guard number > 1, number <= lastPage, let start = unsafe address(of: number) else {
      return nil
    }
    // Safety: the header is on the page.
    let found = unsafe start.load(as: UInt.self)
    let flags = unsafe start.load(fromByteOffset: Page.listStart - 6, as: UInt16.self)
    let pages = UInt(unsafe start.load(fromByteOffset: Page.listStart - 4, as: UInt32.self))
    guard found == number, flags == Page.overflowFlag, pages > 0, pages <= lastPage,
      number + pages - 1 <= lastPage, unsafe address(of: number, count: pages) != nil
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
    var bounds = Bounds()
    for depth in 1..<record.depth {
      guard let index = unsafe branch(for: key, on: page),
        let next = child(index, of: page, depth: depth)
      else { throw Self.damage }
      bounds.narrow(to: index, of: page, order)
      page = next
    }
    guard let (index, isSame) = unsafe leaf(for: key, on: page, within: bounds) else {
      throw Self.damage
    }
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

  /// Whether a tree is of a supported kind, by its record.
  static func isSupported(_ start: UnsafeRawPointer) -> Bool {
    // Safety: the caller passes a whole record.
    unsafe start.loadUnaligned(fromByteOffset: 4, as: UInt16.self) == 0
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
      guard unsafe Self.isSupported(start) else { return nil }
      order = .plain
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

/// A position in a tree of one commit, read from its pages.
///
/// A move that reads a damaged page returns ``LMDBError/Code/corrupted``: the path from the root has
/// the depth of the tree's record, and every page is checked before it is used.
@safe struct PageCursor: RowCursor {
  /// A page on the path from the root to a row, and the index of the row taken on it.
  private struct Level {
    var page: Page
    var index: Int
  }

  private static let corrupted = LMDBError.Code.corrupted.rawValue
  private static let notFound = LMDBError.Code.notFound.rawValue

  private let tree: PageTree
  /// The path from the root to the leaf; empty while the cursor is on no row.
  private var levels: ContiguousArray<Level> = []

  init(_ tree: PageTree) {
    self.tree = tree
    levels.reserveCapacity(tree.record.depth)
  }

  var order: KeyComparison { tree.order }
  var treeCount: Int? { Int(tree.record.entries) }

  mutating func get(into row: UnsafeMutablePointer<Bytes>, _ move: CursorHandle.Move) -> Int32 {
    #if DEBUG || CROFT_SWARM
      if let code = FaultPlan.failure(in: #function) { return code }
    #endif
    let code: Int32
    switch move {
    case .next: code = levels.isEmpty ? goToEnd(.forward) : step(.forward)
    case .previous: code = levels.isEmpty ? goToEnd(.backward) : step(.backward)
    case .first: code = goToEnd(.forward)
    case .last: code = goToEnd(.backward)
    case .atOrAfter: code = unsafe seek(row.pointee.buffer)
    case .to, .current: preconditionFailure("A scan steps, or seeks the first row of its range.")
    }
    return code == 0 ? unsafe read(into: row) : code
  }

  var restOfPage: Int {
    guard let leaf = levels.last else { return 0 }
    return leaf.page.count - 1 - leaf.index
  }

  mutating func readPage(
    _ rows: UnsafeMutablePointer<Bytes>, room: Int, _ direction: KeyRange.Direction
  ) -> Int {
    guard let leaf = levels.last else { return 0 }
    // Safety: the caller's memory has room for so many rows, a key and a value each.
    let read: Int
    switch direction {
    case .forward:
      read = unsafe leaf.page.read(
        rows, from: leaf.index + 1, by: 1, count: min(room, leaf.page.count - 1 - leaf.index))
      levels[levels.count - 1].index += read
    case .backward:
      read = unsafe leaf.page.read(
        rows, from: leaf.index - 1, by: -1, count: min(room, leaf.index))
      levels[levels.count - 1].index -= read
    }
    return read
  }

  func key(ahead count: Int) -> Bytes? {
    guard let leaf = levels.last, let key = unsafe leaf.page.key(leaf.index + count) else {
      return nil
    }
    return unsafe Bytes(key)
  }

  mutating func skip(_ count: Int) { levels[levels.count - 1].index += count }

  /// Writes the current row's key and value to the caller's memory.
  @inline(__always)
  private func read(into row: UnsafeMutablePointer<Bytes>) -> Int32 {
    let leaf = levels[levels.count &- 1]
    guard let key = unsafe leaf.page.key(leaf.index),
      let value = unsafe tree.value(leaf.index, on: leaf.page)
    else { return Self.corrupted }
    // Safety: the caller's memory holds a key and, after it, a value.
    unsafe row.pointee = Bytes(key)
    unsafe (row + 1).pointee = Bytes(value)
    return 0
  }

  /// Moves to the next row in a direction, on another leaf at the end of this one.
  @inline(__always)
  private mutating func step(_ direction: KeyRange.Direction) -> Int32 {
    let last = levels.count &- 1
    let index = levels[last].index &+ (direction == .forward ? 1 : -1)
    if index >= 0, index < levels[last].page.count {
      levels[last].index = index
      return 0
    }
    return turnPage(direction)
  }

  @inline(never)
  private mutating func turnPage(_ direction: KeyRange.Direction) -> Int32 {
    let step = direction == .forward ? 1 : -1
    guard
      let level = levels.indices.dropLast().last(where: {
        (0..<levels[$0].page.count).contains(levels[$0].index + step)
      })
    else { return Self.notFound }
    levels[level].index += step
    levels.removeSubrange((level + 1)...)
    return descend { direction == .forward ? 0 : $0.count - 1 }
  }

  private mutating func goToEnd(_ direction: KeyRange.Direction) -> Int32 {
    guard tree.record.depth > 0 else { return Self.notFound }
    levels.removeAll(keepingCapacity: true)
    return descend { direction == .forward ? 0 : $0.count - 1 }
  }

  /// Descends to a leaf, by the row of each page that a closure chooses; nil for a damaged page.
  private mutating func descend(_ index: (Page) -> Int?) -> Int32 {
    while levels.count < tree.record.depth {
      let above = levels.last
      let page =
        above.map { tree.child($0.index, of: $0.page, depth: levels.count) }
        ?? tree.page(tree.record.root, depth: 0)
      guard let page, let index = index(page) else {
        levels.removeAll(keepingCapacity: true)
        return Self.corrupted
      }
      levels.append(Level(page: page, index: index))
    }
    return 0
  }

  /// Moves to the first row whose key is not less.
  private mutating func seek(_ key: UnsafeRawBufferPointer) -> Int32 {
    guard tree.record.depth > 0 else { return Self.notFound }
    levels.removeAll(keepingCapacity: true)
    let (tree, leafDepth) = (tree, tree.record.depth - 1)
    let code = descend { page in
      page.isLeaf
        ? unsafe tree.leaf(for: key, on: page)?.index : unsafe tree.branch(for: key, on: page)
    }
    guard code == 0 else { return code }
    if levels[leafDepth].index < levels[leafDepth].page.count { return 0 }
    levels[leafDepth].index -= 1
    return turnPage(.forward)
  }
}

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
  /// The free space has rows that were deleted or replaced, and are still whole.
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

  /// Whether the rows of a leaf ascend by their keys' bytes, and fill the end of it without a gap.
  ///
  /// False also where a key has less than eight bytes, or a value is not on the page.
  var hasSoundRows: Bool {
    var bytes = 0
    var before = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    var known = (UInt64.min, UInt64.max)
    for index in 0..<count {
      guard let offset = rowStart(index) else { return false }
      let header = header(at: offset)
      let rowBytes = Self.rowHeaderBytes &+ header.key &+ header.value
      guard header.flags == 0, header.key >= 8, offset &+ rowBytes <= byteCount else {
        return false
      }
      bytes &+= rowBytes &+ (rowBytes & 1)
      // Safety: the row is on the page.
      let key = unsafe UnsafeRawBufferPointer(
        start: start + (offset &+ Self.rowHeaderBytes), count: header.key)
      // Most keys differ in their first eight bytes, those of an index in the next eight.
      let isLong = header.key >= 16
      let next = unsafe (
        UInt64(bigEndian: key.loadUnaligned(as: UInt64.self)),
        isLong ? UInt64(bigEndian: key.loadUnaligned(fromByteOffset: 8, as: UInt64.self)) : .min
      )
      if next.0 < known.0 || next.0 == known.0 && next.1 <= known.1 {
        guard unsafe KeyComparison.plain.order(before, key) < 0 else { return false }
      }
      known = (next.0, isLong ? next.1 : .max)
      unsafe before = key
    }
    return bytes == byteCount &- rowsStart
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
