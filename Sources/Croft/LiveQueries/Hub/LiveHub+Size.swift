extension LiveHub {
  /// What the hub keeps, counted; for tests.
  struct Size: Hashable, Sendable {
    var observers = 0
    /// Observers that wait for a commit which they need not hear of.
    var heldObservers = 0
    var queries = 0
    /// The rows of the queries' results, those that limits leave out for now among them.
    var rows = 0
    var objects = 0
    var waitingCommits = 0
    var waitingBytes = 0
  }
}

extension LiveState {
  /// Counts what is kept.
  func count(into size: inout LiveHub.Size) {
    size.queries = queries.count
    size.rows = queries.values.reduce(0) { $0 + $1.evaluator.results.tree.count }
    size.objects = rows.values.reduce(0) { $0 + $1.rows.count }
  }
}
