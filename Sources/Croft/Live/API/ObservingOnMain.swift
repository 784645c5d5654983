internal import Dispatch

// The same observations for closures of the main actor, which may use what belongs to it. A closure is one by
// its `@MainActor`; without it the compiler takes the form that calls it on a queue.

extension Store {
  /// Calls a closure of the main actor with the result of a query, and then with each change of it.
  ///
  /// ```swift
  /// let token = store.observe(TodoItem.where { !$0.isDone }) { @MainActor change in
  ///   list.draw(change.after)
  /// }
  /// ```
  /// Otherwise it works as `observe(_:fields:on:onError:_:)` on the main queue.
  ///
  /// - Parameters:
  ///   - query: The query; it can have any condition, order, distinct properties and limit.
  ///   - fields: The properties to observe; empty, the default, for all.
  ///   - onError: Called once, on the main actor, with the error that ends the observation.
  ///   - body: Called with each change. Write `@MainActor` before its parameters.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Precondition: The fields are stored properties.
  public func observe<M: Model>(
    _ query: Query<M>, fields: [PartialKeyPath<M>] = [],
    onError: (@MainActor @Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @MainActor @Sendable (ResultChange<M>) -> Void
  ) -> ObservationToken {
    observe(query, fields: fields, on: .main, onError: onError.map(onMain), onMain(body))
  }

  /// Calls a closure of the main actor with the sections of a query, and then with their changes.
  ///
  /// - Parameters:
  ///   - query: The query, divided into sections.
  ///   - fields: The properties to observe; empty, the default, for all.
  ///   - onError: Called once, on the main actor, with the error that ends the observation.
  ///   - body: Called with each change. Write `@MainActor` before its parameters.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Precondition: The fields are stored properties.
  public func observe<M: Model, Key: Ordered>(
    _ query: SectionedQuery<M, Key>, fields: [PartialKeyPath<M>] = [],
    onError: (@MainActor @Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @MainActor @Sendable (SectionedChange<M, Key>) -> Void
  ) -> ObservationToken {
    observe(query, fields: fields, on: .main, onError: onError.map(onMain), onMain(body))
  }

  /// Calls a closure of the main actor with an object, and then with each change of it.
  ///
  /// - Parameters:
  ///   - model: The model's type.
  ///   - key: The value of the object's primary key.
  ///   - fields: The properties to observe; empty, the default, for all.
  ///   - onError: Called once, on the main actor, with the error that ends the observation.
  ///   - body: Called with each change. Write `@MainActor` before its parameters.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Precondition: The fields are stored properties.
  public func observe<M: Model>(
    _ model: M.Type, _ key: M.PrimaryKey, fields: [PartialKeyPath<M>] = [],
    onError: (@MainActor @Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @MainActor @Sendable (ObjectChange<M>) -> Void
  ) -> ObservationToken {
    observe(model, key, fields: fields, on: .main, onError: onError.map(onMain), onMain(body))
  }

  /// Calls a closure of the main actor with the stored object of the same key, and with its changes.
  ///
  /// - Parameters:
  ///   - object: The object whose primary key is observed.
  ///   - fields: The properties to observe; empty, the default, for all.
  ///   - onError: Called once, on the main actor, with the error that ends the observation.
  ///   - body: Called with each change. Write `@MainActor` before its parameters.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  /// - Precondition: The fields are stored properties.
  public func observe<M: Model>(
    _ object: M, fields: [PartialKeyPath<M>] = [],
    onError: (@MainActor @Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @MainActor @Sendable (ObjectChange<M>) -> Void
  ) -> ObservationToken {
    observe(object, fields: fields, on: .main, onError: onError.map(onMain), onMain(body))
  }

  /// Calls a closure of the main actor with the value that another closure reads, and each new one.
  ///
  /// - Parameters:
  ///   - read: Reads the value, on a queue of the store; it depends on nothing but the store.
  ///   - onError: Called once, on the main actor, with the error that ends the observation.
  ///   - body: Called with each value. Write `@MainActor` before its parameters.
  /// - Returns: A token that ends the observation when it is cancelled or released.
  public func observe<Value: Equatable & Sendable>(
    reading read: @escaping @Sendable (inout ReadTransaction) throws -> Value,
    onError: (@MainActor @Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @MainActor @Sendable (Value) -> Void
  ) -> ObservationToken {
    observe(reading: read, on: .main, onError: onError.map(onMain), onMain(body))
  }
}

/// A closure of the main actor as one that the main queue calls.
private func onMain<Value: Sendable>(
  _ body: @escaping @MainActor @Sendable (Value) -> Void
) -> @Sendable (Value) -> Void {
  { value in MainActor.assumeIsolated { body(value) } }
}
