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
  ///   - body: Hears of the changes.
  /// - Returns: Ends it when it is cancelled or gone.
  /// - Precondition: The fields are stored properties.
  /// - Complexity: O(1) for each changed row of the model, however many objects are observed.
  public func observe<M: Model>(
    _ model: M.Type, _ key: M.PrimaryKey, fields: [PartialKeyPath<M>] = [],
    on queue: DispatchQueue? = nil, _ body: @escaping @Sendable (ObjectChange<M>) -> Void
  ) -> ObservationToken {
    var code = _ByteBuffer()
    key.appendKey(to: &code)
    let places = M.places(of: fields)
    let observation = Observation<StoredRow?, ObjectChange<M>>(
      live.makeNumber(), .closure(queue ?? live.deliveries, body),
      Observation<StoredRow?, ObjectChange<M>>.Form(
        change: { try ObjectChange($0, fields: places) },
        // Where another change has yet to be told, both are, so that nothing is lost.
        patch: { told, before, after in told.isIdentical(to: before) ? after : told }),
      onFailure: failureHandler(of: M.shape, nil))
    // Safety: the code is copied while the buffer lives.
    return ObservationToken(
      .row(unsafe [UInt8](code.bytes), M.shape, observation), of: self)
  }

  /// Calls a closure with the stored object that has another one's key, and with each change of it.
  ///
  /// - Parameters:
  ///   - object: The object, of which only the primary key counts.
  ///   - fields: The properties that count; empty, the default, for all.
  ///   - queue: A serial queue to call it on; nil, the default, for one of the store's own.
  ///   - body: Hears of the changes.
  /// - Returns: Ends it when it is cancelled or gone.
  /// - Precondition: The fields are stored properties.
  public func observe<M: Model>(
    _ object: M, fields: [PartialKeyPath<M>] = [], on queue: DispatchQueue? = nil,
    _ body: @escaping @Sendable (ObjectChange<M>) -> Void
  ) -> ObservationToken {
    observe(M.self, object._primaryKey, fields: fields, on: queue, body)
  }
}

extension Optional<StoredRow> {
  /// Whether both are the very same copy, or none.
  fileprivate func isIdentical(to other: StoredRow?) -> Bool {
    guard let self, let other else { return self == nil && other == nil }
    return self.isIdentical(to: other)
  }
}
