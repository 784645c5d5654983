/// All that is observed in a store, and the commit that it shows.
///
/// A commit costs what it concerns: an index finds the queries that a changed row may matter to,
/// and objects are found by their keys.
///
/// Confined to the hub's queue.
struct LiveState {
  /// The last commit that was seen to.
  var position: UInt64 = 0
  private(set) var queries: [Int: LiveQuery] = [:]
  private var numbers: [LiveQuery.ID: Int] = [:]
  private var lastNumber = 0
  /// Queries that follow rows, by their model's number: which of them a row matters to.
  private var indexes: [Int: ObserverIndex] = [:]
  /// Queries that are run again when anything of a model changed, by the model's number.
  private var dependents: [Int: Set<Int>] = [:]
  /// Queries that are run again when it is not known what changed of a model.
  private var followers: [Int: Set<Int>] = [:]
  /// Observed objects, by their model's number and their keys.
  private(set) var rows: [Int: ObservedRows] = [:]
  private(set) var commits: [Int: CommitObservation] = [:]

  /// The observed objects of a model.
  struct ObservedRows {
    let shape: ModelShape
    var rows: [[UInt8]: LiveRow] = [:]
  }

  /// Whether nothing is observed.
  var isEmpty: Bool { queries.isEmpty && rows.isEmpty && commits.isEmpty }
}

// What is observed.

extension LiveState {
  /// Adds an observer, and gives it what there is.
  ///
  /// - Throws: ``StoreError`` where it cannot be read; then nothing is added.
  mutating func add(_ subject: LiveSubject, _ store: Store) throws {
    switch subject {
    case .query(let core, let shape, let observer):
      try add(core, shape, observer, store)
    case .row(let key, let shape, let observer):
      try add(key, shape, observer, store)
    case .commits(let observer):
      try store.readLive { _, sequence in
        if isEmpty { position = sequence }
        observer.begin(after: sequence)
      }
      commits[observer.number] = observer
    }
  }

  private mutating func add(
    _ core: QueryCore, _ shape: ModelShape, _ observer: any VersionObserver<ResultRows>,
    _ store: Store
  ) throws {
    let id = LiveQuery.ID(core, shape)
    if let number = numbers[id], let query = queries[number] {
      query.observers[observer.number] = observer
      return observer.update(query.evaluator.results, max(position, query.sequence))
    }
    let query = LiveQuery(lastNumber + 1, core, shape)
    let model = try store.readLive { transaction, sequence in
      try query.run(in: transaction, at: sequence)
      if isEmpty { position = sequence }
      let catalog = transaction.catalog
      return try catalog.storage(of: shape).id
    }
    lastNumber += 1
    numbers[id] = query.number
    queries[query.number] = query
    if query.evaluator.isIncremental {
      indexes[model, default: ObserverIndex()].insert(query.number, core, shape)
      followers[model, default: []].insert(query.number)
    } else {
      for model in query.evaluator.dependencies {
        dependents[model, default: []].insert(query.number)
      }
    }
    query.observers[observer.number] = observer
    query.publish(query.sequence)
  }

  private mutating func add(
    _ key: [UInt8], _ shape: ModelShape, _ observer: any VersionObserver<StoredRow?>,
    _ store: Store
  ) throws {
    let (model, fresh) = try store.readLive { transaction, sequence in
      let catalog = transaction.catalog
      let row = LiveRow()
      try row.read(key, of: shape, in: transaction, at: sequence)
      if isEmpty { position = sequence }
      return (try catalog.storage(of: shape).id, row)
    }
    var observed = rows[model] ?? ObservedRows(shape: shape)
    if let row = observed.rows[key] {
      row.observers[observer.number] = observer
      return observer.update(row.row, max(position, row.sequence))
    }
    fresh.observers[observer.number] = observer
    observed.rows[key] = fresh
    rows[model] = observed
    fresh.publish(fresh.sequence)
  }

  /// Removes an observer, and what nobody else observes.
  mutating func remove(_ number: Int, from subject: LiveSubject) {
    switch subject {
    case .query(let core, let shape, _):
      guard let id = numbers[LiveQuery.ID(core, shape)], let query = queries[id] else { return }
      query.observers[number] = nil
      if query.observers.isEmpty { remove(query) }
    case .row(let key, let shape, _):
      guard let model = rows.first(where: { $0.value.shape === shape })?.key else { return }
      rows[model]?.rows[key]?.observers[number] = nil
      if rows[model]?.rows[key]?.observers.isEmpty == true { rows[model]?.rows[key] = nil }
      if rows[model]?.rows.isEmpty == true { rows[model] = nil }
    case .commits: commits[number] = nil
    }
  }

  private mutating func remove(_ query: LiveQuery) {
    queries[query.number] = nil
    numbers[query.id] = nil
    for model in query.evaluator.dependencies {
      indexes[model]?.remove(query.number)
      dependents[model]?.remove(query.number)
      followers[model]?.remove(query.number)
      if followers[model]?.isEmpty == true { (indexes[model], followers[model]) = (nil, nil) }
      if dependents[model]?.isEmpty == true { dependents[model] = nil }
    }
  }
}

// What commits do to it.

extension LiveState {
  /// Queries and objects that are to be read again.
  struct Stale {
    /// For each query, the observers that need not hear of any of the reasons.
    var queries: [Int: Set<Int>] = [:]
    /// Models whose observed objects are read again.
    var models: Set<Int> = []

    mutating func insert(_ query: Int, skipped: Set<Int>) {
      queries[query] = queries[query].map { $0.intersection(skipped) } ?? skipped
    }
  }

  /// Carries everything from one commit to a later one.
  mutating func apply(_ step: LiveStep, _ store: Store) {
    var changed: Set<Int> = []
    var changedRows: [LiveRow] = []
    var stale = Stale()
    for segment in step.segments {
      for (model, change) in segment.changes.sorted(by: { $0.key < $1.key }) {
        for query in dependents[model] ?? [] { stale.insert(query, skipped: segment.skipped) }
        guard case .rows(let changes) = change else {
          for query in followers[model] ?? [] { stale.insert(query, skipped: segment.skipped) }
          stale.models.insert(model)
          continue
        }
        apply(changes, model, segment.skipped, step.sequence, &changed, &stale)
        changedRows += apply(changes, model, segment.skipped, step.sequence)
      }
    }
    position = max(position, step.sequence)
    for observer in commits.values { observer.take(step) }
    for number in changed where stale.queries[number] == nil {
      queries[number]?.publish(step.sequence)
    }
    for row in changedRows { row.publish(step.sequence) }
    read(stale, store)
  }

  /// Applies the store's own commits, as far as none of others lies between.
  ///
  /// - Parameter own: The commits, in order; those that are left lie behind one of others.
  mutating func follow(
    _ own: inout ArraySlice<CommitRecord>, _ observed: ObservedModels, _ store: Store
  ) {
    while let record = own.first, record.sequence <= position + 1 {
      own.removeFirst()
      if record.sequence > position { apply(LiveStep(record, for: observed), store) }
    }
  }

  /// Applies changes to the queries that they may matter to.
  private mutating func apply(
    _ changes: [RowChange], _ model: Int, _ skipped: Set<Int>, _ sequence: UInt64,
    _ changed: inout Set<Int>, _ stale: inout Stale
  ) {
    let concerned: [Int: [Int]]
    do {
      concerned = try indexes[model]?.observers(of: changes) ?? [:]
    } catch {
      // A row that cannot be looked up ends those that hold it, when they read it.
      for query in followers[model] ?? [] { stale.insert(query, skipped: []) }
      return
    }
    for (number, places) in concerned {
      guard let query = queries[number], query.sequence < sequence else { continue }
      do {
        switch try query.apply(places.map { changes[$0] }, skipped: skipped) {
        case .unchanged: continue
        case .changed: changed.insert(number)
        case .needsRun: stale.insert(number, skipped: skipped)
        }
      } catch {
        fail(query, error)
      }
    }
  }

  /// Applies changes to observed objects; those that changed.
  private func apply(
    _ changes: [RowChange], _ model: Int, _ skipped: Set<Int>, _ sequence: UInt64
  ) -> [LiveRow] {
    guard let observed = rows[model]?.rows else { return [] }
    return changes.compactMap { change in
      guard let row = observed[change.key], row.sequence < sequence else { return nil }
      row.apply(change.new, skipped: skipped)
      return row
    }
  }

  /// Reads again what is stale, all in one transaction.
  mutating func read(_ stale: Stale, _ store: Store) {
    let models = rows.filter { stale.models.contains($0.key) }
    if stale.queries.isEmpty && models.isEmpty { return }
    do {
      try store.readLive { transaction, sequence in
        for (number, skipped) in stale.queries.sorted(by: { $0.key < $1.key }) {
          guard let query = queries[number] else { continue }
          do {
            try query.run(in: transaction, at: sequence, skipped: skipped)
            query.publish(sequence)
          } catch {
            fail(query, error)
          }
        }
        for (model, observed) in models {
          for (key, row) in observed.rows {
            do {
              try row.read(key, of: observed.shape, in: transaction, at: sequence)
              row.publish(sequence)
            } catch {
              for observer in row.observers.values { observer.fail(error) }
              rows[model]?.rows[key] = nil
            }
          }
        }
      }
    } catch {
      for number in stale.queries.keys { queries[number].map { fail($0, error) } }
      for (model, observed) in models {
        for row in observed.rows.values { row.observers.values.forEach { $0.fail(error) } }
        rows[model] = nil
      }
    }
  }

  /// Reads everything again, because commits were missed.
  mutating func readAll(_ store: Store) {
    var stale = Stale()
    for number in queries.keys { stale.queries[number] = [] }
    stale.models = Set(rows.keys)
    do {
      position = max(position, try store.readLive { _, sequence in sequence })
    } catch {
      for query in queries.values { fail(query, error) }
      for observer in commits.values { observer.fail(error) }
      commits = [:]
    }
    for observer in commits.values { observer.miss(through: position) }
    read(stale, store)
  }

  private mutating func fail(_ query: LiveQuery, _ error: any Error) {
    for observer in query.observers.values { observer.fail(error) }
    remove(query)
  }
}
