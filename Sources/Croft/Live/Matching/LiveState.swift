import LMDB

/// The values of all computations of a store, as of one commit, and who observes them.
///
/// ``apply(_:_:)`` takes them to the next commit. A commit costs what it concerns: an index finds the
/// computations that a changed row may matter to.
///
/// Confined to the hub's queue.
struct LiveState {
  /// A computation, its last value, and who observes it.
  private struct Entry {
    let computation: any LiveComputation
    let id: LiveSource.ID?
    var value: any Sendable
    var observers: Set<Int> = []
  }

  /// The last commit that was applied.
  var position: UInt64 = 0
  /// The computations, by their numbers.
  private var entries: [Int: Entry] = [:]
  /// The numbers of the computations that observers can share.
  private var numbers: [LiveSource.ID: Int] = [:]
  private var lastNumber = 0
  private var index = RegionIndex()
  /// The observers of values, with the numbers of their computations in order.
  private var observers: [Int: (observer: any ValueObserver, computations: [Int])] = [:]
  /// The observers that have yet to get values that changed.
  private var outdated: Set<Int> = []
  private var commits: [Int: CommitObservation] = [:]
  /// The observers that have yet to get their first value.
  var waiting: [ObserverEntry] = []
  /// The computations that could not run when it was tried last.
  private var pendingRuns: Set<Int> = []
  /// Why something could not be read when it was tried last; nil where nothing failed.
  var retryReason: (any Error)?

  var isEmpty: Bool { entries.isEmpty && commits.isEmpty }

  /// The computations, for tests.
  var computations: some Collection<any LiveComputation> { entries.values.lazy.map(\.computation) }
}

// A commit.

extension LiveState {
  /// Applies a delta, and hands every value that changed to its observers.
  mutating func apply(_ delta: CommitDelta, _ store: Store) {
    run(applyRows(of: delta, store.live), store)
    publish()
  }

  /// Applies a delta of commits of others, in the transaction in which their rows were read.
  ///
  /// A computation that runs again then reads the delta's commit, and not a later one.
  ///
  /// - Parameter transaction: Shows the last commit, which is the delta's or an own commit after
  ///   it.
  mutating func apply(
    _ delta: CommitDelta, in transaction: inout ReadTransaction, at sequence: UInt64, _ store: Store
  ) {
    run(applyRows(of: delta, store.live), in: &transaction, at: sequence, store.live)
    publish()
  }

  /// Applies the rows of a delta; the computations that must run again.
  private mutating func applyRows(of delta: CommitDelta, _ hub: LiveHub) -> Set<Int> {
    var changed: Set<Int> = []
    // A computation that has yet to run has no value that a delta could be applied to.
    var runs = takePendingRuns()
    for tables in delta.parts {
      for (model, table) in tables.sorted(by: { $0.key < $1.key }) {
        for (number, places) in index.touched(by: table, of: model, delta.catalog) {
          guard let computation = entries[number]?.computation,
            computation.sequence < delta.sequence, !runs.contains(number)
          else { continue }
          guard let places, case .rows(let rows) = table else {
            runs.insert(number)
            continue
          }
          do {
            switch try computation.apply(places.map { rows[$0] }) {
            case .unchanged: continue
            case .changed: changed.insert(number)
            case .needsRun: runs.insert(number)
            }
          } catch {
            fail(number, error, hub)
          }
        }
      }
    }
    position = max(position, delta.sequence)
    for observer in commits.values { observer.take(delta) }
    for number in changed.subtracting(runs) { takeValue(of: number, hub) }
    return runs
  }

  /// Takes the value of a computation, where it is another one, for its observers.
  private mutating func takeValue(of number: Int, _ hub: LiveHub) {
    do {
      guard let value = try entries[number]?.computation.newValue() else { return }
      entries[number]?.value = value
      outdated.formUnion(entries[number]?.observers ?? [])
    } catch {
      fail(number, error, hub)
    }
  }

  /// Hands observers the values that changed, where all that one observes are of one commit.
  ///
  /// A computation that has run at a later commit than the others waits for them, and one that could not
  /// run lets the others wait.
  mutating func publish() {
    for number in outdated.sorted() {
      guard let (observer, computations) = observers[number] else { continue }
      if !pendingRuns.isDisjoint(with: computations) { continue }
      let sequences = Set(
        computations.map { max(position, entries[$0]?.computation.sequence ?? 0) })
      guard sequences.count <= 1 else { continue }
      outdated.remove(number)
      observer.update(computations.compactMap { entries[$0]?.value }, sequences.first ?? position)
    }
  }
}

// Reading from the store.

extension LiveState {
  /// Runs what could not run before.
  mutating func retryRuns(_ store: Store) { run(takePendingRuns(), store) }

  /// Runs all computations again, because the changes of some commits are unknown.
  mutating func runAll(_ store: Store) {
    let all = Set(entries.keys)
    do {
      position = max(position, try store.readLive { _, sequence in sequence })
    } catch  where StoreError.isPassing(error) {
      // The position stays, so that the commits past it are looked for again.
      retryReason = error
      return
    } catch {
      for number in all { fail(number, error, store.live) }
      for observer in commits.values { observer.fail(error) }
      commits = [:]
    }
    for observer in commits.values { observer.miss(through: position) }
    run(all, store)
  }

  /// Runs computations in one transaction; what cannot be read for a moment is deferred.
  private mutating func run(_ runs: Set<Int>, _ store: Store) {
    if runs.isEmpty { return }
    do {
      try store.readLive { transaction, sequence in
        run(runs, in: &transaction, at: sequence, store.live)
      }
    } catch  where StoreError.isPassing(error) {
      pendingRuns.formUnion(runs)
      retryReason = error
    } catch {
      for number in runs { fail(number, error, store.live) }
    }
  }

  /// Runs computations, and those that must reach the same commit as they or others that ran at it.
  private mutating func run(
    _ runs: Set<Int>, after others: Set<Int> = [], in transaction: inout ReadTransaction,
    at sequence: UInt64, _ hub: LiveHub
  ) {
    let all = addingPartners(to: runs.union(others), at: sequence).subtracting(others)
    for number in all.sorted() {
      guard let computation = entries[number]?.computation else { continue }
      do {
        try computation.run(in: &transaction, at: sequence)
        setRegion(of: number, hub)
        takeValue(of: number, hub)
      } catch  where StoreError.isPassing(error) {
        pendingRuns.insert(number)
        retryReason = error
      } catch {
        fail(number, error, hub)
      }
    }
  }

  /// The computations to run again, with those that must reach the same commit as one of them.
  ///
  /// A computation that runs again may read a later commit than the state's position. Its value is handed
  /// over with those that are observed together with it once the position has reached that commit. Where
  /// two of them had read different commits, one of them might be ahead at any position, as long as
  /// writers do not stop.
  private func addingPartners(to runs: Set<Int>, at sequence: UInt64) -> Set<Int> {
    var all = runs
    // Those of a partner's other observers too, for it is ahead of them then.
    var added = runs
    while let number = added.popFirst() {
      for observer in entries[number]?.observers ?? [] {
        for partner in observers[observer]?.computations ?? [] where !all.contains(partner) {
          let read = entries[partner]?.computation.sequence ?? 0
          guard read > position, read != sequence else { continue }
          all.insert(partner)
          added.insert(partner)
        }
      }
    }
    return all
  }

  private mutating func takePendingRuns() -> Set<Int> {
    defer { pendingRuns = [] }
    return pendingRuns
  }

  /// Has the index and the writers know what a computation has read.
  private mutating func setRegion(of number: Int, _ hub: LiveHub) {
    guard let region = entries[number]?.computation.region,
      index.region(of: number) != region
    else { return }
    index.set(region, of: number)
    // The next commits of these models are captured; those that were not count as unknown.
    hub.setRegion(of: number, to: region.observed)
  }

  private mutating func fail(_ number: Int, _ error: any Error, _ hub: LiveHub) {
    for observer in entries[number]?.observers ?? [] {
      observers[observer]?.observer.fail(error)
      removeObserver(observer, hub)
    }
  }

  private mutating func remove(_ number: Int, _ hub: LiveHub) {
    guard let entry = entries.removeValue(forKey: number) else { return }
    if let id = entry.id { numbers[id] = nil }
    index.remove(number)
    hub.setRegion(of: number, to: nil)
  }
}

// Observers.

extension LiveState {
  /// Adds an observer; ``publish()`` gives it its first value.
  ///
  /// - Parameter isBehind: Whether the state lacks commits that the value has to have.
  /// - Throws: ``StoreError`` where the value cannot be read; then nothing is added.
  mutating func add(_ entry: ObserverEntry, isBehind: Bool, _ store: Store) throws {
    switch entry {
    case .values(let observer, let sources):
      observers[observer.number] = (observer, [])
      do {
        let isShared = sources.allSatisfy { $0.id.flatMap { numbers[$0] } != nil }
        if isShared, !isBehind {
          for source in sources { attach(observer.number, to: source.id.flatMap { numbers[$0] }) }
        } else {
          // In one transaction, so that all values are of one commit.
          try store.readLive { transaction, sequence in
            for source in sources where observers[observer.number] != nil {
              try attach(
                observer.number, to: source, isBehind: isBehind, in: &transaction, at: sequence,
                store.live)
            }
          }
        }
      } catch {
        removeObserver(observer.number, store.live)
        throw error
      }
      // It has ended where one of its values could not be read.
      if observers[observer.number] != nil { outdated.insert(observer.number) }
    case .commits(let observer):
      // Most begin with `LiveHub.add`. This one could not read the last commit then.
      let last = try store.readLive { $1 }
      if commits[observer.number] == nil, observer.beginLate(after: last) {
        add(observer, after: last)
      }
    }
  }

  /// Adds an observer of the commits after one.
  mutating func add(_ observer: CommitObservation, after last: UInt64) {
    if isEmpty { position = last }
    commits[observer.number] = observer
  }

  private mutating func attach(_ observer: Int, to number: Int?) {
    guard let number, observers[observer] != nil else { return }
    entries[number]?.observers.insert(observer)
    observers[observer]?.computations.append(number)
  }

  /// Attaches an observer to a source's computation, which is made where there is none to share.
  private mutating func attach(
    _ observer: Int, to source: LiveSource, isBehind: Bool, in transaction: inout ReadTransaction,
    at sequence: UInt64, _ hub: LiveHub
  ) throws {
    if let number = source.id.flatMap({ numbers[$0] }), let entry = entries[number] {
      // Attached first: an error of a partner may end the other observers, and the computation with the last.
      attach(observer, to: number)
      if isBehind { try update(number, entry.computation, in: &transaction, at: sequence, hub) }
      return
    }
    let computation = source.make()
    try computation.run(in: &transaction, at: sequence)
    guard let value = try computation.newValue() else {
      preconditionFailure("A computation that has run first has no new value: report this.")
    }
    if isEmpty { position = sequence }
    lastNumber += 1
    entries[lastNumber] = Entry(computation: computation, id: source.id, value: value)
    if let id = source.id { numbers[id] = lastNumber }
    setRegion(of: lastNumber, hub)
    attach(observer, to: lastNumber)
  }

  /// Runs a computation again where its value lacks commits, also for those who observe it already.
  private mutating func update(
    _ number: Int, _ computation: any LiveComputation, in transaction: inout ReadTransaction,
    at sequence: UInt64, _ hub: LiveHub
  ) throws {
    if sequence <= max(position, computation.sequence) { return }
    try computation.run(in: &transaction, at: sequence)
    setRegion(of: number, hub)
    takeValue(of: number, hub)
    run([], after: [number], in: &transaction, at: sequence, hub)
  }

  /// Removes an observer, and its computations, unless other observers share them.
  mutating func remove(_ entry: ObserverEntry, _ hub: LiveHub) {
    let number = entry.observer.number
    waiting.removeAll { $0.observer.number == number }
    commits[number] = nil
    removeObserver(number, hub)
  }

  private mutating func removeObserver(_ observer: Int, _ hub: LiveHub) {
    outdated.remove(observer)
    for number in observers.removeValue(forKey: observer)?.computations ?? [] {
      entries[number]?.observers.remove(observer)
      if entries[number]?.observers.isEmpty == true { remove(number, hub) }
    }
  }
}

extension Store {
  func readLive<R>(_ body: (inout ReadTransaction, UInt64) throws -> R) throws -> R {
    try StoreError.mapping {
      let base = try LMDB.ReadTransaction(beginningIn: environment)
      let (catalog, header) = try catalog(in: base, publishes: true)
      var transaction = ReadTransaction(base, catalog)
      return try body(&transaction, header.sequence)
    }
  }
}
