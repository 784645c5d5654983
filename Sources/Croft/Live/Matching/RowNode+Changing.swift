// A change makes new nodes on its way to a row, and shares all others.

extension RowNode {
  /// A node with one row more, or another one in the place of the row with its code.
  ///
  /// - Returns: The node, what did not fit into it (its upper half), and the row that was replaced.
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

  /// A node without the row with a code.
  ///
  /// - Returns: The node, which may have too few rows or none, and the row; nil where there is
  ///   none.
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

  /// Makes one child of a node with too few rows and its neighbour, or two of one size.
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

  /// One leaf, or two where the rows do not fit into one.
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

  /// One inner node, or two where the children do not fit into one.
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
