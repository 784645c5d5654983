// Fetches that leave out objects with values that the program does not know.
extension ReadableTransaction where Self: ~Copyable {
  /// Fetches those of a query's objects that can be read, in its order.
  ///
  /// A stored value may be one that the program does not know, because a newer program wrote it, or one that does
  /// not declare the model. Such an object makes ``fetch(_:)-(Query<M>)`` throw; here it is left out, and told.
  ///
  /// - Parameters:
  ///   - query: The query; its limit counts the objects that are left out, too.
  ///   - unreadable: Called with the primary key of each object that is left out, as errors have it, and with the
  ///     error, ``StoreError/schemaMismatch(model:field:reason:)``; an error that it throws ends the fetch.
  /// - Returns: The other objects.
  /// - Throws: ``StoreError/unknownModel(model:)``; ``StoreError/corrupt(model:key:reason:)`` for a damaged row; what
  ///   the closure throws.
  /// - Complexity: As ``fetch(_:)-(Query<M>)``.
  public mutating func fetch<M: Model>(
    _ query: Query<M>, unreadable: (_ key: String, _ error: StoreError) throws -> Void
  ) throws -> [M] {
    var objects: [M] = []
    try forEach(query, unreadable: unreadable) { objects.append($0) }
    return objects
  }

  /// Passes those of a query's objects that can be read to a closure, without keeping them.
  ///
  /// - Parameters:
  ///   - query: The query; its limit counts the objects that are left out, too.
  ///   - unreadable: Called with the primary key of each object that is left out, and with the error.
  ///   - body: Called with each other object; an error that it throws ends the loop.
  /// - Throws: As ``fetch(_:unreadable:)``, and what the closures throw.
  /// - Complexity: As ``fetch(_:)-(Query<M>)``.
  public mutating func forEach<M: Model>(
    _ query: Query<M>, unreadable: (_ key: String, _ error: StoreError) throws -> Void,
    _ body: (M) throws -> Void
  ) throws {
    try _forEachMatch(query) { row in
      let object: M
      do { object = try M(_record: &row) } catch let error as StoreError {
        // Damage is no value of another program.
        guard case .schemaMismatch = error else { throw error }
        // Safety: the row, which is borrowed here, holds the bytes of its key.
        let key = unsafe UnsafeRawBufferPointer(start: row.key, count: row.keyCount)
        try unsafe unreadable(M._schema.erased.describe(key: key), error)
        return true
      }
      try body(object)
      return true
    }
  }
}
