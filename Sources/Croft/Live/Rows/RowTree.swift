/// Rows in an order, as a persistent B+ tree: a version shares most nodes with the one before.
///
/// Each node counts the rows below it, so a row is found by its code and by its rank. A change
/// copies the nodes on the path to a row and shares all others.
struct RowTree: Sendable {
  /// Which of their codes orders the rows.
  let order: StoredRow.Order
  private(set) var root = RowNode()

  init(_ order: StoredRow.Order) { self.order = order }

  var count: Int { root.count }

  /// The row of a rank, found in O(log *n*).
  subscript(rank: Int) -> StoredRow {
    precondition(rank >= 0 && rank < count, "A rank is below the number of rows.")
    var node = root
    var rest = rank
    while !node.isLeaf {
      var place = 0
      while rest >= node.children[place].count {
        rest -= node.children[place].count
        place += 1
      }
      node = node.children[place].node
    }
    return node.entries[rest].row
  }

  /// How many rows come before a code, and the row with that code, if any, in O(log *n*).
  func find(_ code: UnsafeRawBufferPointer) -> (rank: Int, row: StoredRow?) {
    let probe = unsafe RowNode.Probe(code)
    var node = root
    var rank = 0
    while !node.isLeaf {
      let place = node.child(for: probe, order)
      for before in 0..<place { rank += node.children[before].count }
      node = node.children[place].node
    }
    let (place, isFound) = node.search(probe, order)
    return (rank + place, isFound ? node.entries[place].row : nil)
  }

  /// The rank of another version's row, and the row with the same code, if there is one.
  func find(_ row: StoredRow) -> (rank: Int, row: StoredRow?) {
    // Safety: the row is kept during the call.
    withExtendedLifetime(row) { unsafe find(row.code(in: order)) }
  }

  /// Adds a row in O(log *n*); one with the same code is replaced.
  @discardableResult
  mutating func insert(_ row: StoredRow) -> StoredRow? {
    // Safety: the row is kept during the call.
    withExtendedLifetime(row) {
      let probe = unsafe RowNode.Probe(row.code(in: order))
      let result = root.inserting(RowNode.Entry(row, order), probe, order)
      root = result.node
      if let split = result.split {
        root = RowNode(
          [RowNode.Child(root), RowNode.Child(split)], count: root.count + split.count)
      }
      return result.replaced
    }
  }

  /// Removes the row with the same code as a row, in O(log *n*).
  @discardableResult
  mutating func remove(_ row: StoredRow) -> StoredRow? {
    // Safety: the row is kept during the call.
    let removed = withExtendedLifetime(row) {
      unsafe root.removing(RowNode.Probe(row.code(in: order)), order)
    }
    guard let removed else { return nil }
    root = removed.node
    while root.children.count == 1 { root = root.children[0].node }
    return removed.removed
  }

  /// Calls the body with the rows of a range of ranks, ascending; the first is found in O(log *n*).
  func forEach(in ranks: Range<Int>, _ body: (StoredRow) throws -> Void) rethrows {
    try root.forEach(in: ranks, body)
  }

  /// The rows, ascending.
  var rows: [StoredRow] {
    var rows: [StoredRow] = []
    rows.reserveCapacity(count)
    forEach(in: 0..<count) { rows.append($0) }
    return rows
  }
}

extension RowTree {
  /// Makes a tree of rows that ascend by their codes, in O(*n*).
  init(sorted rows: [StoredRow], by order: StoredRow.Order) {
    self.init(order)
    var nodes = Self.chunks(rows.count).map { range in
      RowNode(ContiguousArray(rows[range].lazy.map { RowNode.Entry($0, order) }))
    }
    while nodes.count > 1 {
      nodes = Self.chunks(nodes.count).map { range in
        let children = ContiguousArray(nodes[range].lazy.map { RowNode.Child($0) })
        return RowNode(children, count: children.reduce(0) { $0 + $1.count })
      }
    }
    if let root = nodes.first { self.root = root }
  }

  /// Makes a tree of rows in any order; of rows with one code, the last counts.
  init(_ rows: [StoredRow], by order: StoredRow.Order) {
    var entries = rows.enumerated().map { place, row in
      (place: place, entry: RowNode.Entry(row, order))
    }
    entries.sort { left, right in
      let result = left.entry.compare(right.entry, order)
      return result == 0 ? left.place < right.place : result < 0
    }
    var sorted: [StoredRow] = []
    sorted.reserveCapacity(entries.count)
    for (place, entry) in entries.enumerated() {
      if place + 1 < entries.count, entry.entry.compare(entries[place + 1].entry, order) == 0 {
        continue
      }
      sorted.append(entry.entry.row)
    }
    self.init(sorted: sorted, by: order)
  }

  /// Ranges of almost equal size, each for a node with room for a few more rows.
  private static func chunks(_ count: Int) -> [Range<Int>] {
    let fill = RowNode.capacity * 3 / 4
    let parts = (count + fill - 1) / fill
    return (0..<parts).map { count * $0 / parts..<count * ($0 + 1) / parts }
  }
}

/// A node of a ``RowTree``, which never changes: a leaf with rows, or an inner node with children.
final class RowNode: Sendable {
  /// The most entries of a leaf, and the most children of an inner node.
  static var capacity: Int { Threshold.entriesPerNode.value }
  /// The least number of entries or children; a node with fewer is joined with a neighbour.
  static var least: Int { capacity * 3 / 8 }

  /// The rows of a leaf.
  let entries: ContiguousArray<Entry>
  /// The children of an inner node.
  let children: ContiguousArray<Child>
  /// How many rows the subtree has.
  let count: Int
  /// How many levels are below.
  let height: Int

  /// A row with the first bytes of its code, which decide most comparisons.
  struct Entry: Sendable {
    let prefix: UInt64
    let row: StoredRow

    init(_ row: StoredRow, _ order: StoredRow.Order) {
      // Safety: the row is kept.
      prefix = unsafe ByteList.prefix(row.code(in: order))
      self.row = row
    }

    /// Negative, zero or positive: whether this row's code is less, equal or greater.
    @inline(__always)
    func compare(_ other: RowNode.Entry, _ order: StoredRow.Order) -> Int {
      if prefix != other.prefix { return prefix < other.prefix ? -1 : 1 }
      // Safety: both rows are kept.
      return unsafe ByteList.compare(row.code(in: order), other.row.code(in: order))
    }

    @inline(__always)
    fileprivate func compare(_ probe: RowNode.Probe, _ order: StoredRow.Order) -> Int {
      if prefix != probe.prefix { return prefix < probe.prefix ? -1 : 1 }
      // Safety: the row is kept, and the code is valid during the call.
      return unsafe ByteList.compare(row.code(in: order), probe.code)
    }
  }

  /// A child with what searches read most; a copy of it retains one object.
  struct Child: Sendable {
    let node: RowNode
    /// How many rows it has.
    let count: Int
    /// The first bytes of its first row's code.
    let prefix: UInt64
    /// Its first row, which the node keeps.
    let first: StoredRow.Unretained

    init(_ node: RowNode) {
      self.node = node
      count = node.count
      if node.isLeaf {
        prefix = node.entries[0].prefix
        first = StoredRow.Unretained(node.entries[0].row)
      } else {
        prefix = node.children[0].prefix
        first = node.children[0].first
      }
    }

    @inline(__always)
    fileprivate func compare(_ probe: RowNode.Probe, _ order: StoredRow.Order) -> Int {
      if prefix != probe.prefix { return prefix < probe.prefix ? -1 : 1 }
      // Safety: the node keeps the row, and the code is valid during the call.
      return unsafe ByteList.compare(first.code(in: order), probe.code)
    }
  }

  /// A code to search for, borrowed from the caller.
  @safe
  struct Probe {
    let prefix: UInt64
    let code: UnsafeRawBufferPointer

    init(_ code: UnsafeRawBufferPointer) {
      prefix = unsafe ByteList.prefix(code)
      unsafe self.code = code
    }
  }

  init(_ entries: ContiguousArray<Entry> = []) {
    self.entries = entries
    children = []
    count = entries.count
    height = 0
  }

  init(_ children: ContiguousArray<Child>, count: Int) {
    entries = []
    self.children = children
    self.count = count
    height = children[0].node.height + 1
  }

  var isLeaf: Bool { height == 0 }
  /// How many entries or children there are.
  var width: Int { isLeaf ? entries.count : children.count }

  func forEach(in ranks: Range<Int>, _ body: (StoredRow) throws -> Void) rethrows {
    if isLeaf {
      for place in ranks { try body(entries[place].row) }
      return
    }
    var start = 0
    for child in children where start < ranks.upperBound {
      let end = start + child.count
      if end > ranks.lowerBound {
        let inside = max(ranks.lowerBound, start) - start..<min(ranks.upperBound, end) - start
        try child.node.forEach(in: inside, body)
      }
      start = end
    }
  }

  /// The place of a leaf's first entry that is not less than a code, and whether it is equal.
  func search(_ probe: Probe, _ order: StoredRow.Order) -> (place: Int, isFound: Bool) {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low &+ high) / 2
      let result = entries[middle].compare(probe, order)
      if result == 0 { return (middle, true) }
      if result < 0 { low = middle &+ 1 } else { high = middle }
    }
    return (low, false)
  }

  /// The place of the child for a code.
  func child(for probe: Probe, _ order: StoredRow.Order) -> Int {
    // The last child whose first row is not greater than the code, or else the first child.
    var (low, high) = (1, children.count)
    while low < high {
      let middle = (low &+ high) / 2
      let result = children[middle].compare(probe, order)
      if result <= 0 { low = middle &+ 1 } else { high = middle }
    }
    return low &- 1
  }

  /// A copy of the node with one more row, or with the row of the same code replaced.
  ///
  /// - Returns: The node, its upper half where it was split, and the row that was replaced.
  func inserting(
    _ entry: Entry, _ probe: Probe, _ order: StoredRow.Order
  ) -> (node: RowNode, split: RowNode?, replaced: StoredRow?) {
    if isLeaf {
      let (place, isFound) = search(probe, order)
      var entries = entries
      if isFound {
        let replaced = entries[place].row
        entries[place] = entry
        return (RowNode(entries), nil, replaced)
      }
      entries.insert(entry, at: place)
      let (node, split) = Self.nodes(entries)
      return (node, split, nil)
    }
    let place = child(for: probe, order)
    let result = children[place].node.inserting(entry, probe, order)
    var children = children
    children[place] = Child(result.node)
    if let split = result.split { children.insert(Child(split), at: place + 1) }
    let (node, split) = Self.nodes(children, count: count + (result.replaced == nil ? 1 : 0))
    return (node, split, result.replaced)
  }

  /// A copy of the node without the row of a code.
  ///
  /// - Returns: The node, which may have too few rows, and the row; nil where there is no such row.
  func removing(_ probe: Probe, _ order: StoredRow.Order) -> (node: RowNode, removed: StoredRow)? {
    if isLeaf {
      let (place, isFound) = search(probe, order)
      guard isFound else { return nil }
      var entries = entries
      let removed = entries.remove(at: place).row
      return (RowNode(entries), removed)
    }
    let place = child(for: probe, order)
    guard let (node, removed) = children[place].node.removing(probe, order) else { return nil }
    var children = children
    if node.width >= Self.least {
      children[place] = Child(node)
    } else {
      Self.join(node, at: place, in: &children)
    }
    return (RowNode(children, count: count - 1), removed)
  }

  /// Joins a node with too few rows and its neighbour, or shares their rows evenly.
  private static func join(
    _ node: RowNode, at place: Int, in children: inout ContiguousArray<Child>
  ) {
    CoverageMark.hit(.nodesJoined)
    let first = place == 0 ? 0 : place - 1
    let left = place == 0 ? node : children[first].node
    let right = place == 0 ? children[1].node : node
    let (joined, upper) =
      node.isLeaf
      ? nodes(left.entries + right.entries)
      : nodes(left.children + right.children, count: left.count + right.count)
    children[first] = Child(joined)
    if let upper {
      children[first + 1] = Child(upper)
    } else {
      children.remove(at: first + 1)
    }
  }

  /// A leaf, or two where the rows do not fit into one.
  private static func nodes(
    _ entries: ContiguousArray<Entry>
  ) -> (node: RowNode, upper: RowNode?) {
    guard entries.count > capacity else { return (RowNode(entries), nil) }
    CoverageMark.hit(.nodeSplit)
    let middle = entries.count / 2
    return (
      RowNode(ContiguousArray(entries[..<middle])), RowNode(ContiguousArray(entries[middle...]))
    )
  }

  /// An inner node, or two where the children do not fit into one.
  private static func nodes(
    _ children: ContiguousArray<Child>, count: Int
  ) -> (node: RowNode, upper: RowNode?) {
    guard children.count > capacity else { return (RowNode(children, count: count), nil) }
    let middle = children.count / 2
    let lower = ContiguousArray(children[..<middle])
    let lowerCount = lower.reduce(0) { $0 + $1.count }
    return (
      RowNode(lower, count: lowerCount),
      RowNode(ContiguousArray(children[middle...]), count: count - lowerCount)
    )
  }
}

struct RankedRow {
  let rank: Int
  let row: StoredRow
}

/// A cursor over the rows of a tree in order, which can skip whole nodes.
struct RowTreeCursor {
  /// The current node; nil at the end.
  private(set) var node: RowNode?
  /// The place of the next entry or child in the node.
  private(set) var place = 0
  /// How many rows are before the cursor.
  private(set) var rank = 0
  /// The ancestors, each with the place of the child on the path.
  private var path: [(node: RowNode, place: Int)] = []

  /// Places the cursor before the row of a rank.
  init(_ tree: RowTree, at rank: Int = 0) {
    guard rank < tree.count else { return }
    self.rank = rank
    var (node, rest) = (tree.root, rank)
    while !node.isLeaf, rest > 0 {
      var place = 0
      while rest >= node.children[place].count {
        rest -= node.children[place].count
        place += 1
      }
      path.append((node, place))
      node = node.children[place].node
    }
    self.node = node
    place = rest
  }

  /// Moves within the node, or to the next one where the node ends.
  mutating func move(to place: Int, passing rows: Int) {
    rank += rows
    self.place = place
    while let node, self.place == node.width {
      let above = path.popLast()
      self.node = above?.node
      self.place = (above?.place ?? -1) + 1
    }
  }

  mutating func enter() {
    guard let node else { return }
    path.append((node, place))
    self.node = node.children[place].node
    place = 0
  }

  mutating func next() -> RankedRow? {
    while let node {
      guard node.isLeaf else {
        enter()
        continue
      }
      let next = RankedRow(rank: rank, row: node.entries[place].row)
      move(to: place + 1, passing: 1)
      return next
    }
    return nil
  }
}
