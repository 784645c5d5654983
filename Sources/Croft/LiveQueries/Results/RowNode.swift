/// A node of a ``RowTree``: a leaf with rows, or an inner node with children.
///
/// `@unchecked Sendable`: a node is changed only while one tree alone holds it, which
/// `isKnownUniquelyReferenced` finds out, as for the buffer of an array.
final class RowNode: @unchecked Sendable {
  /// The most entries of a leaf, and the most children of an inner node.
  static let capacity = 32
  /// Fewer than so many are made up from a neighbour.
  static let least = 12

  /// A leaf's rows.
  ///
  /// Changed only by the one tree that holds the node.
  fileprivate(set) var entries: ContiguousArray<Entry>
  /// An inner node's children.
  ///
  /// Changed only by the one tree that holds the node.
  fileprivate(set) var children: ContiguousArray<Child>
  /// How many rows there are below.
  ///
  /// Changed only by the one tree that holds the node.
  fileprivate(set) var count: Int

  /// A row with the first bytes of its code, by which most comparisons are decided.
  struct Entry {
    let prefix: UInt64
    let row: StoredRow
  }

  /// A node below another one.
  struct Child {
    fileprivate(set) var node: RowNode
    /// How many rows it has.
    fileprivate(set) var count: Int
    /// Its first row.
    fileprivate(set) var first: Entry

    fileprivate init(_ node: RowNode) {
      self.node = node
      count = node.count
      first = node.first
    }
  }

  /// A code to look for, lent by the caller.
  @safe
  struct Probe {
    let prefix: UInt64
    let code: UnsafeRawBufferPointer

    init(_ code: UnsafeRawBufferPointer) {
      prefix = unsafe KeySort.prefix(code)
      unsafe self.code = code
    }
  }

  /// Makes a leaf.
  init(_ entries: some Sequence<Entry> = EmptyCollection()) {
    self.entries = ContiguousArray(entries)
    children = []
    count = self.entries.count
  }

  /// Makes an inner node.
  init(_ nodes: [RowNode]) {
    entries = []
    children = ContiguousArray(nodes.map { Child($0) })
    count = children.reduce(0) { $0 + $1.count }
  }

  private init(copying node: RowNode) {
    entries = node.entries
    children = node.children
    count = node.count
  }

  var isLeaf: Bool { children.isEmpty }
  /// How many nodes lie below on the way to a row.
  var height: Int { isLeaf ? 0 : 1 + children[0].node.height }
  /// How many entries or children there are.
  var width: Int { isLeaf ? entries.count : children.count }
  private var first: Entry { isLeaf ? entries[0] : children[0].first }

  /// Makes a place's node one that nobody else holds.
  fileprivate static func claim(_ node: inout RowNode) {
    if !isKnownUniquelyReferenced(&node) { node = RowNode(copying: node) }
  }

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

// Searching.

extension RowNode.Entry {
  init(_ row: StoredRow, _ order: StoredRow.Order) {
    // Safety: the row is kept.
    prefix = unsafe KeySort.prefix(row.code(in: order))
    self.row = row
  }

  /// Negative, zero or positive, as this row's code stands to another one's.
  func compare(_ other: RowNode.Entry, _ order: StoredRow.Order) -> Int {
    if prefix != other.prefix { return prefix < other.prefix ? -1 : 1 }
    // Safety: both rows are kept.
    return unsafe KeySort.compare(row.code(in: order), other.row.code(in: order))
  }

  @inline(__always)
  fileprivate func compare(_ probe: RowNode.Probe, _ order: StoredRow.Order) -> Int {
    if prefix != probe.prefix { return prefix < probe.prefix ? -1 : 1 }
    // Safety: the row is kept, and the caller lends the code.
    return unsafe KeySort.compare(row.code(in: order), probe.code)
  }
}

extension RowNode {
  /// The place in a leaf of the first entry that is not before a code, and whether it has it.
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

  /// The place of the child that has a code, or would have it.
  func child(for probe: Probe, _ order: StoredRow.Order) -> Int {
    // The last child whose first row is not behind the code; before all, the first.
    var (low, high) = (1, children.count)
    while low < high {
      let middle = (low &+ high) / 2
      let result = children[middle].first.compare(probe, order)
      if result <= 0 { low = middle &+ 1 } else { high = middle }
    }
    return low &- 1
  }
}

// Changing.

extension RowNode {
  /// Adds an entry, or puts it in the place of one with the same code.
  ///
  /// - Returns: The row that was replaced, and what did not fit into the node: its upper half.
  static func insert(
    _ entry: Entry, into node: inout RowNode, _ order: StoredRow.Order
  ) -> (replaced: StoredRow?, split: RowNode?) {
    claim(&node)
    // Safety: the entry keeps its row during the call.
    let probe = unsafe Probe(entry.row.code(in: order))
    if node.isLeaf {
      let (place, isFound) = node.search(probe, order)
      if isFound {
        let replaced = node.entries[place].row
        node.entries[place] = entry
        return (replaced, nil)
      }
      node.entries.insert(entry, at: place)
      node.count += 1
      return (nil, node.splitIfFull())
    }
    let place = node.child(for: probe, order)
    let result = insert(entry, into: &node.children[place].node, order)
    node.refresh(place)
    if let split = result.split { node.children.insert(Child(split), at: place + 1) }
    if result.replaced == nil { node.count += 1 }
    return (result.replaced, node.splitIfFull())
  }

  /// Removes the entry with a code, which is there.
  static func remove(
    _ probe: Probe, from node: inout RowNode, _ order: StoredRow.Order
  ) -> StoredRow {
    claim(&node)
    node.count -= 1
    if node.isLeaf { return node.entries.remove(at: node.search(probe, order).place).row }
    let place = node.child(for: probe, order)
    let removed = remove(probe, from: &node.children[place].node, order)
    if node.children[place].node.width < least, node.children.count > 1 {
      node.join(max(place - 1, 0))
    } else if node.children[place].node.width > 0 {
      node.refresh(place)
    }
    return removed
  }

  /// Notes what a child has become.
  private func refresh(_ place: Int) {
    let node = children[place].node
    children[place].count = node.count
    children[place].first = node.first
  }

  private func splitIfFull() -> RowNode? {
    guard width > Self.capacity else { return nil }
    let middle = width / 2
    let upper = RowNode()
    if isLeaf {
      upper.entries = ContiguousArray(entries[middle...])
      upper.count = upper.entries.count
      entries.removeSubrange(middle...)
    } else {
      upper.children = ContiguousArray(children[middle...])
      upper.count = upper.children.reduce(0) { $0 + $1.count }
      children.removeSubrange(middle...)
    }
    count -= upper.count
    return upper
  }

  /// Makes one child of two neighbours, or two of one size.
  private func join(_ place: Int) {
    let (left, right) = (children[place].node, children[place + 1].node)
    let joined = RowNode()
    joined.entries = left.entries + right.entries
    joined.children = left.children + right.children
    joined.count = left.count + right.count
    let upper = joined.splitIfFull()
    children[place] = Child(joined)
    if let upper { children[place + 1] = Child(upper) } else { children.remove(at: place + 1) }
  }
}
