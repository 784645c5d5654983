/// All that is observed in a store, and the commit that it shows.
///
/// A commit costs what it concerns: an index finds the queries that a changed row may matter to,
/// and objects are found by their keys.
///
/// Confined to the hub's queue.
struct LiveState {
  /// The last commit that was seen to.
  var position: UInt64 = 0
  var queries: [Int: LiveQuery] = [:]
  var numbers: [LiveQuery.ID: Int] = [:]
  private var lastNumber = 0
  /// Queries that follow rows, by their model's number: which of them a row matters to.
  var indexes: [Int: ObserverIndex] = [:]
  /// Queries that are run again when anything of a model changed, by the model's number.
  var dependents: [Int: Set<Int>] = [:]
  /// Queries that are run again when it is not known what changed of a model.
  var followers: [Int: Set<Int>] = [:]
  /// Observed objects, by their model's number and their keys.
  var rows: [Int: ObservedRows] = [:]
  var commits: [Int: CommitObservation] = [:]
  /// Those who have yet to be given what there is.
  var waiting: [ObserverEntry] = []
  /// What could not be read for a moment.
  var unread = Stale()
  /// Why something could not be read when it was tried last; nil where nothing failed.
  var delay: (any Error)?

  /// The observed objects of a model.
  struct ObservedRows {
    let schema: Schema
    var rows: [[UInt8]: LiveObject] = [:]
  }

  /// Whether nothing is observed.
  var isEmpty: Bool { queries.isEmpty && rows.isEmpty && commits.isEmpty }
}

extension LiveState {
  /// Adds an observer, and gives it what there is.
  ///
  /// - Throws: ``StoreError`` where it cannot be read; then nothing is added.
  mutating func add(_ subject: ObserverEntry, _ store: Store) throws {
    switch subject {
    case .query(let core, let schema, let observer):
      try add(core, schema, observer, store)
    case .row(let key, let schema, let observer):
      try add(key, schema, observer, store)
    case .commits(let observer):
      // Most are met together with the first commit that they are told. This one has waited.
      let last = try store.readLive { $1 }
      if commits[observer.number] == nil, observer.beginLate(after: last) {
        add(observer, after: last)
      }
    }
  }

  /// Adds a reader of commits.
  ///
  /// - Parameter last: The last commit that is not for it.
  mutating func add(_ observer: CommitObservation, after last: UInt64) {
    if isEmpty { position = last }
    commits[observer.number] = observer
  }

  private mutating func add(
    _ core: QueryCore, _ schema: Schema, _ observer: any ValueObserver<ResultRows>,
    _ store: Store
  ) throws {
    let id = LiveQuery.ID(core, schema)
    if let number = numbers[id], let query = queries[number] {
      query.observers[observer.number] = observer
      return observer.update(query.evaluator.results, max(position, query.sequence))
    }
    let query = LiveQuery(lastNumber + 1, core, schema)
    let model = try store.readLive { transaction, sequence in
      try query.run(in: transaction, at: sequence)
      if isEmpty { position = sequence }
      let catalog = transaction.catalog
      return try catalog.table(of: schema).id
    }
    lastNumber += 1
    numbers[id] = query.number
    queries[query.number] = query
    if query.evaluator.isIncremental {
      indexes[model, default: ObserverIndex()].insert(query.number, core, schema)
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
    _ key: [UInt8], _ schema: Schema, _ observer: any ValueObserver<StoredRow?>,
    _ store: Store
  ) throws {
    let (model, fresh) = try store.readLive { transaction, sequence in
      let catalog = transaction.catalog
      let row = LiveObject()
      try row.read(key, of: schema, in: transaction, at: sequence)
      if isEmpty { position = sequence }
      return (try catalog.table(of: schema).id, row)
    }
    if let row = rows[model]?.rows[key] {
      row.observers[observer.number] = observer
      return observer.update(row.row, max(position, row.sequence))
    }
    fresh.observers[observer.number] = observer
    // In place: a copy would cost as much as there are observed objects.
    rows[model, default: ObservedRows(schema: schema)].rows[key] = fresh
    fresh.publish(fresh.sequence)
  }

  /// Removes an observer, and what nobody else observes.
  mutating func remove(_ number: Int, from subject: ObserverEntry) {
    waiting.removeAll { $0.observer.number == number }
    switch subject {
    case .query(let core, let schema, _):
      guard let id = numbers[LiveQuery.ID(core, schema)], let query = queries[id] else { return }
      query.observers[number] = nil
      if query.observers.isEmpty { remove(query) }
    case .row(let key, let schema, _):
      guard let model = rows.first(where: { $0.value.schema === schema })?.key else { return }
      rows[model]?.rows[key]?.observers[number] = nil
      if rows[model]?.rows[key]?.observers.isEmpty == true { rows[model]?.rows[key] = nil }
      if rows[model]?.rows.isEmpty == true { rows[model] = nil }
    case .commits: commits[number] = nil
    }
  }

  mutating func remove(_ query: LiveQuery) {
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
