public import Observation
import Synchronization

/// A value that follows a store, for views that are redrawn by the Observation framework.
///
/// ```swift
/// @MainActor final class Screen {
///   let open: ObservedValue<LiveResults<TodoItem>>
///   let count: ObservedValue<Int>
///
///   init(_ store: Store) {
///     open = ObservedValue(of: TodoItem.where { !$0.isDone }, in: store)
///     count = ObservedValue(0, following: store.values(count: TodoItem.all))
///   }
/// }
/// ```
/// A view that reads ``value`` in its body is drawn again after each commit that changes it, and only then. The
/// observation ends when the object is released.
///
/// The object itself is tested on Linux, where `withObservationTracking` tells of its changes. That SwiftUI
/// redraws by it is not tested here, because SwiftUI is on Apple's systems only.
///
/// Threads: the main actor. No writer waits for it; commits made while the main actor is busy come as one change.
@MainActor @Observable
public final class ObservedValue<Value: Sendable> {
  /// The value after the last commit that was delivered; until the first one, what it was made with.
  public private(set) var value: Value
  /// The error that ended the observation; nil where none did.
  public private(set) var error: (any Error)?
  @ObservationIgnored private nonisolated let task = Mutex<Task<Void, Never>?>(nil)

  /// Follows the values of a sequence, such as a count, a sum, groups, or what a closure reads.
  ///
  /// - Parameters:
  ///   - value: The value until the first one is delivered, which is soon after the initialiser has returned.
  ///   - values: The values, such as those of ``Store/values(_:)``.
  public convenience init(_ value: Value, following values: LiveChanges<Value>) {
    self.init(value, values) { $0 }
  }

  /// Follows the objects of a query; there are none until the first result is delivered.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - store: The store, which is kept open.
  public convenience init<M: Model>(of query: Query<M>, in store: Store)
  where Value == LiveResults<M> {
    self.init(LiveResults(), store.changes(of: query)) { $0.after }
  }

  private init<Change: Sendable>(
    _ value: Value, _ changes: LiveChanges<Change>, _ newest: @escaping @Sendable (Change) -> Value
  ) {
    self.value = value
    let following = Task { @MainActor [weak self] in
      for await change in changes { self?.value = newest(change) }
      self?.error = changes.error
    }
    task.withLock { $0 = following }
  }

  deinit { task.withLock { $0?.cancel() } }
}
