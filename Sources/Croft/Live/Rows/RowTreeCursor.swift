/// A row and its rank in a version.
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

  /// Enters the next child.
  mutating func enter() {
    guard let node else { return }
    path.append((node, place))
    self.node = node.children[place].node
    place = 0
  }

  /// The next row; nil at the end.
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
