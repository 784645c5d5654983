/// What leads from one version of a result to another, by indices.
///
/// Two versions are all it needs, whatever lies between them. For *c* rows that differ among *n*
/// it takes O(*c* log *n*) steps; moves are as few as can be.
struct ResultDiff: Sendable {
  private(set) var deletions: [Int] = []
  private(set) var insertions: [Int] = []
  private(set) var modifications: [Int] = []
  private(set) var modificationsAfter: [Int] = []
  private(set) var moves: [Move] = []
  /// How many rows, nodes and comparisons it took, for tests.
  private(set) var steps = 0

  /// Makes a diff that says nothing.
  init() {}

  /// Compares two versions of one query's result.
  ///
  /// - Parameters:
  ///   - before: The earlier version.
  ///   - after: The later version.
  ///   - fields: The columns whose changes are modifications, by their places; nil for all.
  ///   - section: Tells the sections: a row that goes into another one moves, even where its index
  ///     stays. Nil for none.
  init(
    from before: ResultRows, to after: ResultRows, fields: [Int]? = nil,
    section: SectionCode? = nil
  ) {
    let differences = RowDifferences(from: before.tree, to: after.tree)
    var rows = RowMatching(before, after, fields, section)
    rows.take(differences)
    rows.takeEdges(shift: max(differences.removed.count, differences.added.count))
    deletions = rows.deletions.sorted()
    insertions = rows.insertions.sorted()
    var kept = MinimalMoves(
      rows.placed, deletions: deletions, insertions: insertions, count: before.count)
    moves = kept.moves(isModified: Set(rows.modified.lazy.map(\.from)))
    modify(rows.modified)
    steps = differences.steps + kept.steps
  }

  /// Whether nothing changed.
  var isEmpty: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && moves.isEmpty
  }

  /// Notes the modified rows that did not move.
  private mutating func modify(_ modified: [IndexPair]) {
    if modified.isEmpty { return }
    let moved = Set(moves.lazy.map(\.from))
    for pair in modified.sorted(by: { $0.from < $1.from }) where !moved.contains(pair.from) {
      modifications.append(pair.from)
      modificationsAfter.append(pair.to)
    }
  }
}

/// The indices of one row in two versions of a result.
struct IndexPair {
  let from: Int
  let to: Int
  /// Whether the row's place in the order may be another one relative to the other rows.
  var isForced = false
}
