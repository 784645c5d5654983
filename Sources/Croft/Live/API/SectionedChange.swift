/// The difference between two results of a live query in sections.
///
/// Sections come first: to get the sections of ``after``, remove ``sectionDeletions`` and insert
/// ``sectionInsertions``. The lists of objects are as in ``ResultChange``, by position. They have
/// the objects of deleted and inserted sections too. An object that changes its section moves.
public struct SectionedChange<M: Model, Key: Ordered>: Sendable {
  /// The number of the commit after which ``after`` is the result.
  public let sequence: UInt64
  /// The result that was delivered last; empty at first.
  public let before: SectionedResults<M, Key>
  /// The result now.
  public let after: SectionedResults<M, Key>
  /// Whether this is the first change, which has the result and no indices.
  public let isInitial: Bool
  /// The indices in ``before`` of sections that ``after`` lacks, ascending.
  public let sectionDeletions: [Int]
  /// The indices in ``after`` of sections that ``before`` lacks, ascending.
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

  /// The positions in ``before`` of objects that ``after`` lacks, ascending.
  public var deletions: [SectionPosition] { rows.deletions.map { before.position(of: $0) } }
  /// The positions in ``after`` of objects that ``before`` lacks, ascending.
  public var insertions: [SectionPosition] { rows.insertions.map { after.position(of: $0) } }
  /// The positions in ``before`` of objects that did not move and whose values changed, ascending.
  public var modifications: [SectionPosition] {
    rows.modifications.map { before.position(of: $0) }
  }
  /// The positions in ``after`` of the same objects, in the same order.
  public var modificationsAfter: [SectionPosition] {
    rows.modificationsAfter.map { after.position(of: $0) }
  }
  /// The objects that moved, ascending by their new positions.
  public var moves: [SectionMove] {
    rows.moves.map { move in
      SectionMove(
        from: before.position(of: move.from), to: after.position(of: move.to),
        isModified: move.isModified)
    }
  }
}

extension SectionedChange: CustomStringConvertible {
  /// The commit, the counts of sections before and after, and the positions; no objects.
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

/// The move of an object to another position of a result in sections.
public struct SectionMove: Hashable, Sendable {
  /// The position before.
  public let from: SectionPosition
  /// The position after.
  public let to: SectionPosition
  /// Whether some of its values changed too; the object is then not among the modifications.
  public let isModified: Bool

  /// Makes a move.
  ///
  /// - Parameters:
  ///   - from: The position before.
  ///   - to: The position after.
  ///   - isModified: Whether values changed too.
  public init(from: SectionPosition, to: SectionPosition, isModified: Bool) {
    self.from = from
    self.to = to
    self.isModified = isModified
  }
}

extension SectionMove: CustomStringConvertible {
  /// Both positions, with a star where values changed too.
  public var description: String { "\(from)->\(to)\(isModified ? "*" : "")" }
}

/// The position of an object in a result in sections.
public struct SectionPosition: Hashable, Comparable, Sendable {
  /// The section's index.
  public let section: Int
  /// The object's index in the section.
  public let index: Int

  /// Makes a position.
  ///
  /// - Parameters:
  ///   - section: The section's index.
  ///   - index: The object's index in the section.
  public init(section: Int, index: Int) {
    self.section = section
    self.index = index
  }

  /// Whether one position comes before another.
  public static func < (left: SectionPosition, right: SectionPosition) -> Bool {
    (left.section, left.index) < (right.section, right.index)
  }
}

extension SectionPosition: CustomStringConvertible {
  /// The section's index and the object's index in the section.
  public var description: String { "\(section).\(index)" }
}
