import Croft
import Synchronization

/// Wakes the pages that are open after each commit of any process.
///
/// Threads: any.
final class CommitSignal: Sendable {
  /// How many pages are woken at most; others show what is there when they are loaded.
  static let countMax = 24

  /// What a page is woken for.
  struct Reasons: Sendable {
    /// Whether there was a commit since the last time.
    var isCommitted = false
  }

  private struct Page {
    let continuation: AsyncStream<Void>.Continuation
    var reasons = Reasons()
  }

  private struct State {
    var pages: [Int: Page] = [:]
    var joined = 0
    /// Follows one store after the other as long as a page is open.
    var work: Task<Void, Never>?
    /// Follows the store that is open now.
    var following: Task<Void, Never>?
  }

  private let store: ShownStore
  private let state = Mutex(State())

  /// Makes a signal, which follows nothing before a page joins.
  init(of store: ShownStore) {
    self.store = store
    store.onForget { [weak self] in self?.state.withLock { $0.following }?.cancel() }
  }

  /// Adds a page; the elements of the stream wake it, at first at once, and several that it has not seen are one.
  ///
  /// - Returns: The number by which it leaves; nil where there are too many.
  func join() -> (id: Int, wakings: AsyncStream<Void>)? {
    let (wakings, continuation) = AsyncStream.makeStream(
      of: Void.self, bufferingPolicy: .bufferingNewest(1))
    continuation.yield()
    return state.withLock { state in
      guard state.pages.count < Self.countMax else { return nil }
      state.joined += 1
      state.pages[state.joined] = Page(
        continuation: continuation, reasons: Reasons(isCommitted: true))
      if state.work == nil { state.work = Task { await self.followStores() } }
      return (state.joined, wakings)
    }
  }

  /// Whether another page can join.
  var hasRoom: Bool { state.withLock { $0.pages.count < Self.countMax } }

  /// Wakes a page.
  func wake(_ id: Int) { state.withLock { _ = $0.pages[id]?.continuation.yield() } }

  /// What a page was woken for since it asked the last time.
  func takeReasons(_ id: Int) -> Reasons {
    state.withLock { state in
      defer { state.pages[id]?.reasons = Reasons() }
      return state.pages[id]?.reasons ?? Reasons()
    }
  }

  /// Ends the wakings of a page.
  func finish(_ id: Int) { state.withLock { $0.pages[id]?.continuation.finish() } }

  /// Removes a page; without one nothing is followed.
  func leave(_ id: Int) {
    let tasks: [Task<Void, Never>?] = state.withLock { state in
      state.pages[id] = nil
      guard state.pages.isEmpty else { return [] }
      defer { (state.work, state.following) = (nil, nil) }
      return [state.work, state.following]
    }
    for task in tasks { task?.cancel() }
  }

  private func followStores() async {
    while !Task.isCancelled {
      let following = Task { await follow() }
      state.withLock { $0.following = following }
      await withTaskCancellationHandler {
        await following.value
      } onCancel: {
        following.cancel()
      }
      // The file may be another one, or is missing, which the pages find out by themselves.
      wakeAll()
      // The error is ignored: it says that the last page has left, and the loop ends.
      try? await Task.sleep(for: .seconds(1))
    }
  }

  private func follow() async {
    // The error is ignored: the pages read the store too, and tell it.
    guard let commits = try? store.current.commits else { return }
    let iterator = commits.makeAsyncIterator()
    // A page may have read the store before the iterator was made, and not have seen the commits in between.
    wakeAll()
    while await iterator.next() != nil { wakeAll() }
  }

  private func wakeAll() {
    state.withLock { state in
      for id in state.pages.keys {
        state.pages[id]?.reasons.isCommitted = true
        state.pages[id]?.continuation.yield()
      }
    }
  }
}
