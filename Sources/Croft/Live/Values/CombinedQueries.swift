import Synchronization

/// The results of several queries, which one observer gets together: all of one commit.
///
/// It takes the place of the observer at each query. The hub publishes what it gathered once all its
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
    state = Mutex(State(results: queries.map { _ in .empty }))
  }

  /// The identities of the queries, each once.
  var ids: Set<LiveQuery.ID> { Set(queries.map { LiveQuery.ID($0.core, $0.schema) }) }

  /// What takes the observer's place at a query.
  func part(of id: LiveQuery.ID) -> CombinedQuery {
    let places = queries.indices.filter {
      LiveQuery.ID(queries[$0].core, queries[$0].schema) == id
    }
    return CombinedQuery(self, places)
  }

  /// Hands the results to the observer, where one of them is new.
  func publish(_ sequence: UInt64) {
    let results = state.withLock { state in
      defer { state.isChanged = false }
      return state.isChanged ? state.results : nil
    }
    if let results { target.update(results, sequence) }
  }

  /// Takes the result of a query.
  func set(_ rows: ResultRows, at places: [Int]) {
    state.withLock { state in
      for place in places { state.results[place] = rows }
      state.isChanged = true
    }
  }

  /// Skips the change of a query's result.
  func skip(from before: ResultRows, to after: ResultRows, at places: [Int]) {
    var (from, to) = state.withLock { ($0.results, $0.results) }
    for place in places { (from[place], to[place]) = (before, after) }
    target.skip(from: from, to: to)
  }
}

/// The observer of one of several queries whose results go to one observer.
///
/// Threads: any.
final class CombinedQuery: ValueObserver {
  private let combination: CombinedQueries
  /// The places of the query among all; more than one where it is named more than once.
  private let places: [Int]

  init(_ combination: CombinedQueries, _ places: [Int]) {
    self.combination = combination
    self.places = places
  }

  var number: Int { combination.target.number }
  var error: (any Error)? { combination.target.error }

  func update(_ value: ResultRows, _ sequence: UInt64) { combination.set(value, at: places) }
  func skip(from before: ResultRows, to after: ResultRows) {
    combination.skip(from: before, to: after, at: places)
  }
  func hold(through sequence: UInt64) { combination.target.hold(through: sequence) }
  func release(through sequence: UInt64) { combination.target.release(through: sequence) }
  func fail(_ error: any Error) { combination.target.fail(error) }
  func end() { combination.target.end() }
}
