/// Where two versions of a tree differ.
///
/// Both are walked side by side, and what they share is passed over unseen. So after *c* changes
/// among *n* rows a walk takes O(*c* log *n*) steps, however many commits lie between.
struct RowDifferences {
  /// A row and how many come before it in its version.
  struct Place {
    let rank: Int
    let row: StoredRow
  }

  /// The rows whose codes the later version lacks, ascending.
  private(set) var removed: [Place] = []
  /// The rows whose codes the earlier version lacks, ascending.
  private(set) var added: [Place] = []
  /// The rows with one code that are not the same copy, ascending.
  private(set) var replaced: [(old: Place, new: Place)] = []
  /// How many nodes and rows were looked at.
  private(set) var steps = 0

  /// Compares two versions.
  init(from old: RowTree, to new: RowTree) {
    var left = RowWalk(old)
    var right = RowWalk(new)
    while let own = left.next, let other = right.next {
      steps += 1
      switch (own, other) {
      case (.node(let node), .node(let otherNode)):
        if node === otherNode {
          left.pass()
          right.pass()
        } else {
          // The taller one goes down first, so that shared nodes meet at one height.
          if node.height >= otherNode.height { left.enter() }
          if otherNode.height >= node.height { right.enter() }
        }
      case (.node, .entry): left.enter()
      case (.entry, .node): right.enter()
      case (.entry(let entry), .entry(let otherEntry)):
        compare(entry, otherEntry, old.order, &left, &right)
      }
    }
    while let place = left.nextPlace() { removed.append(place) }
    while let place = right.nextPlace() { added.append(place) }
  }

  private mutating func compare(
    _ entry: RowNode.Entry, _ other: RowNode.Entry, _ order: StoredRow.Order,
    _ left: inout RowWalk, _ right: inout RowWalk
  ) {
    if entry.row.isIdentical(to: other.row) {
      left.pass()
      right.pass()
      return
    }
    let result = entry.compare(other, order)
    if result < 0 {
      removed.append(Place(rank: left.rank, row: entry.row))
      left.pass()
    } else if result > 0 {
      added.append(Place(rank: right.rank, row: other.row))
      right.pass()
    } else {
      let old = Place(rank: left.rank, row: entry.row)
      replaced.append((old, Place(rank: right.rank, row: other.row)))
      left.pass()
      right.pass()
    }
  }
}

/// A walk over a tree in order, which can pass over whole nodes.
private struct RowWalk {
  enum Next {
    case node(RowNode)
    case entry(RowNode.Entry)
  }

  /// The nodes that the walk is in, each with the place in it.
  private var path: [(node: RowNode, place: Int)] = []
  private var root: RowNode?
  /// How many rows were passed.
  private(set) var rank = 0

  init(_ tree: RowTree) { root = tree.count == 0 ? nil : tree.root }

  /// What comes next: a node that was not entered, or a row.
  var next: Next? {
    if let root { return .node(root) }
    guard let (node, place) = path.last else { return nil }
    return node.isLeaf ? .entry(node.entries[place]) : .node(node.children[place].node)
  }

  /// Passes over what comes next.
  mutating func pass() {
    if let root {
      rank += root.count
      self.root = nil
      return
    }
    guard let (node, place) = path.last else { return }
    rank += node.isLeaf ? 1 : node.children[place].count
    advance()
  }

  /// Goes into the node that comes next.
  mutating func enter() {
    if let root {
      path.append((root, 0))
      self.root = nil
    } else if let (node, place) = path.last {
      path.append((node.children[place].node, 0))
    }
  }

  /// The next row, wherever it is.
  mutating func nextPlace() -> RowDifferences.Place? {
    while let next {
      switch next {
      case .node: enter()
      case .entry(let entry):
        let place = RowDifferences.Place(rank: rank, row: entry.row)
        pass()
        return place
      }
    }
    return nil
  }

  private mutating func advance() {
    while let (node, place) = path.last {
      if place + 1 < node.width {
        path[path.count - 1].place = place + 1
        return
      }
      path.removeLast()
    }
  }
}
