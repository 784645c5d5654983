/// A place in a tree of one commit, read from its pages.
///
/// A damaged page ends each move with ``LMDBError/Code/corrupted``: the way down is as long as the
/// tree's record says, and no page is believed before it is checked.
@safe struct PageCursor: RowCursor {
  /// A page on the way from the root to a row, and the row that was taken there.
  private struct Level {
    var page: Page
    var place: Int
  }

  private static let corrupted = LMDBError.Code.corrupted.rawValue
  private static let notFound = LMDBError.Code.notFound.rawValue

  private let tree: PageTree
  /// From the root to the leaf; empty while the cursor stands nowhere.
  private var levels: ContiguousArray<Level> = []

  init(_ tree: PageTree) {
    self.tree = tree
    levels.reserveCapacity(tree.record.depth)
  }

  var order: KeyComparison { tree.order }
  var treeCount: Int? { Int(tree.record.entries) }

  mutating func get(into row: UnsafeMutablePointer<Bytes>, _ move: CursorHandle.Move) -> Int32 {
    #if DEBUG || CROFT_SWARM
      if let code = FaultPlan.strike(in: #function) { return code }
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
    return leaf.page.count - 1 - leaf.place
  }

  mutating func readPage(
    _ rows: UnsafeMutablePointer<Bytes>, room: Int, _ direction: Direction
  ) -> Int {
    guard let leaf = levels.last else { return 0 }
    // Safety: the caller's memory has room for so many rows, a key and a value each.
    let read: Int
    switch direction {
    case .forward:
      read = unsafe leaf.page.read(
        rows, from: leaf.place + 1, by: 1, count: min(room, leaf.page.count - 1 - leaf.place))
      levels[levels.count - 1].place += read
    case .backward:
      read = unsafe leaf.page.read(
        rows, from: leaf.place - 1, by: -1, count: min(room, leaf.place))
      levels[levels.count - 1].place -= read
    }
    return read
  }

  func key(ahead count: Int) -> Bytes? {
    guard let leaf = levels.last, let key = unsafe leaf.page.key(leaf.place + count) else {
      return nil
    }
    return unsafe Bytes(key)
  }

  mutating func skip(_ count: Int) { levels[levels.count - 1].place += count }

  /// Writes the row that the cursor stands on.
  @inline(__always)
  private func read(into row: UnsafeMutablePointer<Bytes>) -> Int32 {
    let leaf = levels[levels.count &- 1]
    guard let key = unsafe leaf.page.key(leaf.place),
      let value = unsafe tree.value(leaf.place, on: leaf.page)
    else { return Self.corrupted }
    // Safety: the caller's memory holds a key and, after it, a value.
    unsafe row.pointee = Bytes(key)
    unsafe (row + 1).pointee = Bytes(value)
    return 0
  }

  /// Goes one row on, to another leaf where this one ends.
  @inline(__always)
  private mutating func step(_ direction: Direction) -> Int32 {
    let last = levels.count &- 1
    let place = levels[last].place &+ (direction == .forward ? 1 : -1)
    if place >= 0, place < levels[last].page.count {
      levels[last].place = place
      return 0
    }
    return turnPage(direction)
  }

  @inline(never)
  private mutating func turnPage(_ direction: Direction) -> Int32 {
    let step = direction == .forward ? 1 : -1
    guard
      let level = levels.indices.dropLast().last(where: {
        (0..<levels[$0].page.count).contains(levels[$0].place + step)
      })
    else { return Self.notFound }
    levels[level].place += step
    levels.removeSubrange((level + 1)...)
    return descend { direction == .forward ? 0 : $0.count - 1 }
  }

  private mutating func goToEnd(_ direction: Direction) -> Int32 {
    guard tree.record.depth > 0 else { return Self.notFound }
    levels.removeAll(keepingCapacity: true)
    return descend { direction == .forward ? 0 : $0.count - 1 }
  }

  /// Goes on down to a leaf, and to the place on each page that a closure chooses.
  private mutating func descend(_ place: (Page) -> Int) -> Int32 {
    while levels.count < tree.record.depth {
      let above = levels.last
      let page =
        above.map { tree.child($0.place, of: $0.page, depth: levels.count) }
        ?? tree.page(tree.record.root, depth: 0)
      guard let page else {
        levels.removeAll(keepingCapacity: true)
        return Self.corrupted
      }
      levels.append(Level(page: page, place: place(page)))
    }
    return 0
  }

  /// Goes to the first row whose key is not less.
  private mutating func seek(_ key: UnsafeRawBufferPointer) -> Int32 {
    guard tree.record.depth > 0 else { return Self.notFound }
    if unsafe !isOnPage(key) {
      levels.removeAll(keepingCapacity: true)
      while levels.count < tree.record.depth - 1 {
        let depth = levels.count
        let page =
          levels.last.map { tree.child($0.place, of: $0.page, depth: depth) }
          ?? tree.page(tree.record.root, depth: 0)
        guard let page, let place = unsafe tree.branch(for: key, on: page) else {
          return fail()
        }
        levels.append(Level(page: page, place: place))
      }
      guard descend({ _ in 0 }) == 0 else { return fail() }
    }
    let last = levels.count - 1
    guard let found = unsafe tree.leaf(for: key, on: levels[last].page) else { return fail() }
    if found.place < levels[last].page.count {
      levels[last].place = found.place
      return 0
    }
    levels[last].place = found.place - 1
    return turnPage(.forward)
  }

  private mutating func fail() -> Int32 {
    levels.removeAll(keepingCapacity: true)
    return Self.corrupted
  }

  /// Whether the first row that is not less than a key lies on the present leaf.
  private func isOnPage(_ key: UnsafeRawBufferPointer) -> Bool {
    guard levels.count == tree.record.depth, let page = levels.last?.page,
      let first = unsafe page.key(0), let last = unsafe page.key(page.count - 1)
    else { return false }
    return unsafe order.order(first, key) <= 0 && order.order(key, last) <= 0
  }
}
