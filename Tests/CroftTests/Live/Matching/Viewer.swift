import Croft
import Dispatch
import Synchronization
import Testing

/// Shows a query's result as an app does: it changes its list by the delivered changes alone.
final class Viewer<M: Model & Equatable>: Sendable {
  private struct State {
    var list: [M] = []
    var changes: [ResultChange<M>] = []
  }

  private let state = Mutex(State())
  /// Whether all changes are kept, or the last one only.
  private let keepsChanges: Bool

  init(keepsChanges: Bool = true) { self.keepsChanges = keepsChanges }

  /// The list on the screen.
  var list: [M] { state.withLock { $0.list } }
  /// All delivered changes, or the last one.
  var changes: [ResultChange<M>] { state.withLock { $0.changes } }

  /// Changes the list as the viewer's own write changes the store.
  func edit(_ change: (inout [M]) -> Void) { state.withLock { change(&$0.list) } }

  /// Applies a change; the list must be equal to `before` first and to `after` then.
  func take(_ change: ResultChange<M>) {
    state.withLock { state in
      #expect(state.list == Array(change.before))
      #expect(change.sequence >= state.changes.last?.sequence ?? 0)
      if change.isInitial {
        #expect(state.changes.isEmpty)
        state.list = Array(change.after)
      } else {
        #expect(!change.isNothing)
        state.list = change.replay(on: state.list)
        #expect(state.list == Array(change.after))
      }
      if !keepsChanges { state.changes = [] }
      state.changes.append(change)
    }
  }
}

extension ResultChange {
  /// Whether all its lists are empty.
  var isNothing: Bool {
    deletions.isEmpty && insertions.isEmpty && modifications.isEmpty && moves.isEmpty
  }

  /// Applies the indices to a list.
  func replay(on list: [M]) -> [M] {
    let gone = Set(deletions + moves.map(\.from))
    var rest = list.indices.filter { !gone.contains($0) }.map { list[$0] }[...]
    var placed: [Int: M] = [:]
    for place in insertions { placed[place] = after[place] }
    for move in moves { placed[move.to] = move.isModified ? after[move.to] : list[move.from] }
    var result: [M] = []
    while let next = placed[result.count] ?? rest.popFirst() { result.append(next) }
    for place in modificationsAfter { result[place] = after[place] }
    return result
  }
}

extension Store {
  /// Shows a query's result; the token is to be kept.
  func show<M: Model & Equatable>(
    _ query: Query<M>, on delivery: Delivery = .background, keepsChanges: Bool = true
  ) -> (Viewer<M>, ObservationToken) {
    let viewer = Viewer<M>(keepsChanges: keepsChanges)
    return (viewer, observe(query, on: delivery) { viewer.take($0) })
  }
}
