import LMDB

/// The results of all live queries and observed objects of a store, as of one commit.
///
/// ``apply(_:_:)`` takes them to the next commit. A commit costs what it concerns: an index finds
/// the queries that a changed row may match, and a dictionary finds observed objects by key.
///
/// Confined to the hub's queue.
struct LiveState {
  /// The last commit that was applied.
  var position: UInt64 = 0
  var queries: [Int: LiveQuery] = [:]
  var numbers: [LiveQuery.ID: Int] = [:]
  private var lastNumber = 0
  /// Finds the incremental queries that a row may match, by their model's number.
  var indexes: [Int: ObserverIndex] = [:]
  /// The incremental queries: fetched again after an unknown change of their model, by its number.
  var incremental: [Int: Set<Int>] = [:]
  /// The queries that are fetched again after any change of a model, by the model's number.
  var dependents: [Int: Set<Int>] = [:]
  /// The observed objects, by their model's number and their keys.
  var objects: [Int: ObservedObjects] = [:]
  var commits: [Int: CommitObservation] = [:]
  /// The observers of several queries.
  var combinations: [Int: CombinedQueries] = [:]
  /// What closures read, and aggregates.
  var computations = LiveComputations()
  /// The observers that have yet to get their first value.
  var waiting: [ObserverEntry] = []
  /// What could not be read when it was tried last.
  var pendingRefetch = Refetch()
  /// Why something could not be read when it was tried last; nil where nothing failed.
  var retryReason: (any Error)?

  /// The observed objects of a model.
  struct ObservedObjects {
    let schema: Schema
    var byKey: [[UInt8]: LiveObject] = [:]
  }

  /// Queries and objects to read again from the store.
  struct Refetch {
    /// For each query, the observers that skip every change that it is read again for.
    var queries: [Int: Set<Int>] = [:]
    /// The models whose observed objects are read again.
    var models: Set<Int> = []
    /// For each computation, whether its observer skips every change that it runs again for.
    var computations: [Int: Bool] = [:]

    var isEmpty: Bool { queries.isEmpty && models.isEmpty && computations.isEmpty }

    mutating func insert(_ query: Int, skipped: Set<Int>) {
      queries[query] = queries[query].map { $0.intersection(skipped) } ?? skipped
    }

    mutating func insert(computation number: Int, skipped: Set<Int>) {
      let isSkipped = computations[number] ?? true
      computations[number] = isSkipped && skipped.contains(number)
    }
  }

  /// Whether nothing is observed.
  var isEmpty: Bool {
    queries.isEmpty && objects.isEmpty && commits.isEmpty && computations.isEmpty
  }
}

// A commit.

extension LiveState {
  /// Applies a delta, and hands every result that changed to its observers.
  mutating func apply(_ delta: CommitDelta, _ store: Store) {
    read(applyRows(of: delta), store)
    publishCombinations()
  }

  /// Applies a delta of commits of others, in the transaction in which their rows were read.
  ///
  /// A query that is run again then reads the delta's commit, and not a later one.
  ///
  /// - Parameters:
  ///   - delta: The changes.
  ///   - transaction: Shows the last commit, which is the delta's or an own commit after it.
  ///   - sequence: The last commit.
  mutating func apply(
    _ delta: CommitDelta, in transaction: inout ReadTransaction, at sequence: UInt64, _ store: Store
  ) {
    read(applyRows(of: delta), in: &transaction, at: sequence, store)
    publishCombinations()
  }

  /// Applies the rows of a delta.
  ///
  /// - Returns: What has to be read again from the store.
  private mutating func applyRows(of delta: CommitDelta) -> Refetch {
    var changed: Set<Int> = []
    var changedObjects: [LiveObject] = []
    var computed: Set<Int> = []
    // A query that has yet to be read has no result that a delta could be applied to.
    var refetch = takePendingRefetch()
    for part in delta.parts {
      for (model, table) in part.tables.sorted(by: { $0.key < $1.key }) {
        needRun(dependents[model], after: delta.sequence, skipped: part.skipped, &refetch)
        if !computations.isEmpty {
          computations.apply(table, of: model, skipped: part.skipped, delta, &computed, &refetch)
        }
        guard case .rows(let rows) = table else {
          needRun(incremental[model], after: delta.sequence, skipped: part.skipped, &refetch)
          refetch.models.insert(model)
          continue
        }
        applyToQueries(rows, model, part.skipped, delta.sequence, &changed, &refetch)
        changedObjects += applyToObjects(rows, model, part.skipped, delta.sequence)
      }
    }
    position = max(position, delta.sequence)
    for observer in commits.values { observer.take(delta) }
    for number in changed where refetch.queries[number] == nil {
      queries[number]?.publish(delta.sequence)
    }
    for object in changedObjects { object.publish(delta.sequence) }
    for number in computed where refetch.computations[number] == nil {
      computations.publish(number, delta.sequence)
    }
    return refetch
  }

  /// Has queries run again, but for those that have read the commit or a later one.
  private func needRun(
    _ numbers: Set<Int>?, after sequence: UInt64, skipped: Set<Int>, _ refetch: inout Refetch
  ) {
    for number in numbers ?? [] where (queries[number]?.sequence ?? 0) < sequence {
      refetch.insert(number, skipped: skipped)
    }
  }

  /// Applies row deltas to the incremental queries that the rows may match.
  private mutating func applyToQueries(
    _ rows: [RowDelta], _ model: Int, _ skipped: Set<Int>, _ sequence: UInt64,
    _ changed: inout Set<Int>, _ refetch: inout Refetch
  ) {
    let concerned: [Int: [Int]]
    do {
      concerned = try indexes[model]?.observers(of: rows) ?? [:]
    } catch {
      // The index cannot read a row: a query that has the row fails when it is fetched again.
      for query in incremental[model] ?? [] { refetch.insert(query, skipped: []) }
      return
    }
    for (number, places) in concerned {
      guard let query = queries[number], query.sequence < sequence else { continue }
      if refetch.queries[number] != nil {
        // It is fetched again anyway; until then its result is not current.
        refetch.insert(number, skipped: skipped)
        continue
      }
      do {
        switch try query.apply(places.map { rows[$0] }, skipped: skipped) {
        case .unchanged: continue
        case .changed: changed.insert(number)
        case .needsRun: refetch.insert(number, skipped: skipped)
        }
      } catch {
        fail(query, error)
      }
    }
  }

  /// Applies row deltas to the observed objects of a model.
  ///
  /// - Returns: The objects that have a delta.
  private func applyToObjects(
    _ rows: [RowDelta], _ model: Int, _ skipped: Set<Int>, _ sequence: UInt64
  ) -> [LiveObject] {
    guard let observed = objects[model]?.byKey else { return [] }
    return rows.compactMap { row in
      guard let object = observed[row.key], object.sequence < sequence else { return nil }
      object.apply(row.new, skipped: skipped)
      return object
    }
  }
}

// Reading from the store.

extension LiveState {
  /// Reads what could not be read before.
  mutating func retryRefetch(_ store: Store) { read(takePendingRefetch(), store) }

  /// Reads all results again, because the changes of some commits are unknown.
  mutating func refetchAll(_ store: Store) {
    var refetch = Refetch()
    for number in queries.keys { refetch.queries[number] = [] }
    refetch.models = Set(objects.keys)
    for number in computations.numbers { refetch.computations[number] = false }
    do {
      position = max(position, try store.readLive { _, sequence in sequence })
    } catch  where StoreError.isPassing(error) {
      // The position stays, so that the commits past it are looked for again.
      retryReason = error
      return
    } catch {
      for query in queries.values { fail(query, error) }
      for observer in commits.values { observer.fail(error) }
      commits = [:]
    }
    for observer in commits.values { observer.miss(through: position) }
    read(refetch, store)
  }

  /// Reads queries and objects in one transaction; what cannot be read for a moment is deferred.
  private mutating func read(_ refetch: Refetch, _ store: Store) {
    if refetch.isEmpty { return }
    let models = objects.filter { refetch.models.contains($0.key) }
    do {
      try store.readLive { transaction, sequence in
        read(refetch, in: &transaction, at: sequence, store)
      }
    } catch  where StoreError.isPassing(error) {
      for (number, skipped) in refetch.queries {
        deferQuery(number, skipped: skipped, because: error)
      }
      for (number, isSkipped) in refetch.computations {
        deferComputation(number, isSkipped: isSkipped, because: error)
      }
      for model in models.keys { deferObjects(of: model, because: error) }
    } catch {
      for number in refetch.queries.keys { queries[number].map { fail($0, error) } }
      for number in refetch.computations.keys { computations.fail(number, error) }
      for (model, observed) in models {
        for object in observed.byKey.values { object.observers.values.forEach { $0.fail(error) } }
        objects[model] = nil
      }
    }
  }

  private mutating func read(
    _ refetch: Refetch, in transaction: inout ReadTransaction, at sequence: UInt64, _ store: Store
  ) {
    if refetch.isEmpty { return }
    let queries = addingPartners(to: refetch.queries, at: sequence)
    for (number, skipped) in queries.sorted(by: { $0.key < $1.key }) {
      guard let query = self.queries[number] else { continue }
      do {
        // Skipping applies only if the query reads exactly this commit.
        let skipped = sequence == position ? skipped : []
        try query.run(in: transaction, at: sequence, skipped: skipped)
        query.publish(sequence)
      } catch  where StoreError.isPassing(error) {
        deferQuery(number, skipped: skipped, because: error)
      } catch {
        fail(query, error)
      }
    }
    for (number, isSkipped) in refetch.computations.sorted(by: { $0.key < $1.key }) {
      do {
        try computations.run(
          number, in: &transaction, at: sequence, isSkipped: isSkipped && sequence == position,
          store)
      } catch {
        deferComputation(number, isSkipped: isSkipped, because: error)
      }
    }
    for (model, observed) in objects where refetch.models.contains(model) {
      for (key, object) in observed.byKey {
        do {
          try object.read(key, of: observed.schema, in: transaction, at: sequence)
          object.publish(sequence)
        } catch  where StoreError.isPassing(error) {
          deferObjects(of: model, because: error)
        } catch {
          for observer in object.observers.values { observer.fail(error) }
          objects[model]?.byKey[key] = nil
        }
      }
    }
  }

  /// The queries to run again, with those that must reach the same commit as one of them.
  ///
  /// A query that is run again may read a later commit than the state's position. Its results are
  /// handed over with those of the queries that are observed together with it once the position has
  /// reached that commit. Where two of them had read different commits, one of them might be ahead at
  /// any position, as long as writers do not stop.
  private func addingPartners(
    to queries: [Int: Set<Int>], at sequence: UInt64
  ) -> [Int: Set<Int>] {
    var all = queries
    for combination in combinations.values {
      let numbers = combination.ids.compactMap { self.numbers[$0] }
      guard numbers.contains(where: { queries[$0] != nil }) else { continue }
      for number in numbers where all[number] == nil {
        let read = self.queries[number]?.sequence ?? 0
        if read > position, read != sequence { all[number] = [] }
      }
    }
    return all
  }

  private mutating func takePendingRefetch() -> Refetch {
    defer { pendingRefetch = Refetch() }
    return pendingRefetch
  }

  private mutating func deferQuery(_ query: Int, skipped: Set<Int>, because error: any Error) {
    pendingRefetch.insert(query, skipped: skipped)
    retryReason = error
  }

  private mutating func deferComputation(_ number: Int, isSkipped: Bool, because error: any Error) {
    pendingRefetch.computations[number] =
      isSkipped && pendingRefetch.computations[number] ?? true
    retryReason = error
  }

  private mutating func deferObjects(of model: Int, because error: any Error) {
    pendingRefetch.models.insert(model)
    retryReason = error
  }

  private mutating func fail(_ query: LiveQuery, _ error: any Error) {
    for observer in query.observers.values { observer.fail(error) }
    remove(query)
  }
}

// Observers.

extension LiveState {
  /// Adds an observer, and gives it its first value.
  ///
  /// - Parameter isBehind: Whether the state lacks commits that the value has to have.
  /// - Returns: Whether it was added. It is not where it shares a result that cannot be taken past
  ///   the commits that the state lacks, because an observer skips one of them.
  /// - Throws: ``StoreError`` where the value cannot be read; then nothing is added.
  mutating func add(_ entry: ObserverEntry, isBehind: Bool, _ store: Store) throws -> Bool {
    switch entry {
    case .query(let core, let schema, let observer):
      return try addQuery(core, schema, observer, isBehind: isBehind, store)
    case .object(let key, let schema, let observer):
      return try addObject(key, schema, observer, isBehind: isBehind, store)
    case .combination(let queries):
      var isWhole = false
      defer { if !isWhole { remove(queries) } }
      for id in queries.ids {
        let part = queries.part(of: id)
        guard try addQuery(id.core, id.model, part, isBehind: isBehind, store) else { return false }
      }
      isWhole = true
      combinations[queries.target.number] = queries
    case .computation(_, let make):
      try store.readLive { transaction, sequence in
        let isFirst = isEmpty
        try computations.add(make(), in: &transaction, at: sequence, store)
        if isFirst { position = sequence }
      }
    case .commits(let observer):
      // Most begin with `LiveHub.add`. This one could not read the last commit then.
      let last = try store.readLive { $1 }
      if commits[observer.number] == nil, observer.beginLate(after: last) {
        add(observer, after: last)
      }
    }
    return true
  }

  /// Adds an observer of commits.
  ///
  /// - Parameter last: The last commit that the observer does not get.
  mutating func add(_ observer: CommitObservation, after last: UInt64) {
    if isEmpty { position = last }
    commits[observer.number] = observer
  }

  private mutating func addQuery(
    _ core: QueryCore, _ schema: Schema, _ observer: any ValueObserver<ResultRows>,
    isBehind: Bool, _ store: Store
  ) throws -> Bool {
    let id = LiveQuery.ID(core, schema)
    if let number = numbers[id], let query = queries[number] {
      if isBehind, try !update(query, store) { return false }
      query.observers[observer.number] = observer
      observer.update(query.results, max(position, query.sequence))
      return true
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
    if query.isIncremental {
      indexes[model, default: ObserverIndex()].insert(query.number, core, schema)
      incremental[model, default: []].insert(query.number)
    } else {
      for model in query.dependencies {
        dependents[model, default: []].insert(query.number)
      }
    }
    query.observers[observer.number] = observer
    query.publish(query.sequence)
    return true
  }

  /// Runs a query again where its result lacks commits, and gives it to those who observe it.
  ///
  /// - Returns: Whether the result has the last commit.
  private func update(_ query: LiveQuery, _ store: Store) throws -> Bool {
    let hasRun: Bool? = try store.readLive { transaction, sequence in
      if sequence <= max(position, query.sequence) { return false }
      let skips = store.live.skips(
        after: position, through: sequence, for: query.observers.keys)
      if skips { return nil }
      try query.run(in: transaction, at: sequence)
      return true
    }
    if hasRun == true { query.publish(query.sequence) }
    return hasRun != nil
  }

  private mutating func addObject(
    _ key: [UInt8], _ schema: Schema, _ observer: any ValueObserver<StoredRow?>,
    isBehind: Bool, _ store: Store
  ) throws -> Bool {
    let (model, new) = try store.readLive { transaction, sequence in
      let catalog = transaction.catalog
      let object = LiveObject()
      try object.read(key, of: schema, in: transaction, at: sequence)
      if isEmpty { position = sequence }
      return (try catalog.table(of: schema).id, object)
    }
    if let object = objects[model]?.byKey[key] {
      if isBehind, max(position, object.sequence) < new.sequence {
        let skips = store.live.skips(
          after: position, through: new.sequence, for: object.observers.keys)
        if skips { return false }
        object.take(new)
        object.publish(new.sequence)
      }
      object.observers[observer.number] = observer
      observer.update(object.row, max(position, object.sequence))
      return true
    }
    new.observers[observer.number] = observer
    // In place, because a copy of the dictionary is O(n) in the observed objects.
    objects[model, default: ObservedObjects(schema: schema)].byKey[key] = new
    new.publish(new.sequence)
    return true
  }

  /// Removes an observer, and its result, unless other observers share it.
  mutating func remove(_ number: Int, from entry: ObserverEntry) {
    waiting.removeAll { $0.observer.number == number }
    switch entry {
    case .query(let core, let schema, _): remove(number, from: LiveQuery.ID(core, schema))
    case .combination(let queries): remove(queries)
    case .object(let key, let schema, _):
      guard let model = objects.first(where: { $0.value.schema === schema })?.key else { return }
      objects[model]?.byKey[key]?.observers[number] = nil
      if objects[model]?.byKey[key]?.observers.isEmpty == true { objects[model]?.byKey[key] = nil }
      if objects[model]?.byKey.isEmpty == true { objects[model] = nil }
    case .commits: commits[number] = nil
    case .computation: computations.remove(number)
    }
  }

  private mutating func remove(_ number: Int, from id: LiveQuery.ID) {
    guard let query = numbers[id].flatMap({ queries[$0] }) else { return }
    query.observers[number] = nil
    if query.observers.isEmpty { remove(query) }
  }

  private mutating func remove(_ combination: CombinedQueries) {
    let number = combination.target.number
    for id in combination.ids { remove(number, from: id) }
    combinations[number] = nil
  }

  /// Gives the observers of several queries the results, where all are of one commit.
  ///
  /// A query that was run at a later commit than the others waits for them, and one that could not be
  /// read lets the others wait.
  func publishCombinations() {
    for combination in combinations.values where combination.isChanged {
      let numbers = combination.ids.compactMap { self.numbers[$0] }
      if numbers.contains(where: { pendingRefetch.queries[$0] != nil }) { continue }
      let sequences = Set(numbers.map { max(position, queries[$0]?.sequence ?? 0) })
      guard sequences.count <= 1 else { continue }
      combination.publish(sequences.first ?? position)
    }
  }

  private mutating func remove(_ query: LiveQuery) {
    queries[query.number] = nil
    numbers[query.id] = nil
    for model in query.dependencies {
      indexes[model]?.remove(query.number)
      dependents[model]?.remove(query.number)
      incremental[model]?.remove(query.number)
      if incremental[model]?.isEmpty == true { (indexes[model], incremental[model]) = (nil, nil) }
      if dependents[model]?.isEmpty == true { dependents[model] = nil }
    }
  }
}

extension Store {
  /// Reads the last commit in a short transaction.
  ///
  /// - Parameter body: Receives the transaction, and the commit's sequence.
  func readLive<R>(_ body: (inout ReadTransaction, UInt64) throws -> R) throws -> R {
    try StoreError.mapping {
      let base = try LMDB.ReadTransaction(beginningIn: environment)
      let (catalog, header) = try catalog(in: base, publishes: true)
      var transaction = ReadTransaction(base, catalog)
      return try body(&transaction, header.sequence)
    }
  }
}
