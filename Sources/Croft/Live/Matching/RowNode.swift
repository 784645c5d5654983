/// A node of a ``RowTree``, which never changes: a leaf with rows, or an inner node with children.
final class RowNode: Sendable {
  /// The most entries of a leaf, and the most children of an inner node.
  static var capacity: Int { Threshold.entriesPerNode.value }
  /// Fewer than so many are made up from a neighbour.
  static var least: Int { capacity * 3 / 8 }

  /// A leaf's rows.
  let entries: ContiguousArray<Entry>
  /// An inner node's children.
  let children: ContiguousArray<Child>
  /// How many rows there are below.
  let count: Int
  /// How many nodes lie below on the way to a row.
  let height: Int

  /// A row with the first bytes of its code, by which most comparisons are decided.
  struct Entry: Sendable {
    let prefix: UInt64
    let row: StoredRow
  }

  /// A node below another one, with what is asked of it most: copying it counts one reference.
  struct Child: Sendable {
    let node: RowNode
    /// How many rows it has.
    let count: Int
    /// The first bytes of its first row's code.
    let prefix: UInt64
    /// Its first row, which the node keeps.
    let first: StoredRow.Unretained
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

// Searching.

extension RowNode.Entry {
  init(_ row: StoredRow, _ order: StoredRow.Order) {
    // Safety: the row is kept.
    prefix = unsafe KeySort.prefix(row.code(in: order))
    self.row = row
  }

  /// Negative, zero or positive, as this row's code stands to another one's.
  @inline(__always)
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

extension RowNode.Child {
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
    return unsafe KeySort.compare(first.code(in: order), probe.code)
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
      let result = children[middle].compare(probe, order)
      if result <= 0 { low = middle &+ 1 } else { high = middle }
    }
    return low &- 1
  }
}
