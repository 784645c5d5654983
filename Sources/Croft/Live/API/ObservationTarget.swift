internal import Dispatch

/// What is observed, and how its versions become changes: a query's result, or an object.
struct ObservationTarget<Version: Sendable, Change: Sendable>: Sendable {
  typealias Watch = ValueObservation<Version, Change>

  let schema: Schema
  let form: Watch.Form
  /// What the hub is told of an observation.
  let subject: @Sendable (Watch) -> ObserverEntry

  /// Tells a closure of the changes.
  func observe(
    in store: Store, on queue: DispatchQueue?, _ onError: (@Sendable (any Error) -> Void)?,
    _ body: @escaping @Sendable (Change) -> Void
  ) -> ObservationToken {
    let reader = Watch.Reader.closure(
      queue ?? store.live.deliveries, onError: onError, body)
    return ObservationToken(subject(watch(in: store, reader, nil)), of: store)
  }

  /// The changes as a sequence.
  func changes(in store: Store) -> LiveChanges<Change> {
    LiveChanges { failure in
      let watch = watch(in: store, .iterator, failure)
      return ChangeIterator(watch, subject(watch), of: store)
    }
  }

  private func watch(in store: Store, _ reader: Watch.Reader, _ failure: FailureBox?) -> Watch {
    let number = store.live.makeNumber()
    let isTold = if case .closure(_, .some, _) = reader { true } else { false }
    return Watch(
      number, reader, form,
      onFailure: store.failureHandler(of: number, schema, failure, isTold: isTold))
  }
}

extension ObservationTarget where Version == ResultRows {
  /// A query's result.
  fileprivate init(
    _ core: QueryCore, _ schema: Schema,
    _ change: @escaping @Sendable (Watch.Step) throws -> Change?
  ) {
    self.schema = schema
    form = Watch.Form(
      change: change,
      patch: { told, before, after in told.patched(from: before, to: after, core) })
    subject = { .query(core, schema, $0) }
  }
}

extension Query {
  /// The query as it is observed.
  ///
  /// - Parameter fields: The properties that count; none for all.
  func observed(_ fields: [PartialKeyPath<M>]) -> ObservationTarget<ResultRows, ResultChange<M>> {
    let fields = M.places(of: fields)
    return ObservationTarget(core, M.schema) { step in
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
  func observed(_ fields: [PartialKeyPath<M>]) -> ObservationTarget<
    ResultRows, SectionedChange<M, Key>
  > {
    let fields = M.places(of: fields)
    let code = code
    let last = SectionsCache()
    return ObservationTarget(core, M.schema) { step in
      guard let before = step.before else {
        try step.after.check(as: M.self)
        let sections = SectionedRows(step.after, code)
        last.set(sections)
        return SectionedChange(sequence: step.sequence, initial: sections)
      }
      let sections = last.sections(of: before) ?? SectionedRows(before, code)
      let diff = SectionedDiff(from: sections, to: step.after, fields: fields)
      try step.check(as: M.self, after: fields == nil ? diff.rows : nil)
      // What is not told is not what the next change leads from.
      if diff.isEmpty { return nil }
      last.set(diff.after)
      return SectionedChange(sequence: step.sequence, before: sections, diff: diff)
    }
  }
}

extension Model {
  /// The object of a key as it is observed.
  ///
  /// - Parameter fields: The properties that count; none for all.
  static func observed(
    _ key: PrimaryKey, _ fields: [PartialKeyPath<Self>]
  ) -> ObservationTarget<StoredRow?, ObjectChange<Self>> {
    let fields = places(of: fields)
    var code = _ByteBuffer()
    key.appendKey(to: &code)
    // Safety: the code is copied while the buffer lives.
    let bytes = unsafe [UInt8](code.bytes)
    return ObservationTarget(
      schema: schema,
      form: ValueObservation<StoredRow?, ObjectChange<Self>>.Form(
        change: { try ObjectChange($0, fields: fields) },
        // Where another change has yet to be told, both are, so that nothing is lost.
        patch: { told, before, after in told.isIdentical(to: before) ? after : told }),
      subject: { .row(bytes, schema, $0) })
  }
}

extension Optional<StoredRow> {
  /// Whether both are the very same copy, or none.
  fileprivate func isIdentical(to other: StoredRow?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.isIdentical(to: other)
  }
}

extension ValueObservation.Step where Version == ResultRows {
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
