import Synchronization

/// A query whose result is in sections, one for each value of a property or an expression.
///
/// ```swift
/// let byPriority = TodoItem.all.sections(by: \.priority)
/// for section in try store.fetch(byPriority) { print(section.key, section.objects) }
/// let token = store.observe(byPriority) { table.apply($0) }
/// ```
public struct SectionedQuery<M: Model, Key: OrderedStorable>: Hashable, Sendable {
  /// The query, ordered by the sections' keys first.
  let core: QueryCore
  /// The columns of whose changes observers are told; nil for all.
  let observedFields: [Int]?

  init(_ query: Query<M>, _ key: SortKey) {
    var core = query.core
    core.order.insert(key, at: 0)
    self.core = core
    observedFields = query.observedFields
  }

  /// Finds a row's section.
  var code: SectionCode { SectionCode(core.order[0], Key.storage) }
}

extension SectionedQuery: StoreRequest {
  /// How the query is observed.
  public var _target: _ObservationTarget<SectionedChange<M, Key>> {
    let (fields, code) = (observedFields, code)
    let cache = SectionsCache()
    return _ObservationTarget(M.schema, .query(core, M.schema)) {
      (step: LiveStep.One<ResultRows>) in
      guard let before = step.before else {
        try step.after.check(as: M.self)
        let sections = SectionedRows(step.after, code)
        try sections.checkKeys(of: 0..<sections.count, as: Key.self)
        cache.set(sections)
        return (SectionedChange(sequence: step.sequence, before: nil, after: sections), false)
      }
      let sections = cache.sections(of: before) ?? SectionedRows(before, code)
      let diff = SectionedDiff(from: sections, to: step.after, fields: fields)
      try step.check(as: M.self, after: fields == nil ? diff.rows : nil)
      try diff.after.checkKeys(of: diff.sectionInsertions, as: Key.self)
      // The next change starts from what was delivered, so an empty one is not cached.
      if !diff.isEmpty { cache.set(diff.after) }
      let change = SectionedChange<M, Key>(
        sequence: step.sequence, before: sections, after: diff.after, diff: diff)
      return (change, diff.isEmpty)
    }
  }

  /// The sections after a change.
  public static func _value(after change: SectionedChange<M, Key>) -> SectionedResults<M, Key> {
    change.after
  }

  /// Fetches the sections.
  public func _fetch(
    in transaction: inout ReadTransaction
  ) throws -> [ResultSection<Key, [M]>] {
    try transaction.fetch(self)
  }
}

extension Query {
  /// Divides the result into sections, one for each value of a property.
  ///
  /// - Parameters:
  ///   - property: The property; texts are equal as in Swift, and nil has a section of its own.
  ///   - isDescending: Whether the greatest value comes first.
  /// - Returns: A request that orders sections by their keys, and objects within a section in this query's
  ///   order. Offset and limit count in the order of the sections: `limit(4)` are the first four objects of the
  ///   first sections, and not the first four of the query.
  /// - Precondition: The property is stored.
  public func sections<Key: OrderedStorable>(
    by property: KeyPath<M, Key>, isDescending: Bool = false
  ) -> SectionedQuery<M, Key> {
    SectionedQuery(self, SortKey(path: ColumnPath(property), isDescending: isDescending))
  }

  /// Divides the result into sections, one for each value of an expression.
  ///
  /// ```swift
  /// let byMonth = TodoItem.all.sections(by: { $0.createdAt.start(of: .month, in: .current) })
  /// ```
  ///
  /// - Parameters:
  ///   - expression: Returns a property of the model, or an expression over such.
  ///   - isDescending: Whether the greatest value comes first.
  /// - Returns: As for a property; where the expression has no value, as after a division by zero, its key is nil.
  /// - Precondition: The expression leads through no reference, and measures neither elements nor objects that refer
  ///   to the model: `sections(_:by:isDescending:)` of a store takes such. A property through a reference is one also
  ///   as a key path, `\.author.name`.
  public func sections<Key: OrderedStorable>(
    by expression: (QueryColumn<M, M>) -> QueryColumn<M, Key>, isDescending: Bool = false
  ) -> SectionedQuery<M, Key> {
    let path = expression(QueryColumn(nil)).path
    precondition(
      path.columns.allSatisfy { $0.ownPlace != nil },
      "\(path.name) leads to another object or to elements; use store.sections(_:by:)."
    )
    return SectionedQuery(self, SortKey(path: path, isDescending: isDescending))
  }
}

/// The sections of a live query's result after one commit.
///
/// An immutable collection in memory, as ``LiveResults`` is.
///
/// Threads: any; it is a value.
public struct SectionedResults<M: Model, Key: OrderedStorable>: RandomAccessCollection, Sendable {
  let sections: SectionedRows

  /// The objects of all sections, one section after the other.
  public var objects: LiveResults<M> { LiveResults(sections.rows) }
  /// Zero.
  public var startIndex: Int { 0 }
  /// How many sections there are.
  public var endIndex: Int { sections.count }

  /// The section at an index.
  ///
  /// - Complexity: O(log *n*).
  /// - Precondition: The index is below ``endIndex``.
  public subscript(position: Int) -> ResultSection<Key, LiveResults<M>> {
    precondition(position >= 0 && position < endIndex, "The index is not one of a section.")
    let range = sections.range(of: position)
    let row = sections.rows[range.lowerBound]
    do {
      return ResultSection(
        key: try sections.code.key(of: row),
        objects: LiveResults(ResultRows(sections.rows, range)))
    } catch {
      preconditionFailure("A section's key that could be read before cannot be read now: \(error)")
    }
  }

  /// The object at a position.
  ///
  /// - Complexity: O(log *n*), and making the object.
  /// - Precondition: There is such a section, and it has such an index.
  public subscript(position: SectionPosition) -> M {
    precondition(
      position.section >= 0 && position.section < endIndex, "The index is not one of a section.")
    return LiveResults<M>(ResultRows(sections.rows, sections.range(of: position.section)))[
      position.index]
  }

  /// The position of the object that has an index among all objects.
  ///
  /// - Complexity: O(log *s*) for *s* sections.
  /// - Precondition: The index is one of ``objects``.
  public func position(of index: Int) -> SectionPosition {
    precondition(index >= 0 && index < sections.rows.count, "The index is not in the result.")
    return sections.position(of: index)
  }
}

extension SectionedResults: CustomStringConvertible {
  /// The sections, as an array shows them.
  public var description: String { Array(self).description }
}

extension SectionedRows {
  /// Reads the keys of some sections, so that an error ends an observation and not the process.
  fileprivate func checkKeys<Key: OrderedStorable>(
    of sections: some Sequence<Int>, as _: Key.Type
  ) throws {
    for section in sections {
      let _: Key = try code.key(of: rows[range(of: section).lowerBound])
    }
  }
}

/// The sections that were delivered last, so that the next change need not find them.
///
/// Threads: any; the sections have a lock. Several iterators of a sequence share a cache, and one
/// that misses it finds the sections again.
final class SectionsCache: Sendable {
  private let last = Mutex<SectionedRows?>(nil)

  /// The sections of the rows that were delivered last; nil for other rows.
  func sections(of rows: ResultRows) -> SectionedRows? {
    last.withLock { $0 }.flatMap { ResultVersion($0.rows) == ResultVersion(rows) ? $0 : nil }
  }

  func set(_ sections: SectionedRows) { last.withLock { $0 = sections } }
}

/// The difference between two results of a live query in sections.
///
/// Sections come first: to get the sections of ``after``, remove ``sectionDeletions`` and insert
/// ``sectionInsertions``. The lists of objects are as in ``ResultChange``, by position. They have
/// the objects of deleted and inserted sections too. An object that changes its section moves.
public struct SectionedChange<M: Model, Key: OrderedStorable>: Sendable {
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

  init(
    sequence: UInt64, before: SectionedRows?, after: SectionedRows, diff: SectionedDiff? = nil
  ) {
    self.sequence = sequence
    self.before = SectionedResults(sections: before ?? SectionedRows(.empty, after.code))
    self.after = SectionedResults(sections: after)
    isInitial = before == nil
    sectionDeletions = diff?.sectionDeletions ?? []
    sectionInsertions = diff?.sectionInsertions ?? []
    rows = diff?.rows ?? ResultDiff()
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
  public var moves: [ResultMove<SectionPosition>] {
    rows.moves.map { move in
      ResultMove(
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

/// The position of an object in a result in sections.
public struct SectionPosition: Hashable, Comparable, Sendable {
  /// The section's index.
  public let section: Int
  /// The object's index in the section.
  public let index: Int

  /// Makes a position.
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
