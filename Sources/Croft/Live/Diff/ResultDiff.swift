/// The difference of two versions of a query's result, as indices.
///
/// It is made of the two versions alone, however many commits are between them, in three steps:
/// ``RowDifferences`` finds the rows that differ, ``RowMatching`` pairs them by key, and
/// ``MinimalMoves`` finds the fewest moves. For *c* rows that differ among *n* it takes
/// O(*c* log *n*) steps.
struct ResultDiff: Sendable {
  private(set) var deletions: [Int] = []
  private(set) var insertions: [Int] = []
  private(set) var modifications: [Int] = []
  private(set) var modificationsAfter: [Int] = []
  private(set) var moves: [ResultMove<Int>] = []
  /// How many rows, nodes and comparisons it took, for tests.
  private(set) var steps = 0

  init() {}

  /// Compares two versions of one query's result.
  ///
  /// - Parameters:
  ///   - fields: The columns whose changes count as modifications, by their places; nil for all.
  ///   - section: Finds a row's section. A row that changes its section moves, even where its index
  ///     stays. Nil for no sections.
  init(
    from before: ResultRows, to after: ResultRows, fields: [Int]? = nil,
    section: SectionCode? = nil
  ) {
    let differences = RowDifferences(from: before.tree, to: after.tree)
    var rows = RowMatching(before: before, after: after, fields: fields, section: section)
    rows.match(differences)
    rows.matchEdges(shift: max(differences.removed.count, differences.added.count))
    deletions = rows.deletions.sorted()
    insertions = rows.insertions.sorted()
    var minimal = MinimalMoves(
      rows.reordered, deletions: deletions, insertions: insertions, count: before.count)
    moves = minimal.moves(isModified: Set(rows.modified.lazy.map(\.from)))
    modify(rows.modified)
    steps = differences.steps + minimal.steps
  }

  var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && moves.isEmpty
  }

  private mutating func modify(_ modified: [ResultDiff.IndexPair]) {
    if modified.isEmpty { return }
    let moved = Set(moves.lazy.map(\.from))
    for pair in modified.sorted(by: { $0.from < $1.from }) where !moved.contains(pair.from) {
      modifications.append(pair.from)
      modificationsAfter.append(pair.to)
    }
  }

  /// The indices of one row in two versions of a result.
  struct IndexPair {
    let from: Int
    let to: Int
    /// Whether the row must move, because its section changed.
    var isForced = false
  }
}

/// The rows that differ between two versions of a tree.
///
/// Both trees are walked in parallel, and nodes that they share are skipped. So for *c* rows that
/// differ among *n* it takes O(*c* log *n*) steps, however many commits are between them.
struct RowDifferences {
  /// The rows whose codes the later version lacks, ascending.
  private(set) var removed: [RankedRow] = []
  /// The rows whose codes the earlier version lacks, ascending.
  private(set) var added: [RankedRow] = []
  /// The rows with the same code that are different copies, ascending.
  private(set) var replaced: [(old: RankedRow, new: RankedRow)] = []
  /// How many nodes and rows were read.
  private(set) var steps = 0

  init(from old: RowTree, to new: RowTree) {
    var left = RowTreeCursor(old)
    var right = RowTreeCursor(new)
    while let own = left.node, let other = right.node {
      if own.isLeaf, other.isLeaf {
        compare(own, other, old.order, &left, &right)
      } else if own.height == other.height {
        skipShared(own, other, &left, &right)
      } else if own.height > other.height {
        // The taller one descends first, so that shared nodes are compared at one height.
        left.enter()
      } else {
        right.enter()
      }
    }
    while let place = left.next() { removed.append(place) }
    while let place = right.next() { added.append(place) }
  }

  /// Skips the children that two nodes share, and enters the first ones that differ.
  private mutating func skipShared(
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
      let old = RankedRow(rank: rank + place, row: entry.row)
      let new = RankedRow(rank: otherRank + otherPlace, row: otherEntry.row)
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

/// Pairs the rows of two versions of a result by key.
private struct RowMatching {
  /// The indices of rows that only the earlier window has, unordered.
  private(set) var deletions: [Int] = []
  /// The indices of rows that only the later window has, unordered.
  private(set) var insertions: [Int] = []
  /// The rows of both windows whose values differ.
  private(set) var modified: [ResultDiff.IndexPair] = []
  /// The rows of both windows whose codes differ: only their order can have changed.
  private(set) var reordered: [ResultDiff.IndexPair] = []

  let before: ResultRows
  let after: ResultRows
  let fields: [Int]?
  let section: SectionCode?

  /// Pairs the rows that differ between the trees.
  mutating func match(_ differences: RowDifferences) {
    for (old, new) in differences.replaced { add(old, new, isReordered: false) }
    let removed = Self.byKey(differences.removed)
    let added = Self.byKey(differences.added)
    var next = 0
    for old in removed {
      while next < added.count, Self.compareKeys(added[next], old) < 0 {
        add(nil, added[next], isReordered: true)
        next += 1
      }
      if next < added.count, Self.compareKeys(added[next], old) == 0 {
        add(old, added[next], isReordered: true)
        next += 1
      } else {
        add(old, nil, isReordered: true)
      }
    }
    for new in added[next...] { add(nil, new, isReordered: true) }
  }

  /// Adds the rows that are the same but entered or left the window.
  ///
  /// - Parameter shift: By how many ranks a row can have been shifted.
  mutating func matchEdges(shift: Int) {
    if before.window == 0..<before.tree.count, after.window == 0..<after.tree.count { return }
    deletions += Self.edges(of: before, shift, missingIn: after)
    insertions += Self.edges(of: after, shift, missingIn: before)
  }

  /// The indices of the first and last rows that another version has outside its window, each once.
  private static func edges(
    of rows: ResultRows, _ width: Int, missingIn other: ResultRows
  ) -> [Int] {
    let window = rows.window
    let ranks =
      window.count <= width * 2
      ? Array(window) : Array(window.prefix(width)) + window.suffix(width)
    return ranks.filter { rank in
      let row = rows.tree[rank]
      let (place, found) = other.tree.find(row)
      return found?.isIdentical(to: row) == true && !other.window.contains(place)
    }.map { $0 - window.lowerBound }
  }

  private mutating func add(
    _ old: RankedRow?, _ new: RankedRow?, isReordered: Bool
  ) {
    let from = old.flatMap { before.window.contains($0.rank) ? $0.rank : nil }
    let to = new.flatMap { after.window.contains($0.rank) ? $0.rank : nil }
    switch (from, to) {
    case (let from?, let to?): addPair(from, to, old, new, isReordered: isReordered)
    case (let from?, nil): deletions.append(from - before.window.lowerBound)
    case (nil, let to?): insertions.append(to - after.window.lowerBound)
    case (nil, nil): break
    }
  }

  private mutating func addPair(
    _ from: Int, _ to: Int, _ old: RankedRow?, _ new: RankedRow?,
    isReordered: Bool
  ) {
    guard let old = old?.row, let new = new?.row else { return }
    var pair = ResultDiff.IndexPair(
      from: from - before.window.lowerBound, to: to - after.window.lowerBound)
    if isReordered {
      pair.isForced = section.map { !$0.isSame(old, new) } ?? false
      reordered.append(pair)
    }
    let isModified = fields.map { old.differs(from: new, in: $0) } ?? !old.holdsSame(as: new)
    if isModified { modified.append(pair) }
  }

  private static func byKey(_ places: [RankedRow]) -> [RankedRow] {
    places.count < 2 ? places : places.sorted { compareKeys($0, $1) < 0 }
  }

  private static func compareKeys(_ left: RankedRow, _ right: RankedRow) -> Int {
    left.row.compare(right.row, in: .key)
  }
}

extension ResultDiff {
  /// The fewest moves that take the rows of one version of a result to their order in another.
  ///
  /// Rows whose codes did not change have the same order in both versions. They form blocks, which
  /// end only where a row with a changed code is between them. The rows that need no move are the
  /// heaviest ascending subsequence of blocks and rows. Among several of the same weight, the one
  /// that moves more rows with changed codes is taken.
  struct MinimalMoves {
    /// A block of rows with unchanged codes, or one row with a changed one.
    private struct Item {
      /// How many unchanged rows are before it, in the earlier version and in the later.
      let from: Int
      let to: Int
      /// How many unchanged rows it has; 0 for a changed row.
      let count: Int
      /// The changed row.
      var pair: IndexPair?
      /// Its place in the later order.
      var place = 0
    }

    /// How many comparisons were made.
    private(set) var steps = 0
    /// In the earlier order.
    private var items: [Item] = []
    /// The earlier and later indices that no unchanged row has, ascending.
    private let taken: (from: [Int], to: [Int])
    /// How many rows with unchanged codes there are.
    private let unchanged: Int

    /// Splits the rows into blocks.
    ///
    /// - Parameters:
    ///   - changed: The rows that are in both versions with different codes.
    ///   - deletions: The indices that only the earlier version has, ascending.
    ///   - insertions: The indices that only the later version has, ascending.
    ///   - count: How many rows the earlier version has.
    init(_ changed: [IndexPair], deletions: [Int], insertions: [Int], count: Int) {
      unchanged = count - deletions.count - changed.count
      guard !changed.isEmpty else {
        taken = ([], [])
        return
      }
      let from = (deletions + changed.map(\.from)).sorted()
      let to = (insertions + changed.map(\.to)).sorted()
      taken = (from, to)
      var items = changed.map { pair in
        Item(
          from: pair.from - Self.rank(pair.from, in: from),
          to: pair.to - Self.rank(pair.to, in: to), count: 0, pair: pair)
      }
      var start = 0
      for cut in Set(items.flatMap { [$0.from, $0.to] } + [unchanged]).sorted() where cut > start {
        items.append(Item(from: start, to: start, count: cut - start))
        start = cut
      }
      self.items = items
      steps = items.count
    }

    /// The fewest moves, ascending by their new indices.
    ///
    /// - Parameter isModified: The earlier indices of rows whose values changed.
    /// - Complexity: O(*c* log *c*) for *c* rows with changed codes.
    mutating func moves(isModified: Set<Int>) -> [ResultMove<Int>] {
      if items.isEmpty { return [] }
      // Of the same position the changed row comes first, then the block that starts there.
      items.sort {
        ($0.to, $0.count, $0.pair?.to ?? 0) < ($1.to, $1.count, $1.pair?.to ?? 0)
      }
      for place in items.indices { items[place].place = place }
      items.sort {
        ($0.from, $0.count, $0.pair?.from ?? 0) < ($1.from, $1.count, $1.pair?.from ?? 0)
      }
      let isFixed = fixedItems()
      var moves: [ResultMove<Int>] = []
      for (place, item) in items.enumerated() where !isFixed[place] {
        for offset in 0..<max(item.count, 1) {
          let from = item.pair?.from ?? Self.index(item.from + offset, behind: taken.from)
          let to = item.pair?.to ?? Self.index(item.to + offset, behind: taken.to)
          moves.append(ResultMove(from: from, to: to, isModified: isModified.contains(from)))
        }
      }
      moves.sort { $0.to < $1.to }
      return moves
    }

    /// Which items are in the heaviest subsequence that ascends in both orders.
    private mutating func fixedItems() -> [Bool] {
      // One more row weighs more than any preference for unchanged rows.
      let row = unchanged + 1
      var best = PrefixMaxima(count: items.count)
      var previous = [Int](repeating: -1, count: items.count)
      for (place, item) in items.enumerated() {
        if item.pair?.isForced ?? false { continue }
        let weight = item.count == 0 ? row : item.count * row + item.count
        let (sum, last) = best.maximum(below: item.place)
        previous[place] = last
        best.raise(item.place, to: sum + weight, by: place)
      }
      steps += best.steps
      var isFixed = [Bool](repeating: false, count: items.count)
      var place = best.maximum(below: items.count).owner
      while place >= 0 {
        isFixed[place] = true
        place = previous[place]
      }
      return isFixed
    }

    /// How many of some ascending indices are below one.
    private static func rank(_ index: Int, in indices: [Int]) -> Int {
      indices.indices.partitionPoint { indices[$0] >= index }
    }

    /// The index of the unchanged row with a number of unchanged rows before it.
    private static func index(_ count: Int, behind taken: [Int]) -> Int {
      count + taken.indices.partitionPoint { taken[$0] - $0 > count }
    }
  }

  /// A Fenwick tree: the greatest of the values at the first places.
  private struct PrefixMaxima {
    private var values: [(sum: Int, owner: Int)]
    private(set) var steps = 0

    init(count: Int) { values = Array(repeating: (0, -1), count: count + 1) }

    /// The greatest value below a place, and its owner; 0 and -1 where there is none.
    mutating func maximum(below bound: Int) -> (sum: Int, owner: Int) {
      var best = (sum: 0, owner: -1)
      var place = bound
      while place > 0 {
        steps += 1
        if values[place].sum > best.sum { best = values[place] }
        place -= place & -place
      }
      return best
    }

    mutating func raise(_ index: Int, to sum: Int, by owner: Int) {
      var place = index + 1
      while place < values.count {
        steps += 1
        if values[place].sum < sum { values[place] = (sum, owner) }
        place += place & -place
      }
    }
  }
}
