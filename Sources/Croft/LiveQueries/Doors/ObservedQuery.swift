internal import Dispatch

/// A query that is observed, and how the versions of its result become changes.
struct ObservedQuery<Change: Sendable>: Sendable {
  typealias Step = Observation<ResultRows, Change>.Step

  let core: QueryCore
  let shape: ModelShape
  /// Makes a change; nil where there is none.
  let change: @Sendable (Step) throws -> Change?

  /// Tells a closure of the changes.
  func observe(
    in store: Store, on queue: DispatchQueue?, _ body: @escaping @Sendable (Change) -> Void
  ) -> ObservationToken {
    let observation = observation(
      in: store, .closure(queue ?? store.live.deliveries, body), nil)
    return ObservationToken(.query(core, shape, observation), of: store)
  }

  /// The changes as a sequence.
  func changes(in store: Store) -> Changes<Change> {
    Changes { failure in
      let observation = observation(in: store, .iterator, failure)
      return ChangeIterator(observation, .query(core, shape, observation), of: store)
    }
  }

  private func observation(
    in store: Store, _ reader: Observation<ResultRows, Change>.Reader, _ failure: FailureBox?
  ) -> Observation<ResultRows, Change> {
    let core = core
    return Observation(
      store.live.makeNumber(), reader,
      Observation<ResultRows, Change>.Form(
        change: change,
        patch: { told, before, after in told.patched(from: before, to: after, core) }),
      onFailure: store.failureHandler(of: shape, failure))
  }
}

extension Query {
  /// The query as it is observed.
  ///
  /// - Parameter fields: The properties that count; none for all.
  func observed(_ fields: [PartialKeyPath<M>]) -> ObservedQuery<ResultChange<M>> {
    let fields = M.places(of: fields)
    return ObservedQuery(core: core, shape: M.shape) { step in
      guard let before = step.before else {
        try step.after.check(as: M.self)
        return ResultChange(
          sequence: step.sequence, before: .empty, after: step.after, diff: ResultDiff(),
          isInitial: true)
      }
      let diff = ResultDiff(from: before, to: step.after, fields: fields)
      try step.check(as: M.self, after: fields == nil ? diff : nil)
      if diff.isEmpty { return nil }
      return ResultChange(sequence: step.sequence, before: before, after: step.after, diff: diff)
    }
  }
}

extension SectionedQuery {
  /// The query as it is observed.
  ///
  /// - Parameter fields: The properties that count; none for all.
  func observed(_ fields: [PartialKeyPath<M>]) -> ObservedQuery<SectionedChange<M, Key>> {
    let fields = M.places(of: fields)
    let code = code
    let last = LastSections()
    return ObservedQuery(core: core, shape: M.shape) { step in
      guard let before = step.before else {
        try step.after.check(as: M.self)
        let sections = SectionedRows(step.after, code)
        last.set(sections)
        return SectionedChange(sequence: step.sequence, initial: sections)
      }
      let sections = last.sections(of: before) ?? SectionedRows(before, code)
      let diff = SectionedDiff(from: sections, to: step.after, fields: fields)
      last.set(diff.after)
      try step.check(as: M.self, after: fields == nil ? diff.rows : nil)
      if diff.isEmpty { return nil }
      return SectionedChange(sequence: step.sequence, before: sections, diff: diff)
    }
  }
}

extension Observation.Step where Version == ResultRows {
  /// Decodes what the reader of the new result can meet and was not decoded before.
  ///
  /// - Parameters:
  ///   - model: The rows' model.
  ///   - diff: What the step does; nil where it does not tell all.
  /// - Throws: ``StoreError`` for a row that cannot be read as an object.
  fileprivate func check<M: Model>(as model: M.Type, after diff: ResultDiff?) throws {
    if let diff, checked == nil { return try after.check(as: M.self, after: diff) }
    guard let earlier = checked ?? before else { return try after.check(as: M.self) }
    try after.check(as: M.self, after: ResultDiff(from: earlier, to: after))
  }
}
