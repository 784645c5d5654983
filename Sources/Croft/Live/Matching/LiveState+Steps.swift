extension LiveState {
  /// Queries and objects that are to be read again.
  struct Stale {
    /// For each query, the observers that need not hear of any of the reasons.
    var queries: [Int: Set<Int>] = [:]
    /// Models whose observed objects are read again.
    var models: Set<Int> = []

    var isEmpty: Bool { queries.isEmpty && models.isEmpty }

    mutating func insert(_ query: Int, skipped: Set<Int>) {
      queries[query] = queries[query].map { $0.intersection(skipped) } ?? skipped
    }
  }

  /// Carries everything from one commit to a later one.
  mutating func apply(_ step: CommitDelta, _ store: Store) {
    var changed: Set<Int> = []
    var changedRows: [LiveObject] = []
    // What has yet to be read has nothing that changes could be applied to.
    var stale = takeUnread()
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
    _ own: inout ArraySlice<PendingCommit>, _ observed: ObservedRegions, _ store: Store
  ) {
    while let record = own.first, record.sequence <= position + 1 {
      own.removeFirst()
      if record.sequence > position { apply(CommitDelta(record, for: observed), store) }
    }
  }

  /// Applies changes to the queries that they may matter to.
  private mutating func apply(
    _ changes: [RowDelta], _ model: Int, _ skipped: Set<Int>, _ sequence: UInt64,
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
      if stale.queries[number] != nil {
        // It is run anyway, and until then there is nothing that changes could be applied to.
        stale.insert(number, skipped: skipped)
        continue
      }
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
    _ changes: [RowDelta], _ model: Int, _ skipped: Set<Int>, _ sequence: UInt64
  ) -> [LiveObject] {
    guard let observed = rows[model]?.rows else { return [] }
    return changes.compactMap { change in
      guard let row = observed[change.key], row.sequence < sequence else { return nil }
      row.apply(change.new, skipped: skipped)
      return row
    }
  }

  /// Reads what could not be read before.
  mutating func readAgain(_ store: Store) { read(takeUnread(), store) }

  private mutating func takeUnread() -> Stale {
    defer { unread = Stale() }
    return unread
  }

  /// Leaves a query to be read later.
  private mutating func leave(_ query: Int, skipped: Set<Int>, because error: any Error) {
    unread.insert(query, skipped: skipped)
    delay = error
  }

  /// Leaves a model's observed objects to be read later.
  private mutating func leave(objectsOf model: Int, because error: any Error) {
    unread.models.insert(model)
    delay = error
  }

  /// Reads again what is stale, all in one transaction; what cannot be read now is left for later.
  mutating func read(_ stale: Stale, _ store: Store) {
    let models = rows.filter { stale.models.contains($0.key) }
    if stale.isEmpty { return }
    do {
      try store.readLive { transaction, sequence in
        for (number, skipped) in stale.queries.sorted(by: { $0.key < $1.key }) {
          guard let query = queries[number] else { continue }
          do {
            // Nobody may skip a run that reads later commits as well.
            let skipped = sequence == position ? skipped : []
            try query.run(in: transaction, at: sequence, skipped: skipped)
            query.publish(sequence)
          } catch  where StoreError.isPassing(error) {
            leave(number, skipped: skipped, because: error)
          } catch {
            fail(query, error)
          }
        }
        for (model, observed) in models {
          for (key, row) in observed.rows {
            do {
              try row.read(key, of: observed.schema, in: transaction, at: sequence)
              row.publish(sequence)
            } catch  where StoreError.isPassing(error) {
              leave(objectsOf: model, because: error)
            } catch {
              for observer in row.observers.values { observer.fail(error) }
              rows[model]?.rows[key] = nil
            }
          }
        }
      }
    } catch  where StoreError.isPassing(error) {
      for (number, skipped) in stale.queries {
        leave(number, skipped: skipped, because: error)
      }
      for model in models.keys { leave(objectsOf: model, because: error) }
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
    } catch  where StoreError.isPassing(error) {
      // The position tells what is missing, and that is looked for again.
      delay = error
      return
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
