internal import Dispatch
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
///     count = ObservedValue(default: 0, in: store) { tx in try tx.count(TodoItem.all) }
///   }
/// }
/// ```
/// A view that reads ``value`` in its body is drawn again only after a commit that changes it. The
/// first value of a query or a closure is there when the initialiser returns. The observation ends
/// when the object is released; another query needs another object.
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
  /// The error of the first reading, until a value comes, or the one that ended the observation.
  ///
  /// A later reading with a passing error (``StoreError/isRetryable``) is tried again, and its
  /// error does not appear here. After the end of the observation ``value`` does not change.
  public private(set) var error: (any Error)?
  /// The token that ends the observation when it is released.
  @ObservationIgnored private var observation: (any Sendable)?

  /// Reads the objects of a query, and follows them; without any if they cannot be read.
  ///
  /// - Parameters:
  ///   - query: The query; it can have any condition, order, distinct properties and limit.
  ///   - store: The store, which is kept open.
  /// - Complexity: Two fetches, one here and one on a queue of the store; later that of the changes
  ///   of a query.
  public init<M: Model>(of query: Query<M>, in store: Store) where Value == LiveResults<M> {
    value = LiveResults()
    do { value = try LiveResults(of: query, in: store) } catch { self.error = error }
    observation = store.observe(
      query, onError: { @MainActor [weak self] error in self?.error = error }
    ) { @MainActor [weak self] change in
      guard let self else { return }
      let isSame =
        change.isInitial && ResultDiff(from: value.rows, to: change.after.rows).isEmpty
      show(change.after, isSame: isSame)
    }
  }

  /// Reads a value, and follows what was read.
  ///
  /// It is for one object, a number, or several results of one commit. The closure runs as that of
  /// ``Store/observe(reading:on:onError:_:)`` does: again only after a commit that changed what it read.
  ///
  /// - Parameters:
  ///   - default: The value where the first reading throws.
  ///   - store: The store, which is kept open.
  ///   - read: Reads the value; it depends on nothing but the store.
  /// - Complexity: Two calls of the closure: one here, and one on a queue of the store. Later one for each
  ///   commit that touches what it read.
  public init(
    default: Value, in store: Store,
    reading read: @escaping @Sendable (inout ReadTransaction) throws -> Value
  ) where Value: Equatable {
    value = `default`
    do { value = try store.read(read) } catch { self.error = error }
    observation = store.observe(
      reading: read, onError: { @MainActor [weak self] error in self?.error = error }
    ) { @MainActor [weak self] new in
      guard let self else { return }
      show(new, isSame: new == value)
    }
  }

  /// Follows the values of a sequence, such as a count, a sum or groups, which commits keep up to date.
  ///
  /// - Parameters:
  ///   - value: The value until the first one of the sequence is delivered, soon after the initialiser has
  ///     returned. Pass the present one, such as `try store.count(query)`, where the screen should have it
  ///     at once.
  ///   - values: The values, such as those of ``Store/values(count:)``.
  public init(_ value: Value, following values: LiveChanges<Value>) {
    self.value = value
    observation = FollowingTask { [weak self] in
      for await value in values { self?.show(value, isSame: false) }
      if let error = values.error { self?.error = error }
    }
  }

  private func show(_ new: Value, isSame: Bool) {
    if error != nil { error = nil }
    // Equal value: swap the storage without notifying, to share rows with the live result.
    if isSame { _value = new } else { value = new }
  }
}

/// A task of the main actor that is cancelled when this object is released.
private final class FollowingTask: Sendable {
  private let task: Task<Void, Never>

  init(_ body: @escaping @MainActor @Sendable () async -> Void) { task = Task { await body() } }

  deinit { task.cancel() }
}

extension LiveResults {
  /// Fetches a query's result on the calling thread.
  ///
  /// - Throws: ``StoreError`` as a fetch does.
  fileprivate init(of query: Query<M>, in store: Store) throws {
    self = try store.read { tx in
      let fetched = LiveQuery(query.core, M.schema)
      try fetched.run(in: &tx, at: 0)
      try fetched.results.check(as: M.self)
      return LiveResults(fetched.results)
    }
  }
}
