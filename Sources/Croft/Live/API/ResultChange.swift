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
    sequence: UInt64, before: ResultRows?, after: ResultRows, diff: ResultDiff = ResultDiff()
  ) {
    self.sequence = sequence
    self.before = LiveResults(before ?? .empty)
    self.after = LiveResults(after)
    isInitial = before == nil
    self.diff = diff
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
  public var moves: [ResultMove<Int>] { diff.moves }
}

extension Query: StoreRequest {
  /// How the query is observed.
  public var _target: _ObservationTarget<ResultChange<M>> {
    let fields = observedFields
    return _ObservationTarget(M.schema, .query(core, M.schema)) {
      (step: LiveStep.One<ResultRows>) in
      guard let before = step.before else {
        try step.after.check(as: M.self)
        return (ResultChange(sequence: step.sequence, before: nil, after: step.after), false)
      }
      let diff = ResultDiff(from: before, to: step.after, fields: fields)
      try step.check(as: M.self, after: fields == nil ? diff : nil)
      let change = ResultChange<M>(
        sequence: step.sequence, before: before, after: step.after, diff: diff)
      return (change, diff.isEmpty)
    }
  }

  /// The result after a change.
  public static func _value(after change: ResultChange<M>) -> LiveResults<M> { change.after }

  /// Fetches the objects.
  public func _fetch(in transaction: inout ReadTransaction) throws -> [M] {
    try transaction.fetch(self)
  }

  /// The same query, of whose objects observers get the changes of some properties alone.
  ///
  /// An object is modified only when one of them differs. Insertions, deletions and moves still depend on
  /// all. A fetch is the same.
  ///
  /// - Precondition: The fields are stored properties.
  public func observing(_ fields: PartialKeyPath<M>...) -> Query<M> {
    var query = self
    query.observedFields = M.places(of: fields)
    return query
  }
}

extension LiveStep.One<ResultRows> {
  /// Decodes the rows of the new result that were not decoded before.
  ///
  /// - Parameter diff: The difference of the step; nil where it leaves out modifications.
  func check<M: Model>(as model: M.Type, after diff: ResultDiff?) throws {
    let whole = diff ?? before.map { ResultDiff(from: $0, to: after) }
    try after.check(as: M.self, after: whole)
  }
}

extension ResultRows {
  /// Decodes rows of the window, and throws where a fetch would.
  ///
  /// - Parameter diff: The difference to an earlier version: only new rows are decoded. Nil for all
  ///   rows.
  func check<M: Model>(as model: M.Type, after diff: ResultDiff? = nil) throws {
    guard let diff else {
      return try tree.forEach(in: window) { _ = try $0.object(as: model) }
    }
    for place in diff.insertions { _ = try self[place].object(as: model) }
    for place in diff.modificationsAfter { _ = try self[place].object(as: model) }
    for move in diff.moves where move.isModified { _ = try self[move.to].object(as: model) }
  }
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
