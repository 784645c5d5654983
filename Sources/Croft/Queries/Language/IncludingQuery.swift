/// A query whose objects are fetched with the objects that a property of theirs refers to.
///
/// ``Query/including(_:)-(KeyPath<M,Ref<Target>>)`` makes it. `Included` is the other model, or an
/// optional of it where the property is optional.
public struct IncludingQuery<M: Model, Target: Model, Included: Sendable>: Sendable {
  let query: Query<M>
  /// The property's value.
  let reference: @Sendable (M) -> Ref<Target>?
  /// Makes the pair's second part of the object that was found.
  let include: @Sendable (Target?) throws -> Included
}

extension Query {
  /// Fetches each object with the one that a property refers to.
  ///
  /// ```swift
  /// let pairs = try store.fetch(TodoItem.where { !$0.isDone }.including(\.group))
  /// ```
  ///
  /// - Parameter reference: The property.
  /// - Returns: What `fetch` makes pairs of.
  public func including<Target: Model>(
    _ reference: any KeyPath<M, Ref<Target>> & Sendable
  ) -> IncludingQuery<M, Target, Target> {
    IncludingQuery(
      query: self, reference: { $0[keyPath: reference] },
      include: { target in
        guard let target else {
          throw StoreError.corrupt(
            model: M._schema.erased.name, key: nil,
            reason: "a reference leads to no \(Target._schema.erased.name)")
        }
        return target
      })
  }

  /// Fetches each object with the one that an optional property refers to, if it refers to one.
  ///
  /// - Parameter reference: The property.
  /// - Returns: What `fetch` makes pairs of.
  public func including<Target: Model>(
    _ reference: any KeyPath<M, Ref<Target>?> & Sendable
  ) -> IncludingQuery<M, Target, Target?> {
    IncludingQuery(query: self, reference: { $0[keyPath: reference] }, include: { $0 })
  }
}
