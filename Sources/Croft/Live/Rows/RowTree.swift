/// Rows in an order, as a persistent B+ tree: a version shares most nodes with the one before.
///
/// Each node counts the rows below it, so a row is found by its code and by its rank. A change
/// copies the nodes on the path to a row and shares all others.
struct RowTree: Sendable {
  /// Which of their codes orders the rows.
  let order: StoredRow.Order
  private(set) var root = RowNode()

  /// Makes an empty tree.
  init(_ order: StoredRow.Order) { self.order = order }

  /// How many rows there are.
  var count: Int { root.count }

  /// The row of a rank.
  ///
  /// - Complexity: O(log *n*).
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

  /// How many rows come before a code, and the row with that code, if there is one.
  ///
  /// - Complexity: O(log *n*).
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

  /// Adds a row; one with the same code is replaced.
  ///
  /// - Returns: The row that was replaced.
  /// - Complexity: O(log *n*).
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

  /// Removes the row with the same code as a row.
  ///
  /// - Returns: The row that was removed.
  /// - Complexity: O(log *n*).
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

  /// Calls the body with the rows of a range of ranks, ascending.
  ///
  /// - Complexity: O(log *n*) and the rows of the range.
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
  /// Makes a tree of rows that ascend by their codes.
  ///
  /// - Complexity: O(*n*).
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
  ///
  /// - Complexity: O(*n* log *n*).
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
