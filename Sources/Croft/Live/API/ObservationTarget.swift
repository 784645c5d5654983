internal import Dispatch
import Synchronization

/// What is observed, and how its values become changes.
struct ObservationTarget<Change: Sendable>: Sendable {
  /// Computes a change from values; nil where they do not differ.
  typealias ChangeMaker = @Sendable (LiveStep) throws -> Change?

  /// The model that a failure names; nil for several.
  let schema: Schema?
  /// What makes the computations of the values.
  let sources: [LiveSource]
  /// Computes a change, also where nothing differs.
  let change: @Sendable (LiveStep) throws -> (change: Change, isEmpty: Bool)

  /// Calls a closure with the changes.
  func observe(
    in store: Store, on queue: DispatchQueue?, _ onError: (@Sendable (any Error) -> Void)?,
    _ body: @escaping @Sendable (Change) -> Void
  ) -> ObservationToken {
    let observation = observation(
      in: store, .closure(queue ?? store.live.deliveries, onError: onError, body), nil)
    return ObservationToken(.values(observation, sources), of: store)
  }

  /// The changes as a sequence.
  func changes(in store: Store) -> LiveChanges<Change> {
    LiveChanges { failure in
      let observation = observation(in: store, .iterator, failure)
      return ChangeIterator(observation, .values(observation, sources), of: store)
    }
  }

  private func observation(
    in store: Store, _ receiver: ValueObservation<Change>.Receiver, _ failure: LiveFailure?
  ) -> ValueObservation<Change> {
    let number = store.live.makeNumber()
    let hasErrorHandler = if case .closure(_, .some, _) = receiver { true } else { false }
    return ValueObservation(
      number, receiver,
      { [change] step in
        let (change, isEmpty) = try change(step)
        return isEmpty ? nil : change
      }, failure,
      onFailure: store.failureHandler(of: number, schema, hasErrorHandler: hasErrorHandler))
  }
}

extension ObservationTarget {
  /// The target of one computation.
  init<Value: Sendable>(
    _ schema: Schema?, _ source: LiveSource,
    _ change: @escaping @Sendable (LiveStep.One<Value>) throws -> (change: Change, isEmpty: Bool)
  ) {
    self.init(schema: schema, sources: [source]) { step in
      func value(_ values: [any Sendable]) -> Value {
        guard let value = values.first as? Value else {
          preconditionFailure("A computation made a value of another type than \(Value.self).")
        }
        return value
      }
      return try change(
        LiveStep.One(
          sequence: step.sequence, before: step.before.map(value), after: value(step.after)))
    }
  }

  /// The target of a computed value, which is delivered itself.
  ///
  /// - Parameters:
  ///   - schema: The model that a failure names; nil for several.
  ///   - isSame: Whether a value need not be delivered after another.
  ///   - make: Makes the computation.
  init(
    of schema: Schema?, isSame: @escaping @Sendable (Change, Change) -> Bool,
    _ make: @escaping @Sendable () -> any LiveComputation
  ) {
    self.init(schema, .computation(make)) { (step: LiveStep.One<Computed<Change>>) in
      let isEmpty = step.before.map { isSame($0.value, step.after.value) } ?? false
      return (step.after.value, isEmpty)
    }
  }

  /// The target of what a closure reads.
  init(
    reading read: @escaping @Sendable (inout ReadTransaction) throws -> Change
  ) where Change: Equatable {
    self.init(of: nil, isSame: ==) { LiveReading(isSame: ==, read) }
  }

  /// The target of several others, whose changes are of one commit.
  init<each Part: Sendable>(
    _ targets: repeat ObservationTarget<each Part>
  ) where Change == (repeat each Part) {
    var sources: [LiveSource] = []
    for target in repeat each targets { sources += target.sources }
    self.init(schema: nil, sources: sources) { step in
      var rest = step
      var isEmpty = true
      func next<C>(_ target: ObservationTarget<C>) throws -> C {
        let count = target.sources.count
        let own = LiveStep(
          sequence: step.sequence, before: rest.before.map { Array($0.prefix(count)) },
          after: Array(rest.after.prefix(count)))
        rest.before?.removeFirst(count)
        rest.after.removeFirst(count)
        let (change, isSame) = try target.change(own)
        isEmpty = isEmpty && isSame
        return change
      }
      let changes = (repeat try next(each targets))
      return (changes, isEmpty && step.before != nil)
    }
  }
}

extension Query {
  /// The observation target of the query.
  ///
  /// - Parameter fields: The properties to observe; none for all.
  func observed(_ fields: [PartialKeyPath<M>]) -> ObservationTarget<ResultChange<M>> {
    let fields = M.places(of: fields)
    return ObservationTarget(M.schema, .query(core, M.schema)) { (step: LiveStep.One<ResultRows>) in
      guard let before = step.before else {
        try step.after.check(as: M.self)
        let change = ResultChange<M>(
          sequence: step.sequence, before: .empty, after: step.after, diff: ResultDiff(),
          isInitial: true)
        return (change, false)
      }
      let diff = ResultDiff(from: before, to: step.after, fields: fields)
      try step.check(as: M.self, after: fields == nil ? diff : nil)
      let change = ResultChange<M>(
        sequence: step.sequence, before: before, after: step.after, diff: diff)
      return (change, diff.isEmpty)
    }
  }
}

extension SectionedQuery {
  /// The observation target of the query.
  ///
  /// - Parameter fields: The properties to observe; none for all.
  func observed(_ fields: [PartialKeyPath<M>]) -> ObservationTarget<SectionedChange<M, Key>> {
    let (fields, code) = (M.places(of: fields), code)
    let cache = SectionsCache()
    return ObservationTarget(M.schema, .query(core, M.schema)) { (step: LiveStep.One<ResultRows>) in
      guard let before = step.before else {
        try step.after.check(as: M.self)
        let sections = SectionedRows(step.after, code)
        cache.set(sections)
        return (SectionedChange(sequence: step.sequence, initial: sections), false)
      }
      let sections = cache.sections(of: before) ?? SectionedRows(before, code)
      let diff = SectionedDiff(from: sections, to: step.after, fields: fields)
      try step.check(as: M.self, after: fields == nil ? diff.rows : nil)
      // The next change starts from what was delivered, so an empty one is not cached.
      if !diff.isEmpty { cache.set(diff.after) }
      let change = SectionedChange<M, Key>(sequence: step.sequence, before: sections, diff: diff)
      return (change, diff.isEmpty)
    }
  }
}

extension LiveStep.One<ResultRows> {
  /// Decodes the rows of the new result that were not decoded before.
  ///
  /// - Parameters:
  ///   - model: The rows' model.
  ///   - diff: The difference of the step; nil where it leaves out modifications.
  /// - Throws: ``StoreError`` for a row that cannot be read as an object.
  fileprivate func check<M: Model>(as model: M.Type, after diff: ResultDiff?) throws {
    let whole = diff ?? before.map { ResultDiff(from: $0, to: after) }
    try after.check(as: M.self, after: whole)
  }
}

extension ResultRows {
  /// Decodes rows of the window, and throws where a fetch would.
  ///
  /// - Parameters:
  ///   - model: The rows' model.
  ///   - diff: The difference to an earlier version: only new rows are decoded. Nil for all rows.
  /// - Throws: ``StoreError`` as a fetch of a row does.
  func check<M: Model>(as model: M.Type, after diff: ResultDiff? = nil) throws {
    guard let diff else {
      return try tree.forEach(in: window) { _ = try $0.object(as: model) }
    }
    for place in diff.insertions { _ = try self[place].object(as: model) }
    for place in diff.modificationsAfter { _ = try self[place].object(as: model) }
    for move in diff.moves where move.isModified { _ = try self[move.to].object(as: model) }
  }
}

extension Model {
  /// The observation target of the object of a key.
  ///
  /// - Parameter fields: The properties to observe; none for all.
  static func observed(
    _ key: PrimaryKey, _ fields: [PartialKeyPath<Self>]
  ) -> ObservationTarget<ObjectChange<Self>> {
    let fields = places(of: fields)
    var code = _ByteBuffer()
    key.appendKey(to: &code)
    // Safety: the code is copied while the buffer lives.
    let bytes = unsafe [UInt8](code.bytes)
    return ObservationTarget(schema, .object(bytes, schema)) {
      (step: LiveStep.One<LiveObject.Row>) in
      let change = try ObjectChange<Self>(step, fields: fields)
      return (change, change.kind == .changed && change.fields.isEmpty)
    }
  }

  /// The places of the columns of some properties; nil, for all, where there are none.
  static func places(of fields: [PartialKeyPath<Self>]) -> [Int]? {
    if fields.isEmpty { return nil }
    return fields.flatMap { field in
      guard let name = _schema.name(of: field) else {
        preconditionFailure(
          "A field to observe is no stored property of \(schema.name): name stored ones.")
      }
      // A struct's properties have columns of their own, under its name.
      return schema.columns.indices.filter { place in
        let column = schema.columns[place].name
        return column == name || column.hasPrefix(name + ".")
      }
    }
  }
}

extension Store {
  /// Makes the handler of an observation's failure, which removes it and reports the error.
  ///
  /// - Parameter hasErrorHandler: Whether the program's own handler is called with the error, so
  ///   that no line on the standard error need report it.
  func failureHandler(
    of number: Int, _ schema: Schema?, hasErrorHandler: Bool = false
  ) -> @Sendable (any Error) -> Void {
    { [snapshots, deliveries = live.deliveries, weak live] error in
      live?.remove(number)
      deliveries.async {
        if hasErrorHandler, snapshots.handler == nil { return }
        snapshots.report(.observationFailed(model: schema?.name, reason: "\(error)"))
      }
    }
  }
}
