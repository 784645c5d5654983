import Presentation
import Reactive
import Synchronization
import TodoKit

/// The state of one page, read and rendered once for all the browsers that show it.
///
/// It observes the store as long as it is shown, and wakes the connections after each change. Of the
/// states that a connection has not taken it gets the last one. A store that cannot be read is tried again
/// each second; until then the connections have its message.
///
/// Threads: any.
final class LivePage: Sendable {
  /// The last state, and the message of a store that has failed since.
  struct Snapshot: Sendable {
    /// The last state, with the events that lead to it.
    var events: SharedEvents?
    var failure: String?

    var page: RenderedPage? { events?.page }
  }

  private struct State {
    var snapshot = Snapshot()
    var connections: [Int: AsyncStream<Void>.Continuation] = [:]
    var connectionsMade = 0
    var work: Task<Void, Never>?
  }

  private let refreshing: Duration
  private let states: Observable<TodoOverview>
  private let render: @Sendable (TodoOverview, RenderedPage?) -> RenderedPage
  private let message: @Sendable (any Error) -> String
  private let state = Mutex(State())

  /// Makes a page, which reads nothing until a connection joins.
  ///
  /// - Parameters:
  ///   - states: What is shown, now and after each commit that changed it.
  ///   - render: Makes the HTML; it is given the last one, whose rows it may take over.
  ///   - message: What people read of an error of the store.
  ///   - refreshing: After how long the last state is rendered once more.
  init(
    states: Observable<TodoOverview>,
    render: @escaping @Sendable (TodoOverview, RenderedPage?) -> RenderedPage,
    message: @escaping @Sendable (any Error) -> String, refreshing: Duration = .seconds(30)
  ) {
    (self.states, self.render, self.message) = (states, render, message)
    self.refreshing = refreshing
  }

  /// The state now.
  var snapshot: Snapshot { state.withLock { $0.snapshot } }

  /// Adds a connection; the elements of the stream wake it, several that it has not seen are one.
  func join() -> (id: Int, wakings: AsyncStream<Void>) {
    let (wakings, waker) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let id = state.withLock { state in
      state.connectionsMade += 1
      state.connections[state.connectionsMade] = waker
      if state.work == nil { state.work = Task { await self.observe() } }
      if state.snapshot.events != nil || state.snapshot.failure != nil { waker.yield() }
      return state.connectionsMade
    }
    return (id, wakings)
  }

  /// Wakes a connection.
  func wake(_ id: Int) { state.withLock { _ = $0.connections[id]?.yield() } }

  /// Ends the wakings of a connection.
  func finish(_ id: Int) { state.withLock { $0.connections[id]?.finish() } }

  /// Removes a connection.
  ///
  /// - Returns: Whether it was the last one; then nothing is observed any more.
  func leave(_ id: Int) -> Bool {
    let work: Task<Void, Never>? = state.withLock { state in
      state.connections[id] = nil
      guard state.connections.isEmpty else { return nil }
      defer { (state.work, state.snapshot) = (nil, Snapshot()) }
      return state.work
    }
    work?.cancel()
    return work != nil
  }

  private func observe() async {
    while !Task.isCancelled {
      let latest = Mutex<TodoOverview?>(nil)
      // Wakes the rendering; several states that it has not seen are one.
      let (wakings, waker) = AsyncThrowingStream.makeStream(
        of: Void.self, bufferingPolicy: .bufferingNewest(1))
      let subscription = states.subscribe(
        onNext: { shown in
          latest.withLock { $0 = shown }
          waker.yield()
        }, onError: { waker.finish(throwing: $0) })
      // Times pass by which something is due, also without a commit.
      let clock = Task {
        while true {
          try await Task.sleep(for: refreshing)
          waker.yield()
        }
      }
      do {
        for try await _ in wakings {
          if let shown = latest.withLock({ $0 }) { publish(render(shown, snapshot.page)) }
        }
      } catch {
        fail(message(error))
      }
      clock.cancel()
      subscription.dispose()
      // The error is ignored: it says that the last connection has left, and the loop ends.
      try? await Task.sleep(for: .seconds(1))
    }
  }

  private func publish(_ page: RenderedPage) {
    let last = snapshot
    if last.page == page, last.failure == nil { return }
    put(Snapshot(events: SharedEvents(to: page)))
  }

  private func fail(_ message: String) {
    var failed = snapshot
    if failed.failure == message { return }
    failed.failure = message
    put(failed)
  }

  private func put(_ snapshot: Snapshot) {
    state.withLock { state in
      // The last connection may have left meanwhile.
      if state.connections.isEmpty { return }
      state.snapshot = snapshot
      for waker in state.connections.values { waker.yield() }
    }
  }
}
