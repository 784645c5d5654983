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
      // Safety: the row is kept, and the caller lends the code.
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

    /// A node with rows.
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
      // Safety: the node keeps the row, and the caller lends the code.
      return unsafe ByteList.compare(first.code(in: order), probe.code)
    }
  }

  /// A code to search for, lent by the caller.
  @safe
  struct Probe {
    let prefix: UInt64
    let code: UnsafeRawBufferPointer

    init(_ code: UnsafeRawBufferPointer) {
      prefix = unsafe ByteList.prefix(code)
      unsafe self.code = code
    }
  }

  /// Makes a leaf.
  init(_ entries: ContiguousArray<Entry> = []) {
    self.entries = entries
    children = []
    count = entries.count
    height = 0
  }

  /// Makes an inner node.
  ///
  /// - Parameter count: The children's rows.
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
}

extension RowNode {
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
