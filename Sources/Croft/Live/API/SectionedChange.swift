/// How the sectioned result of a live query became another one.
///
/// Sections come first: removing the sections of ``sectionDeletions``, and putting those of
/// ``sectionInsertions`` in, gives the sections of ``after``. The objects are told as
/// in ``ResultChange``, by their positions: those of deleted and inserted sections are among
/// them. An object that goes into another section moves.
public struct SectionedChange<M: Model, Key: Ordered>: Sendable {
  /// The number of the commit that ``after`` shows.
  public let sequence: UInt64
  /// The result as it was delivered before; empty at first.
  public let before: SectionedResults<M, Key>
  /// The result now.
  public let after: SectionedResults<M, Key>
  /// Whether this is the first change, which says only what ``after`` is.
  public let isInitial: Bool
  /// The indices in ``before`` of sections that have no objects any more, ascending.
  public let sectionDeletions: [Int]
  /// The indices in ``after`` of sections that had no objects before, ascending.
  public let sectionInsertions: [Int]
  private let rows: ResultDiff

  init(sequence: UInt64, before: SectionedRows, diff: SectionedDiff) {
    self.sequence = sequence
    self.before = SectionedResults(before)
    after = SectionedResults(diff.after)
    isInitial = false
    sectionDeletions = diff.sectionDeletions
    sectionInsertions = diff.sectionInsertions
    rows = diff.rows
  }

  /// The first change.
  init(sequence: UInt64, initial: SectionedRows) {
    self.sequence = sequence
    before = SectionedResults(SectionedRows(.empty, initial.code))
    after = SectionedResults(initial)
    isInitial = true
    sectionDeletions = []
    sectionInsertions = []
    rows = ResultDiff()
  }

  /// The positions in ``before`` of objects that left, ascending.
  public var deletions: [SectionPosition] { rows.deletions.map { before.position(of: $0) } }
  /// The positions in ``after`` of objects that came, ascending.
  public var insertions: [SectionPosition] { rows.insertions.map { after.position(of: $0) } }
  /// The positions in ``before`` of objects whose values changed where they stand, ascending.
  public var modifications: [SectionPosition] {
    rows.modifications.map { before.position(of: $0) }
  }
  /// The positions in ``after`` of the same objects, in step.
  public var modificationsAfter: [SectionPosition] {
    rows.modificationsAfter.map { after.position(of: $0) }
  }
  /// The objects that stand elsewhere, ascending by their new positions.
  public var moves: [SectionMove] {
    rows.moves.map { move in
      SectionMove(
        from: before.position(of: move.from), to: after.position(of: move.to),
        isModified: move.isModified)
    }
  }
}

extension SectionedChange: CustomStringConvertible {
  /// The commit, how many sections there were and are, and the positions: none of the objects.
  public var description: String {
    ChangeText(
      sequence, (before.count, after.count, "sections of \(M.schema.name)"), isInitial: isInitial,
      [
        ("sectionDeletions", sectionDeletions.map { "\($0)" }),
        ("sectionInsertions", sectionInsertions.map { "\($0)" }),
        ("deletions", deletions.map(\.description)),
        ("insertions", insertions.map(\.description)),
        ("modifications", modifications.map(\.description)),
        ("moves", moves.map(\.description)),
      ]
    ).description
  }
}
