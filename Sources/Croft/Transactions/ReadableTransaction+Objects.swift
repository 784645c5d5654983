// Objects that the program knows by references and keys.

extension ReadableTransaction where Self: ~Copyable {
  /// Finds the object that a reference names.
  ///
  /// - Parameter reference: The reference, such as a property of another object; nil finds nothing.
  /// - Returns: The object, or nil where it has been deleted.
  /// - Throws: As ``get(_:_:)``.
  /// - Complexity: O(log *n*).
  @inlinable
  public mutating func get<M: Model>(_ reference: Ref<M>?) throws -> M? {
    guard let reference else { return nil }
    return try get(M.self, reference.key)
  }

  /// Finds the objects of some primary keys.
  ///
  /// - Parameters:
  ///   - model: The model's type.
  ///   - keys: The values of its primary keys, in any order; one may come twice.
  /// - Returns: For each key, in their order, the object, or nil where no object has this key.
  /// - Throws: As ``get(_:_:)``.
  /// - Complexity: O(*k* log *n*) for *k* keys.
  @inlinable
  public mutating func get<M: Model>(
    _ model: M.Type, keys: some Sequence<M.PrimaryKey>
  ) throws -> [M?] {
    var objects: [M?] = []
    objects.reserveCapacity(keys.underestimatedCount)
    for key in keys { objects.append(try get(model, key)) }
    return objects
  }

  /// Fetches the objects that some references name, in the references' order.
  ///
  /// ```swift
  /// let items = try tx.fetch(references)
  /// ```
  ///
  /// - Parameter references: The references, such as a property of another object. Those of a stored
  ///   object all lead to one; those of a copy that is kept may not.
  /// - Returns: The objects; one that has been deleted is left out, and one that is named twice
  ///   comes twice.
  /// - Throws: As ``get(_:_:)``.
  /// - Complexity: O(*k* log *n*) for *k* references.
  @inlinable
  public mutating func fetch<M: Model>(_ references: some Sequence<Ref<M>>) throws -> [M] {
    var objects: [M] = []
    objects.reserveCapacity(references.underestimatedCount)
    for reference in references {
      if let object = try get(M.self, reference.key) { objects.append(object) }
    }
    return objects
  }

  /// Fetches a query's objects, each with the object that a property of it refers to.
  ///
  /// ```swift
  /// let pairs = try tx.fetch(TodoItem.all.including(\.group))
  /// ```
  ///
  /// - Parameter query: The query, and the property.
  /// - Returns: The pairs, in the query's order.
  /// - Throws: As ``fetch(_:)-(Query<M>)``.
  /// - Complexity: As the query, and O(log *n*) for each object that is referred to: one that
  ///   many objects refer to is read once.
  public mutating func fetch<M: Model, Target: Model, Included>(
    _ query: IncludingQuery<M, Target, Included>
  ) throws -> [(M, Included)] {
    var found: [Ref<Target>: Target?] = [:]
    return try fetch(query.query).map { object in
      guard let reference = query.reference(object) else { return (object, try query.include(nil)) }
      if let target = found[reference] { return (object, try query.include(target)) }
      let target = try get(reference)
      found[reference] = .some(target)
      return (object, try query.include(target))
    }
  }

  /// Lends a query's objects to a closure one after the other, without keeping them.
  ///
  /// ```swift
  /// var letters = 0
  /// try tx.forEach(TodoItem.all) { item, stop in
  ///   letters += item.title.count
  ///   stop = letters > 1_000
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - body: Gets an object, and sets its second argument to true to get no more; what it throws,
  ///     this throws.
  /// - Throws: As ``fetch(_:)-(Query<M>)``, and what the closure throws.
  /// - Complexity: As `fetch`, of which only the part up to the last object is done where an index
  ///   or the primary key gives the order.
  @inlinable
  public mutating func forEach<M: Model>(
    _ query: Query<M>, _ body: (M, inout Bool) throws -> Void
  ) throws {
    var stops = false
    try _forEachMatch(query) { row in
      try body(try M(_record: &row), &stops)
      return !stops
    }
  }

  /// Lends all of a query's objects to a closure one after the other, without keeping them.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - body: Gets an object; what it throws, this throws.
  /// - Throws: As ``fetch(_:)-(Query<M>)``, and what the closure throws.
  @inlinable
  public mutating func forEach<M: Model>(_ query: Query<M>, _ body: (M) throws -> Void) throws {
    try _forEachMatch(query) { row in
      try body(try M(_record: &row))
      return true
    }
  }
}

extension ReadableStore {
  /// Finds the object that a reference names, in a view of its own.
  ///
  /// - Parameter reference: The reference, such as a property of another object; nil finds nothing.
  /// - Returns: The object, or nil where it has been deleted.
  /// - Throws: As ``ReadableTransaction/get(_:_:)``; ``StoreError/readersFull(reason:)``.
  public func get<M: Model>(_ reference: Ref<M>?) throws -> M? {
    try read { try $0.get(reference) }
  }

  /// Finds the objects of some primary keys, in one view.
  ///
  /// - Parameters:
  ///   - model: The model's type.
  ///   - keys: The values of its primary keys, in any order; one may come twice.
  /// - Returns: For each key, in their order, the object, or nil where no object has this key.
  /// - Throws: As ``ReadableTransaction/get(_:_:)``; ``StoreError/readersFull(reason:)``.
  public func get<M: Model>(_ model: M.Type, keys: some Sequence<M.PrimaryKey>) throws -> [M?] {
    try read { try $0.get(model, keys: keys) }
  }

  /// Fetches the objects that some references name, in the references' order.
  ///
  /// - Parameter references: The references, such as a property of another object.
  /// - Returns: The objects; one that has been deleted is left out.
  /// - Throws: As ``ReadableTransaction/get(_:_:)``; ``StoreError/readersFull(reason:)``.
  public func fetch<M: Model>(_ references: some Sequence<Ref<M>>) throws -> [M] {
    try read { try $0.fetch(references) }
  }

  /// Fetches a query's objects, each with the object that a property of it refers to.
  ///
  /// - Parameter query: The query, and the property.
  /// - Returns: The pairs, in the query's order.
  /// - Throws: As ``ReadableTransaction/fetch(_:)-(Query<M>)``; ``StoreError/readersFull(reason:)``.
  public func fetch<M: Model, Target: Model, Included>(
    _ query: IncludingQuery<M, Target, Included>
  ) throws -> [(M, Included)] {
    try read { try $0.fetch(query) }
  }
}
