internal import Dispatch
import Synchronization

// What tests wait for and look at.

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

  /// How many observers there are.
  var observerCount: Int { incoming.withLock { $0.subjects.count } }

  /// Waits until all that was committed so far is worked out, and told on the hub's own queue.
  ///
  /// For tests; what closures do meanwhile may need another call.
  func drain() {
    queue.sync {}
    deliveries.sync {}
  }

  /// What is kept now, for tests.
  var size: Size {
    var size = inspect { state in
      var size = Size()
      state.count(into: &size)
      return size
    }
    incoming.withLock { incoming in
      size.observers = incoming.subjects.count
      size.heldObservers = incoming.held.count
      size.waitingCommits = incoming.inbox.count
      size.waitingBytes = incoming.inbox.byteCount
    }
    return size
  }

  /// Sets how many bytes of commits wait at most, for tests.
  func setInboxBound(_ bytes: Int) { incoming.withLock { $0.inbox.longestBytes = bytes } }

  /// Looks at the state on the queue, for tests.
  func inspect<R: Sendable>(_ body: @Sendable (LiveState) -> R) -> R {
    queue.sync { state.withLock { body($0) } }
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
