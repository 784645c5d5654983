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
    var left = RowTreeCursor(old)
    var right = RowTreeCursor(new)
    while let own = left.node, let other = right.node {
      if own.isLeaf, other.isLeaf {
        compare(own, other, old.order, &left, &right)
      } else if own.height == other.height {
        pass(own, other, &left, &right)
      } else if own.height > other.height {
        // The taller one goes down first, so that shared nodes meet at one height.
        left.enter()
      } else {
        right.enter()
      }
    }
    while let place = left.nextPlace() { removed.append(place) }
    while let place = right.nextPlace() { added.append(place) }
  }

  /// Passes over the children that two nodes share, and enters the first that they do not.
  private mutating func pass(
    _ own: RowNode, _ other: RowNode, _ left: inout RowTreeCursor, _ right: inout RowTreeCursor
  ) {
    var (place, otherPlace, count) = (left.place, right.place, 0)
    let (end, otherEnd) = (own.children.count, other.children.count)
    while place < end, otherPlace < otherEnd,
      own.children[place].node === other.children[otherPlace].node
    {
      count += own.children[place].count
      place += 1
      otherPlace += 1
      steps += 1
    }
    steps += 1
    left.move(to: place, passing: count)
    right.move(to: otherPlace, passing: count)
    if place < end, otherPlace < otherEnd {
      left.enter()
      right.enter()
    }
  }

  /// Compares the rows of two leaves, until one of them ends.
  private mutating func compare(
    _ own: RowNode, _ other: RowNode, _ order: StoredRow.Order, _ left: inout RowTreeCursor,
    _ right: inout RowTreeCursor
  ) {
    var (place, otherPlace) = (left.place, right.place)
    let (rank, otherRank) = (left.rank - place, right.rank - otherPlace)
    while place < own.entries.count, otherPlace < other.entries.count {
      steps += 1
      if own.entries[place].row.isIdentical(to: other.entries[otherPlace].row) {
        place += 1
        otherPlace += 1
        continue
      }
      let (entry, otherEntry) = (own.entries[place], other.entries[otherPlace])
      let result = entry.compare(otherEntry, order)
      let old = Place(rank: rank + place, row: entry.row)
      let new = Place(rank: otherRank + otherPlace, row: otherEntry.row)
      if result < 0 {
        removed.append(old)
      } else if result > 0 {
        added.append(new)
      } else {
        replaced.append((old, new))
      }
      if result <= 0 { place += 1 }
      if result >= 0 { otherPlace += 1 }
    }
    left.move(to: place, passing: place - left.place)
    right.move(to: otherPlace, passing: otherPlace - right.place)
  }
}
