/// The difference between two results of a live query, as indices.
///
/// All indices ascend. To get from ``before`` to ``after``, remove the ``deletions`` and the moved
/// objects, then insert the ``insertions`` and the moved objects at their new indices, ascending.
/// The primary key identifies an object: one that was deleted and inserted again is modified, or
/// moved. Each object is in one list at most.
public struct ResultChange<M: Model>: Sendable {
  /// The number of the commit after which ``after`` is the result.
  public let sequence: UInt64
  /// The result that was delivered last; empty at first.
  public let before: LiveResults<M>
  /// The result now.
  public let after: LiveResults<M>
  /// Whether this is the first change, which has the result and no indices.
  public let isInitial: Bool
  private let diff: ResultDiff

  init(
    sequence: UInt64, before: ResultRows, after: ResultRows, diff: ResultDiff,
    isInitial: Bool = false
  ) {
    self.sequence = sequence
    self.before = LiveResults(before)
    self.after = LiveResults(after)
    self.isInitial = isInitial
    self.diff = isInitial ? ResultDiff() : diff
  }

  /// The indices in ``before`` of objects that ``after`` lacks.
  public var deletions: [Int] { diff.deletions }
  /// The indices in ``after`` of objects that ``before`` lacks.
  public var insertions: [Int] { diff.insertions }
  /// The indices in ``before`` of objects that did not move and whose values changed.
  public var modifications: [Int] { diff.modifications }
  /// The indices in ``after`` of the same objects, in the same order.
  public var modificationsAfter: [Int] { diff.modificationsAfter }
  /// The objects that moved, ascending by their new indices; as few as possible.
  public var moves: [Move] { diff.moves }
}

extension ResultChange: CustomStringConvertible {
  /// The commit, the counts of objects before and after, and the indices; no objects.
  public var description: String {
    ChangeText(
      sequence, (before.count, after.count, "of \(M.schema.name)"), isInitial: isInitial,
      [
        ("deletions", deletions.map { "\($0)" }), ("insertions", insertions.map { "\($0)" }),
        ("modifications", modifications.map { "\($0)" }), ("moves", moves.map(\.description)),
      ]
    ).description
  }
}

/// The description of a change: its commit, the counts, and the lists that are not empty.
struct ChangeText: CustomStringConvertible {
  let description: String

  /// Describes a change.
  ///
  /// - Parameters:
  ///   - sequence: The commit's number.
  ///   - counts: The counts before and after, with the name of what is counted.
  ///   - isInitial: Whether it is the first change.
  ///   - lists: The lists, with their names.
  init(
    _ sequence: UInt64, _ counts: (before: Int, after: Int, name: String), isInitial: Bool,
    _ lists: [(name: String, places: [String])]
  ) {
    let became = isInitial ? "\(counts.after)" : "\(counts.before) -> \(counts.after)"
    let texts = lists.filter { !$0.places.isEmpty }.map { list in
      "; \(list.name) \(list.places.joined(separator: " "))"
    }
    description = "commit \(sequence): \(became) \(counts.name)" + texts.joined()
  }
}
