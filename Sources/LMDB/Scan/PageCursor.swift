/// A position in a tree of one commit, read from its pages.
///
/// A move that meets a damaged page returns ``LMDBError/Code/corrupted``: the path from the root has
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
    case .to:
      let key = unsafe row.pointee
      code = unsafe seek(key.buffer)
      if code == 0, let found = unsafe self.key(ahead: 0),
        unsafe order.order(found.buffer, key.buffer) != 0
      {
        return Self.notFound
      }
    case .current: code = levels.isEmpty ? LMDBError.Code.invalidArgument.rawValue : 0
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

  /// Descends to a leaf, by the row of each page that a closure chooses.
  private mutating func descend(_ index: (Page) -> Int) -> Int32 {
    while levels.count < tree.record.depth {
      let above = levels.last
      let page =
        above.map { tree.child($0.index, of: $0.page, depth: levels.count) }
        ?? tree.page(tree.record.root, depth: 0)
      guard let page else {
        levels.removeAll(keepingCapacity: true)
        return Self.corrupted
      }
      levels.append(Level(page: page, index: index(page)))
    }
    return 0
  }

  /// Moves to the first row whose key is not less.
  private mutating func seek(_ key: UnsafeRawBufferPointer) -> Int32 {
    guard tree.record.depth > 0 else { return Self.notFound }
    if unsafe !isOnPage(key) {
      levels.removeAll(keepingCapacity: true)
      while levels.count < tree.record.depth - 1 {
        let depth = levels.count
        let page =
          levels.last.map { tree.child($0.index, of: $0.page, depth: depth) }
          ?? tree.page(tree.record.root, depth: 0)
        guard let page, let index = unsafe tree.branch(for: key, on: page) else {
          return fail()
        }
        levels.append(Level(page: page, index: index))
      }
      guard descend({ _ in 0 }) == 0 else { return fail() }
    }
    let last = levels.count - 1
    guard let found = unsafe tree.leaf(for: key, on: levels[last].page) else { return fail() }
    if found.index < levels[last].page.count {
      levels[last].index = found.index
      return 0
    }
    levels[last].index = found.index - 1
    return turnPage(.forward)
  }

  private mutating func fail() -> Int32 {
    levels.removeAll(keepingCapacity: true)
    return Self.corrupted
  }

  /// Whether the first row that is not less than a key is on the current leaf.
  private func isOnPage(_ key: UnsafeRawBufferPointer) -> Bool {
    guard levels.count == tree.record.depth, let page = levels.last?.page,
      let first = unsafe page.key(0), let last = unsafe page.key(page.count - 1)
    else { return false }
    return unsafe order.order(first, key) <= 0 && order.order(key, last) <= 0
  }
}
