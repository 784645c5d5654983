import Dispatch
import Synchronization

@testable import Croft

// What tests read of the hub.

extension LiveHub {
  /// The counts of what the hub keeps.
  struct Size: Hashable, Sendable {
    var observers = 0
    var queries = 0
    /// The rows of the queries' results, and those that limits leave out for now.
    var rows = 0
    var objects = 0
    var waitingCommits = 0
    var waitingBytes = 0
  }

  /// How many observers there are.
  var observerCount: Int { incoming.withLock { $0.observers.count } }

  /// How many computations have said what they need of commits.
  var regionCount: Int { incoming.withLock { $0.computed.count } }

  /// The counts of what the hub keeps now.
  var size: Size {
    var size = inspect { state in
      var size = Size()
      size.queries = state.queries.count
      size.rows = state.queries.reduce(0) { $0 + $1.results.tree.count }
      size.objects = state.computations.count { $0 is LiveObject }
      return size
    }
    incoming.withLock { incoming in
      size.observers = incoming.observers.count
      size.waitingCommits = incoming.pending.count
      size.waitingBytes = incoming.pending.byteCount
    }
    return size
  }

  /// Sets the limit of captured bytes that wait.
  func setPendingBound(_ bytes: Int) { incoming.withLock { $0.pending.longestBytes = bytes } }

  /// Reads the state on the hub's queue.
  func inspect<R: Sendable>(_ body: @Sendable (LiveState) -> R) -> R {
    queue.sync { state.withLock { body($0) } }
  }
}

extension LiveState {
  /// The live queries.
  var queries: [LiveQuery] { computations.compactMap { $0 as? LiveQuery } }
}
