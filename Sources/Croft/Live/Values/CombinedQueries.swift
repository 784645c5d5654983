import Synchronization

/// The results of several queries, which one observer gets together: all of one commit.
///
/// It replaces the observer at each query. The hub publishes the results whenever all its
/// queries are at the same commit.
///
/// Threads: any; the results have a lock.
final class CombinedQueries: Sendable {
  private struct State {
    var results: [ResultRows]
    var isChanged = false
  }

  let target: any ValueObserver<[ResultRows]>
  /// The queries, in the order in which the observer gets them.
  let queries: [(core: QueryCore, schema: Schema)]
  private let state: Mutex<State>

  init(_ queries: [(core: QueryCore, schema: Schema)], for target: any ValueObserver<[ResultRows]>)
  {
    self.queries = queries
    self.target = target
    // Without queries there is one value, which is delivered once.
    state = Mutex(State(results: queries.map { _ in .empty }, isChanged: queries.isEmpty))
  }

  /// The identities of the queries, each once.
  var ids: Set<LiveQuery.ID> { Set(queries.map { LiveQuery.ID($0.core, $0.schema) }) }

  /// What takes the observer's place at a query.
  func part(of id: LiveQuery.ID) -> CombinedQuery {
    let ordinals = queries.indices.filter {
      LiveQuery.ID(queries[$0].core, queries[$0].schema) == id
    }
    return CombinedQuery(self, ordinals)
  }

  /// Whether a result is new since the results were handed to the observer.
  var isChanged: Bool { state.withLock { $0.isChanged } }

  /// Hands the results to the observer, where one of them is new.
  func publish(_ sequence: UInt64) {
    let results = state.withLock { state in
      defer { state.isChanged = false }
      return state.isChanged ? state.results : nil
    }
    if let results { target.update(results, sequence) }
  }

  /// Takes the result of a query.
  func set(_ rows: ResultRows, at ordinals: [Int]) {
    state.withLock { state in
      for ordinal in ordinals { state.results[ordinal] = rows }
      state.isChanged = true
    }
  }

  /// Skips the change of a query's result.
  func skip(from before: ResultRows, to after: ResultRows, at ordinals: [Int]) {
    var (from, to) = state.withLock { ($0.results, $0.results) }
    for ordinal in ordinals { (from[ordinal], to[ordinal]) = (before, after) }
    target.skip(from: from, to: to)
  }
}

/// The observer of one of several queries whose results go to one observer.
///
/// Threads: any.
final class CombinedQuery: ValueObserver {
  private let combination: CombinedQueries
  /// The ordinals of the query among all; more than one where it is named more than once.
  private let ordinals: [Int]

  init(_ combination: CombinedQueries, _ ordinals: [Int]) {
    self.combination = combination
    self.ordinals = ordinals
  }

  var number: Int { combination.target.number }
  var error: (any Error)? { combination.target.error }

  func update(_ value: ResultRows, _ sequence: UInt64) { combination.set(value, at: ordinals) }
  func skip(from before: ResultRows, to after: ResultRows) {
    combination.skip(from: before, to: after, at: ordinals)
  }
  func hold(through sequence: UInt64) { combination.target.hold(through: sequence) }
  func release(through sequence: UInt64) { combination.target.release(through: sequence) }
  func fail(_ error: any Error) { combination.target.fail(error) }
  func end() { combination.target.end() }
}
