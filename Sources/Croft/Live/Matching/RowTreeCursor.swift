/// A walk over a tree in order, which can pass over whole nodes.
struct RowTreeCursor {
  /// The node that the walk is in; nil at the end.
  private(set) var node: RowNode?
  /// The place in it of what comes next, which is there.
  private(set) var place = 0
  /// How many rows were passed.
  private(set) var rank = 0
  /// The nodes above, each with the place of the one below.
  private var path: [(node: RowNode, place: Int)] = []

  /// Starts at a rank.
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

  /// Moves within the node, or out of it where it ends.
  mutating func move(to place: Int, passing rows: Int) {
    rank += rows
    self.place = place
    while let node, self.place == node.width {
      let above = path.popLast()
      self.node = above?.node
      self.place = (above?.place ?? -1) + 1
    }
  }

  /// Goes into the child that comes next.
  mutating func enter() {
    guard let node else { return }
    path.append((node, place))
    self.node = node.children[place].node
    place = 0
  }

  /// The next row, wherever it is.
  mutating func nextPlace() -> RowDifferences.Place? {
    while let node {
      guard node.isLeaf else {
        enter()
        continue
      }
      let next = RowDifferences.Place(rank: rank, row: node.entries[place].row)
      move(to: place + 1, passing: 1)
      return next
    }
    return nil
  }
}
