public import Croft
import Dispatch
public import Reactive

/// Every function takes the `Delivery` of the elements. By default that is a queue of the
/// subscription's own; `.immediate(then:)` emits the first element before `subscribe` returns.
extension RxStore {
  /// Emits the value of a request, now and after each commit that changed it.
  ///
  /// ```swift
  /// store.rx.observe(Book.all.count)
  ///   .subscribe(onNext: { title.text = "\($0) books" })
  /// ```
  /// Each value shows the store after one commit, and can be kept and sent. A slow subscriber receives only
  /// the latest one. `combineLatest` of two requests mixes commits, because each delivers by itself; a
  /// `CombinedRequest` does not.
  ///
  /// - Parameters:
  ///   - request: What to observe.
  ///   - delivery: How elements are delivered.
  /// - Returns: The values; it never completes, and fails when the value cannot be read.
  /// - Complexity: The same as for the changes of the request.
  public func observe<Request: StoreRequest>(
    _ request: Request, on delivery: Delivery? = nil
  ) -> Observable<Request.Value> {
    changes(of: request, on: delivery).map { Request._value(after: $0) }
  }

  /// Emits the changes of a request; the first one has its current state.
  ///
  /// Each change leads from the last emitted one to the current state: a slow subscriber receives one change
  /// for several commits. Move them with `observe(on:)` only if no change is dropped on the way.
  ///
  /// - Parameters:
  ///   - request: What to observe.
  ///   - delivery: How elements are delivered.
  /// - Returns: The changes; it never completes, and fails when the state cannot be read.
  /// - Complexity: For *c* changed rows among *n* objects O(*c* log *n*) a commit, as `Store.observe` says.
  public func changes<Request: StoreRequest>(
    of request: Request, on delivery: Delivery? = nil
  ) -> Observable<Request.Change> {
    .create { [store] observer in
      let own = delivery ?? .queue(DispatchQueue(label: "croft.rx"))
      let token = store.observe(
        request, on: own, onError: { observer.onError($0) }, { observer.onNext($0) })
      return Disposables.create { token.cancel() }
    }
  }

  /// The commits from the subscription on, with what each did to the objects of every model.
  ///
  /// Each commit is emitted once. If a subscriber is slower than the writers, the oldest commits
  /// are merged into one, which says that something changed but not which objects.
  ///
  /// Threads: delivers in a task of the subscription's own; `observe(on:)` moves the commits to a scheduler, and drops none.
  public var commits: Observable<StoreCommit> {
    .create { [store] observer in
      // Begun here, so that nothing after the subscription is missed.
      let iterator = store.commits.makeAsyncIterator()
      let task = Task.ofObservable {
        while let commit = await iterator.next() { observer.onNext(commit) }
        if let error = iterator.error { observer.onError(error) } else { observer.onCompleted() }
      }
      return Disposables.create { task.cancel() }
    }
  }
}

extension Delivery {
  /// A scheduler, such as one of virtual time.
  ///
  /// - Parameter scheduler: Runs the calls, one at a time and in their order; it must accept work from any thread.
  public static func scheduler(_ scheduler: any ImmediateSchedulerType) -> Delivery {
    Delivery { work in
      _ = scheduler.schedule(()) { _ in
        work()
        return Disposables.create()
      }
    }
  }
}
