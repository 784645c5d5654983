/// How the result of a live query became another one.
///
/// All indices ascend. Removing the ``deletions`` and the rows that move from ``before``, and
/// putting the ``insertions`` and the moved rows in at their new indices, ascending, gives
/// ``after``. An object is known by its primary key: what was deleted and made anew is modified,
/// or moved. Each object is mentioned at most once.
public struct ResultChange<M: Model>: Sendable {
  /// The number of the commit that ``after`` shows.
  public let sequence: UInt64
  /// The result as it was delivered before; empty at first.
  public let before: LiveResults<M>
  /// The result now.
  public let after: LiveResults<M>
  /// Whether this is the first change, which says only what ``after`` is: all indices are empty.
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

  /// The indices in ``before`` of objects that left.
  public var deletions: [Int] { diff.deletions }
  /// The indices in ``after`` of objects that came.
  public var insertions: [Int] { diff.insertions }
  /// The indices in ``before`` of objects whose values changed where they stand.
  public var modifications: [Int] { diff.modifications }
  /// The indices in ``after`` of the same objects, in step.
  public var modificationsAfter: [Int] { diff.modificationsAfter }
  /// The objects that stand elsewhere, ascending by their new indices; as few as possible.
  public var moves: [Move] { diff.moves }
}

extension ResultChange: CustomStringConvertible {
  /// The commit, how many objects there were and are, and the indices: none of the objects.
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
