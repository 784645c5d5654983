public import Croft
public import Reactive

extension RxStore {
  /// Emits a query's result, now and after each commit that changed it.
  ///
  /// Each result is a value that shows the store after one commit: it can be kept and sent. A slow
  /// subscriber receives only the latest result.
  ///
  /// Threads: delivers in a task of the subscription's own; `observe(on:)` moves the results.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - fields: The properties to observe: a result that differs only in others is not sent.
  ///     Empty, the default, for all.
  /// - Returns: The results; it never completes, and fails when the result cannot be read.
  /// - Precondition: The fields are stored properties.
  /// - Complexity: The same as for the changes of the query.
  public func observe<M: Model>(
    _ query: Query<M>, fields: [any PartialKeyPath<M> & Sendable] = []
  ) -> Observable<LiveResults<M>> {
    changes(of: query, fields: fields).map { $0.after }
  }

  /// The changes of a query's result; the first one has the whole result.
  ///
  /// Each change describes the difference between the last delivered result and the current one: a
  /// slow subscriber receives one change for several commits.
  ///
  /// Threads: delivers in a task of the subscription's own. Move the changes with `observe(on:)`
  /// only if no change is dropped on the way: each one starts at the result of the one before.
  ///
  /// - Parameters:
  ///   - query: The query.
  ///   - fields: The properties to observe: an object is modified only when one of them differs.
  ///     Empty, the default, for all.
  /// - Returns: The changes; it never completes, and fails when the result cannot be read.
  /// - Precondition: The fields are stored properties.
  /// - Complexity: For *c* changed rows among *n* objects O(*c* log *n*) a commit.
  public func changes<M: Model>(
    of query: Query<M>, fields: [any PartialKeyPath<M> & Sendable] = []
  ) -> Observable<ResultChange<M>> {
    following { $0.changes(of: query, fields: fields) }
  }

  /// Emits the results of several queries in one commit, now and after each change of one of them.
  ///
  /// ```swift
  /// store.rx.observe(together: Book.all, Session.all)
  ///   .subscribe(onNext: { books, sessions in title.text = "\(books.count) \(sessions.count)" })
  /// ```
  /// `combineLatest` of two live queries mixes commits: each query delivers by itself, so the new rows
  /// of the first come with the old rows of the second until that is delivered too.
  ///
  /// Threads: delivers in a task of the subscription's own.
  ///
  /// - Parameter queries: The queries.
  /// - Returns: The results; it never completes, and fails when one of them cannot be read.
  /// - Complexity: The same as for the changes of each query.
  public func observe<each M: Model>(
    together queries: repeat Query<each M>
  ) -> Observable<(repeat LiveResults<each M>)> {
    changes(together: repeat each queries).map { (changes: (repeat ResultChange<each M>)) in
      (repeat (each changes).after)
    }
  }

  /// The changes of several queries' results; all changes in one element are up to the same commit.
  ///
  /// Threads: delivers in a task of the subscription's own. Move the changes with `observe(on:)`
  /// only if no change is dropped on the way: each one starts at the result of the one before.
  ///
  /// - Parameter queries: The queries.
  /// - Returns: The changes; a query whose result is the same has an empty one. It never completes,
  ///   and fails when one of the results cannot be read.
  /// - Complexity: The same as for the changes of each query.
  public func changes<each M: Model>(
    together queries: repeat Query<each M>
  ) -> Observable<(repeat ResultChange<each M>)> {
    following(store.changes(together: repeat each queries))
  }

  /// The changes of a query's sections; the first one has all sections.
  ///
  /// Threads: delivers in a task of the subscription's own.
  ///
  /// - Parameters:
  ///   - query: The query with sections.
  ///   - fields: The properties to observe; empty, the default, for all.
  /// - Returns: The changes; it never completes, and fails when the result cannot be read.
  /// - Precondition: The fields are stored properties.
  public func changes<M: Model, Key: Ordered>(
    of query: SectionedQuery<M, Key>, fields: [any PartialKeyPath<M> & Sendable] = []
  ) -> Observable<SectionedChange<M, Key>> {
    following { $0.changes(of: query, fields: fields) }
  }

  /// The changes of one object; the first one has the object, or nil.
  ///
  /// Threads: delivers in a task of the subscription's own.
  ///
  /// - Parameters:
  ///   - model: The model's type.
  ///   - key: The value of the object's primary key.
  ///   - fields: The properties to observe; empty, the default, for all.
  /// - Returns: The changes; it never completes, and fails when the object cannot be read.
  /// - Precondition: The fields are stored properties.
  /// - Complexity: O(1) for each changed row of the model.
  public func changes<M: Model>(
    of model: M.Type, _ key: M.PrimaryKey, fields: [any PartialKeyPath<M> & Sendable] = []
  ) -> Observable<ObjectChange<M>> {
    following { $0.changes(of: model, key, fields: fields) }
  }

  /// Emits the value that a closure reads, now and after each commit that changed it.
  ///
  /// Everything in a value was read from one commit. Combining the observables of two queries would
  /// show one query's new rows beside the other's old ones, because each delivers by itself.
  ///
  /// ```swift
  /// store.rx.values { tx in
  ///   [try tx.count(Book.all), try tx.count(Session.all)]
  /// }
  /// ```
  ///
  /// Threads: delivers in a task of the subscription's own; the closure runs on a queue of the store.
  ///
  /// - Parameter read: Reads the value; it depends on nothing but the store.
  /// - Returns: The values; equal ones are not repeated. It never completes, and fails with the
  ///   error that the closure throws.
  /// - Complexity: One call of the closure for each commit that changes rows that it read.
  public func values<Value: Equatable & Sendable>(
    _ read: @escaping @Sendable (inout ReadTransaction) throws -> Value
  ) -> Observable<Value> {
    following { $0.values(read) }
  }

  /// The commits from the subscription on, with what each did to the objects of every model.
  ///
  /// Each commit is emitted once. If a subscriber is slower than the writers, the oldest commits
  /// are merged into one, which says that something changed but not which objects.
  ///
  /// Threads: delivers in a task of the subscription's own.
  public var commits: Observable<Commit> { following { $0.commits } }

  /// Iterates changes while there is a subscription.
  private func following<Change: Sendable>(
    _ changes: @escaping @Sendable (Store) -> LiveChanges<Change>
  ) -> Observable<Change> {
    .deferred { [store] in following(changes(store)) }
  }

  /// Iterates changes while there is a subscription.
  func following<Change: Sendable>(_ changes: LiveChanges<Change>) -> Observable<Change> {
    Observable.create { observer in
      // Begun here, so that nothing after the subscription is missed.
      let iterator = changes.makeAsyncIterator()
      let task = Task.ofObservable {
        while let change = await iterator.next() { observer.onNext(change) }
        if let error = iterator.error { observer.onError(error) } else { observer.onCompleted() }
      }
      return Disposables.create { task.cancel() }
    }
  }
}
