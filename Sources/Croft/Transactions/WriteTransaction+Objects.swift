// Objects that the program holds, found by their primary keys.

extension WriteTransaction {
  /// Changes the stored object of one that the program holds, found by its primary key.
  ///
  /// ```swift
  /// let done = try tx.update(item) { $0.isDone = true }
  /// ```
  ///
  /// - Parameters:
  ///   - object: The object, as it was fetched or inserted. Only its primary key counts: a change of
  ///     the copy is not written, and one that was made in the store since is kept.
  ///   - change: Changes the stored object in place; what it throws, this throws, and the object
  ///     stays as it was.
  /// - Returns: The object afterwards.
  /// - Throws: ``StoreError/staleObject(model:fields:key:)`` without fields where it has been deleted since,
  ///   ``StoreError/primaryKeyChanged(model:key:)``,
  ///   ``StoreError/uniqueViolation(model:fields:key:existing:)`` and
  ///   ``StoreError/danglingReference(model:field:key:target:)``, which leave the transaction usable;
  ///   errors of the engine end it.
  /// - Complexity: O(log *n*). An object that stays equal is not written.
  @discardableResult
  public mutating func update<M: Model>(
    _ object: M, _ change: (inout M) throws -> Void
  ) throws -> M {
    try update(Ref(object), change)
  }

  /// Changes the object that a reference names.
  ///
  /// - Parameters:
  ///   - reference: The reference.
  ///   - change: Changes the object in place; what it throws, this throws, and the object stays as
  ///     it was.
  /// - Returns: The object afterwards.
  /// - Throws: As for an object that the program holds.
  /// - Complexity: O(log *n*). An object that stays equal is not written.
  @discardableResult
  public mutating func update<M: Model>(
    _ reference: Ref<M>, _ change: (inout M) throws -> Void
  ) throws -> M {
    guard let updated = try update(M.self, reference.key, change) else {
      // Safety: the probe holds the key's code, and does not change meanwhile.
      throw unsafe StoreError.staleObject(
        model: M._schema.erased.name, fields: [], key: M._schema.erased.describe(key: probe.bytes))
    }
    return updated
  }

  /// Deletes the stored object of one that the program holds, found by its primary key.
  ///
  /// - Parameter object: The object, as it was fetched or inserted; only its primary key counts.
  /// - Returns: Whether it was still there.
  /// - Throws: As ``delete(_:_:)``.
  /// - Complexity: O(log *n*) for each object that is deleted or changed.
  @discardableResult
  public mutating func delete<M: Model>(_ object: M) throws -> Bool {
    try delete(M.self, object._primaryKey)
  }

  /// Deletes the object that a reference names.
  ///
  /// - Parameter reference: The reference.
  /// - Returns: Whether the object was still there.
  /// - Throws: As ``delete(_:_:)``.
  /// - Complexity: O(log *n*) for each object that is deleted or changed.
  @discardableResult
  public mutating func delete<M: Model>(_ reference: Ref<M>) throws -> Bool {
    try delete(M.self, reference.key)
  }
}
