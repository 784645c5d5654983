/// What a store can fetch and observe.
///
/// | Request | `fetch` returns | `observe` and `changes` deliver | `values` deliver |
/// |---|---|---|---|
/// | ``Query`` | an array | ``ResultChange`` | ``LiveResults`` |
/// | ``SectionedQuery`` | an array of ``ResultSection`` | ``SectionedChange`` | ``SectionedResults`` |
/// | ``AggregateRequest``, such as `query.count` | the value | the value | the value |
/// | ``ObjectRequest``, `Model.object(key)` | the object or nil | ``ObjectChange`` | the object or nil |
/// | ``ReadRequest``, a closure | what it returns | what it returns | what it returns |
/// | ``CombinedRequest``, several of them | a tuple | a tuple | a tuple |
///
/// The first change or value is the current one, and includes every commit made before, by any process.
/// Later ones come in the order of commits, and only where something differs. A slow observer gets one
/// change for several commits. No writer waits for an observer.
///
/// Only the types of this module conform.
public protocol StoreRequest<Value>: Sendable {
  /// What `values` deliver.
  associatedtype Value: Sendable
  /// What `observe` and `changes` deliver.
  associatedtype Change: Sendable
  /// What `fetch` returns.
  associatedtype Fetched

  /// How the request is observed.
  var _target: _ObservationTarget<Change> { get }

  /// The value after a change.
  static func _value(after change: Change) -> Value

  /// Reads what is requested.
  func _fetch(in transaction: inout ReadTransaction) throws -> Fetched
}

extension StoreRequest where Value == Change {
  /// The value itself.
  public static func _value(after change: Change) -> Value { change }
}

extension Store {
  /// Calls a closure with the current state of a request, and then with each change of it.
  ///
  /// ```swift
  /// let token = store.observe(TodoItem.where { !$0.isDone }, on: .main) { change in
  ///   if change.isInitial { list.reload(change.after) } else { list.apply(change) }
  /// }
  /// let counter = store.observe(TodoItem.all.count, on: .main) { print($0) }
  /// ```
  /// Calls are serial and in the order of commits. Commits made while the closure runs are delivered as
  /// one change afterwards. The closure may write, observe and cancel.
  ///
  /// - Parameters:
  ///   - request: What to observe.
  ///   - delivery: Where to call the closure; ``Delivery/background`` by default.
  ///   - onError: Called once, in the same way, with the error that ends the observation. Without it the
  ///     error is printed on the standard error, unless ``onDiagnostic`` is set. A passing error, such as
  ///     too many open reads, ends nothing: the store is read again later.
  ///   - body: Called with each change.
  /// - Returns: A token that ends the observation when it is cancelled or released. Its
  ///   ``ObservationToken/error`` is the error that ended the observation.
  /// - Complexity: First that of a fetch. Then for *c* changed rows among *n* objects O(*c* log *n*) for
  ///   queries and aggregates whose conditions, orders and values are properties of the model itself, and
  ///   O(1) for an object. What follows references is fetched again after each change of a model that it
  ///   reads, an aggregate of a query with an offset, a limit or distinct properties after each that
  ///   touches it, and a closure after each that changes rows which it read.
  public func observe<Request: StoreRequest>(
    _ request: Request, on delivery: Delivery = .background,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (Request.Change) -> Void
  ) -> ObservationToken {
    request._target.observe(in: self, delivery, onError, body)
  }

  /// Calls a closure of the main actor with the current state of a request, and with each change.
  ///
  /// ```swift
  /// let token = store.observe(TodoItem.where { !$0.isDone }) { @MainActor change in
  ///   list.draw(change.after)
  /// }
  /// ```
  /// Otherwise it works as the form that takes a ``Delivery``, on the main queue.
  ///
  /// - Parameters:
  ///   - request: What to observe.
  ///   - onError: Called once, on the main actor, with the error that ends the observation.
  ///   - body: Called with each change. Write `@MainActor` before its parameters.
  public func observe<Request: StoreRequest>(
    _ request: Request, onError: (@MainActor @Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @MainActor @Sendable (Request.Change) -> Void
  ) -> ObservationToken {
    request._target.observe(in: self, .main, onError.map(onMain), onMain(body))
  }

  /// The changes of a request as a sequence; the first one has the current state.
  ///
  /// - Returns: A sequence that starts to observe when it is iterated. A slow reader gets one change for
  ///   several commits.
  public func changes<Request: StoreRequest>(of request: Request) -> LiveChanges<Request.Change> {
    LiveChanges(request._target, in: self) { $0 }
  }

  /// The values of a request as a sequence: the current one, and the one after each change.
  ///
  /// ```swift
  /// for await count in store.values(of: TodoItem.where { !$0.isDone }.count) { print(count) }
  /// ```
  ///
  /// - Returns: A sequence that starts to observe when it is iterated. A slow reader gets the last of the
  ///   values that came meanwhile.
  public func values<Request: StoreRequest>(of request: Request) -> LiveChanges<Request.Value> {
    LiveChanges(request._target, in: self) { Request._value(after: $0) }
  }
}

/// A closure of the main actor as one that the main queue calls.
private func onMain<Value: Sendable>(
  _ body: @escaping @MainActor @Sendable (Value) -> Void
) -> @Sendable (Value) -> Void {
  { value in MainActor.assumeIsolated { body(value) } }
}

extension ReadableStore {
  /// Fetches what is requested, in one read transaction.
  ///
  /// ```swift
  /// let (open, count) = try store.fetch(
  ///   CombinedRequest(TodoItem.where { !$0.isDone }, TodoItem.all.count))
  /// ```
  /// In a transaction, `fetch` takes queries, their sections and their aggregates.
  ///
  /// - Returns: The result, whose type ``StoreRequest`` lists.
  /// - Throws: As for a read, and a fetch in a transaction.
  public func fetch<Request: StoreRequest>(_ request: Request) throws -> Request.Fetched {
    try read { try request._fetch(in: &$0) }
  }

  /// Fetches what is requested, off the caller's thread.
  ///
  /// - Throws: As the synchronous form, and `CancellationError`.
  public func fetch<Request: StoreRequest>(_ request: Request) async throws -> Request.Fetched
  where Request.Fetched: Sendable {
    try await read { try request._fetch(in: &$0) }
  }
}
