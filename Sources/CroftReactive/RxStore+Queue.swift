public import Croft
public import Dispatch
public import Reactive

/// Results that are delivered on a queue; the first one is emitted before `subscribe` returns.
///
/// A user interface needs a first value to draw at once, and all later values on one queue. These
/// functions read the first value on the subscriber's thread and deliver later ones on a serial
/// queue. Observables that share a queue deliver one after the other.
extension RxStore {
  /// The objects of a query, now and after each commit that changed them.
  ///
  /// Equal arrays are not repeated, so the model has to conform to `Equatable`. For other models
  /// use `changes(of:on:)`, whose changes have the result.
  ///
  /// Threads: the first array comes on the subscriber's thread during the subscription, later ones
  /// on the queue. A slow subscriber receives only the latest array.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - queue: A serial queue.
  /// - Returns: The arrays; equal ones are not repeated. It never completes, and fails when the
  ///   result cannot be read.
  /// - Complexity: Two fetches on subscription. For a commit that changed *c* of *n* objects, *c*
  ///   are decoded, and the new array takes O(*n*).
  public func observe<M: Model & Equatable>(
    _ query: Query<M>, on queue: DispatchQueue
  ) -> Observable<[M]> {
    reading { tx in
      try tx.fetch(query)
    } then: { first in
      changes(of: query, on: queue).scan(first) { $0.applying($1) }.startWith(first)
    }.distinctUntilChanged()
  }

  /// An object, now and after each commit that changed it; nil while there is none.
  ///
  /// Equal values are not repeated, so the model has to conform to `Equatable`.
  ///
  /// Threads: the first value comes on the subscriber's thread during the subscription, later ones
  /// on the queue.
  ///
  /// - Parameters:
  ///   - model: The model's type.
  ///   - key: The value of the object's primary key.
  ///   - queue: A serial queue.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails when the
  ///   object cannot be read.
  /// - Complexity: O(1) for each changed row of the model.
  public func observe<M: Model & Equatable>(
    _ model: M.Type, _ key: M.PrimaryKey, on queue: DispatchQueue
  ) -> Observable<M?> where M.PrimaryKey: Sendable {
    reading { tx in
      try tx.get(model, key)
    } then: { first in
      changes(of: model, key, on: queue).map(\.new).startWith(first)
    }.distinctUntilChanged()
  }

  /// Emits the value that a closure reads on a queue, now and after each commit that changed it.
  ///
  /// Threads: the first value comes on the subscriber's thread during the subscription, later ones
  /// on the queue. The closure runs on the subscriber's thread first, then on a queue of the store.
  ///
  /// - Parameters:
  ///   - queue: A serial queue.
  ///   - read: Reads the value; it depends on nothing but the store.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails with the
  ///   error that the closure throws.
  /// - Complexity: Two calls of the closure on subscription, and one for each later commit that
  ///   changes rows that it read.
  public func values<Value: Equatable & Sendable>(
    on queue: DispatchQueue, _ read: @escaping @Sendable (inout ReadTransaction) throws -> Value
  ) -> Observable<Value> {
    reading(read) { first in
      observation { store, onError, onValue in
        store.observe(reading: read, on: queue, onError: onError, onValue)
      }.startWith(first)
    }.distinctUntilChanged()
  }

  /// Reads a value during the subscription, and continues with an observable made from it.
  ///
  /// - Parameters:
  ///   - body: Reads the value; an error that it throws ends the observable.
  ///   - next: Makes the observable from the value.
  public func reading<First: Sendable, Value>(
    _ body: @escaping @Sendable (inout ReadTransaction) throws -> First,
    then next: @escaping @Sendable (First) -> Observable<Value>
  ) -> Observable<Value> {
    .deferred { [store] in next(try store.read(body)) }
  }
}

/// Changes that are delivered on a queue; the first one has the whole value.
extension RxStore {
  /// The changes of a query's result, on a queue.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - queue: A serial queue, on which the first change is delivered too.
  /// - Returns: The changes; it never completes, and fails when the result cannot be read.
  public func changes<M: Model>(
    of query: Query<M>, on queue: DispatchQueue
  ) -> Observable<ResultChange<M>> {
    observation { store, onError, onChange in
      store.observe(query, on: queue, onError: onError, onChange)
    }
  }

  /// The changes of a query's sections, on a queue.
  ///
  /// - Parameters:
  ///   - query: The query with sections.
  ///   - queue: A serial queue, on which the first change is delivered too.
  /// - Returns: The changes; it never completes, and fails when the result cannot be read.
  public func changes<M: Model, Key: Ordered>(
    of query: SectionedQuery<M, Key>, on queue: DispatchQueue
  ) -> Observable<SectionedChange<M, Key>> {
    observation { store, onError, onChange in
      store.observe(query, on: queue, onError: onError, onChange)
    }
  }

  /// The changes of one object, on a queue.
  ///
  /// - Parameters:
  ///   - model: The model's type.
  ///   - key: The value of the object's primary key.
  ///   - queue: A serial queue, on which the first change is delivered too.
  /// - Returns: The changes; it never completes, and fails when the object cannot be read.
  public func changes<M: Model>(
    of model: M.Type, _ key: M.PrimaryKey, on queue: DispatchQueue
  ) -> Observable<ObjectChange<M>> where M.PrimaryKey: Sendable {
    observation { store, onError, onChange in
      store.observe(model, key, on: queue, onError: onError, onChange)
    }
  }

  /// Observes while there is a subscription.
  private func observation<Change: Sendable>(
    _ observe:
      @escaping @Sendable (
        Store, @escaping @Sendable (any Error) -> Void, @escaping @Sendable (Change) -> Void
      ) -> ObservationToken
  ) -> Observable<Change> {
    .create { [store] observer in
      let token = observe(store, { observer.onError($0) }, { observer.onNext($0) })
      return Disposables.create { token.cancel() }
    }
  }
}

extension Array where Element: Model {
  /// The objects after a change of a live query; only the objects that changed are decoded.
  ///
  /// - Complexity: O(*n*); elements that did not change are copied.
  fileprivate func applying(_ change: ResultChange<Element>) -> [Element] {
    guard !change.isInitial else { return Array(change.after) }
    let gone = Set(change.deletions + change.modifications + change.moves.map(\.from))
    let new = Set(change.insertions + change.modificationsAfter + change.moves.map(\.to))
    var staying = indices.lazy.filter { !gone.contains($0) }.makeIterator()
    return change.after.indices.map { index in
      guard !new.contains(index), let old = staying.next() else { return change.after[index] }
      return self[old]
    }
  }
}
