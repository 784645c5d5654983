public import Dispatch

extension Store {
  /// Calls a closure with an object, and with each change of it.
  ///
  /// ```swift
  /// let token = store.observe(TodoItem.self, id) { change in
  ///   if let title = change.values(of: \.title) { rename(title.old, to: title.new) }
  /// }
  /// ```
  /// The first call says what there is, which may be nothing: an object can be waited for.
  /// Afterwards each call says that it changed, went or came. Calls are those of a query.
  ///
  /// - Parameters:
  ///   - model: The model's type.
  ///   - key: The value of the object's primary key.
  ///   - fields: The properties that count; empty, the default, for all.
  ///   - queue: A serial queue to call it on; nil, the default, for one of the store's own.
  ///   - onError: Hears once, on the same queue, why it ended by itself, if it does.
  ///   - body: Hears of the changes.
  /// - Returns: Ends it when it is cancelled or gone.
  /// - Precondition: The fields are stored properties.
  /// - Complexity: O(1) for each changed row of the model, however many objects are observed.
  public func observe<M: Model>(
    _ model: M.Type, _ key: M.PrimaryKey, fields: [PartialKeyPath<M>] = [],
    on queue: DispatchQueue? = nil, onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (ObjectChange<M>) -> Void
  ) -> ObservationToken {
    M.observed(key, fields).observe(in: self, on: queue, onError, body)
  }

  /// The changes of an object, one after the other; the first says what there is.
  ///
  /// - Parameters:
  ///   - model: The model's type.
  ///   - key: The value of the object's primary key.
  ///   - fields: The properties that count; empty, the default, for all.
  /// - Returns: A sequence that begins to observe when it is iterated.
  /// - Precondition: The fields are stored properties.
  public func changes<M: Model>(
    of model: M.Type, _ key: M.PrimaryKey, fields: [PartialKeyPath<M>] = []
  ) -> LiveChanges<ObjectChange<M>> {
    M.observed(key, fields).changes(in: self)
  }

  /// Calls a closure with the stored object that has another one's key, and with each change of it.
  ///
  /// - Parameters:
  ///   - object: The object, of which only the primary key counts.
  ///   - fields: The properties that count; empty, the default, for all.
  ///   - queue: A serial queue to call it on; nil, the default, for one of the store's own.
  ///   - onError: Hears once, on the same queue, why it ended by itself, if it does.
  ///   - body: Hears of the changes.
  /// - Returns: Ends it when it is cancelled or gone.
  /// - Precondition: The fields are stored properties.
  public func observe<M: Model>(
    _ object: M, fields: [PartialKeyPath<M>] = [], on queue: DispatchQueue? = nil,
    onError: (@Sendable (any Error) -> Void)? = nil,
    _ body: @escaping @Sendable (ObjectChange<M>) -> Void
  ) -> ObservationToken {
    observe(M.self, object._primaryKey, fields: fields, on: queue, onError: onError, body)
  }
}
