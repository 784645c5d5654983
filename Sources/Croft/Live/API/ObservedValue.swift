public import Observation

/// A value that follows a store, for views that are redrawn by the Observation framework.
///
/// ```swift
/// @MainActor final class Screen {
///   let open: ObservedValue<LiveResults<TodoItem>>
///   let count: ObservedValue<Int>
///
///   init(_ store: Store) {
///     open = ObservedValue(of: TodoItem.where { !$0.isDone }, in: store)
///     count = ObservedValue(0, of: TodoItem.all.count, in: store)
///   }
/// }
/// ```
/// A view that reads ``value`` in its body is drawn again only after a commit that changes it. The
/// first value is there when the initialiser returns. The observation ends when the object is released;
/// another request needs another object.
///
/// The object itself is tested on Linux, with `withObservationTracking`. Views of SwiftUI, which is
/// on Apple's systems only, are not tested here.
///
/// Threads: the main actor, whose queue the program runs. First values are read there; later ones are
/// computed on a queue of the store. No writer waits for it; commits made while the main actor is busy
/// come as one change.
@MainActor @Observable
public final class ObservedValue<Value: Sendable> {
  /// The value after the last commit that was delivered; until the first one, that of the
  /// initialiser.
  public private(set) var value: Value
  /// The error that ended the observation; ``value`` does not change after it.
  ///
  /// A reading with a passing error (``StoreError/isRetryable``) is tried again.
  public private(set) var error: (any Error)?
  /// The token that ends the observation when it is released.
  @ObservationIgnored private var observation: ObservationToken?

  /// Reads the objects of a query, and follows them; without any if they cannot be read.
  ///
  /// - Parameters:
  ///   - query: The query; it can have any condition, order, distinct properties and limit.
  ///   - store: The store, which is kept open.
  public convenience init<M: Model>(of query: Query<M>, in store: Store)
  where Value == LiveResults<M> {
    self.init(LiveResults(), of: query, in: store)
  }

  /// Reads the value of a request, and follows it.
  ///
  /// - Parameters:
  ///   - value: The value where the first reading fails.
  ///   - request: What to follow.
  ///   - store: The store, which is kept open.
  /// - Complexity: Two fetches, one here and one on a queue of the store; later that of the changes of the
  ///   request.
  public init<Request: StoreRequest>(_ value: Value, of request: Request, in store: Store)
  where Value == Request.Value {
    self.value = value
    observation = store.observe(
      request, on: .immediate(then: .main),
      onError: { [weak self] error in MainActor.assumeIsolated { self?.error = error } }
    ) { [weak self] change in
      MainActor.assumeIsolated { self?.value = Request._value(after: change) }
    }
  }
}
