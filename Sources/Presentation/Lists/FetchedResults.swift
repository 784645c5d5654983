public import Reactive

/// Updates a list view for a list that changes, with one batch for each change.
///
/// ```swift
/// let results = FetchedResults(repository.changes(in: list, .all))
/// results.events.subscribe(onNext: { event in
///   switch event {
///   case .reload(let list): view.reload(list)
///   case .willChange: view.beginUpdates()
///   case .section(let edit): view.apply(edit)
///   case .row(let edit): view.apply(edit)
///   case .didChange(let list): view.endUpdates(list)
///   }
/// }).disposed(by: bag)
/// ```
///
/// Only the list itself is cached, so the view shows the state after the last change that was
/// received. A change that does not begin with the shown list, because changes were missed, is a
/// reload. Lists that are copies, or have one version, are known to be equal. Otherwise the rows
/// are compared; rows that cannot be compared are a reload as well.
///
/// Threads: any; events come on the thread that sends the changes. Each carries the
/// list that it leads to, which a view uses instead of ``list`` when threads differ.
public final class FetchedResults<Element: Sendable>: Sendable {
  private struct State: Sendable {
    var list: SectionedRows<Element>?
    var batch: ListEdits?
    var before: SectionedRows<Element>?
    /// Counts the states that have events.
    var revision: UInt64 = 0
  }

  private let store: IntentStore<State, ListChange<Element>>
  private let errorRelay = ReplayRelay<PresentableError>.create(bufferSize: 1)
  private let bag = DisposeBag()

  /// Follows a list from now on, as long as this lives.
  ///
  /// - Parameter changes: An initial change, and then changes that each begin with the list after
  ///   the one before. ``errors`` emits their error; the list keeps its last state then.
  public init(_ changes: Observable<ListChange<Element>>) {
    let store = IntentStore<State, ListChange<Element>>(State()) { state, change in
      Self.take(change, into: &state)
      return .none
    }
    self.store = store
    changes.subscribe(
      onNext: { [weak store] in store?.send($0) },
      onError: { [errorRelay] in errorRelay.accept(PresentableError($0)) }
    ).disposed(by: bag)
  }

  /// The current list; empty before the first change.
  public var list: SectionedRows<Element> { store.state.list ?? SectionedRows([]) }

  /// Whether there was a first change.
  public var isLoaded: Bool { store.state.list != nil }

  /// The number of rows: now, if the list is known, and whenever it changes.
  public var counts: Observable<Int> {
    store.states.compactMap { $0.list?.count }.distinctUntilChanged()
  }

  /// The error that ended the changes; later observers receive it too.
  public var errors: Observable<PresentableError> { errorRelay.asObservable() }

  /// The current list as a reload, if the list is known; and then the batches.
  public var events: Observable<FetchedEvent<Element>> {
    let delivered = store.states.scan(Snapshot()) { (last, state) -> Snapshot in
      Snapshot(state: state, isFirst: last.state.list == nil)
    }
    return delivered.distinctUntilChanged { $0.state.revision == $1.state.revision }
      .concatMap { Observable.from($0.events) }
  }

  private static func take(_ change: ListChange<Element>, into state: inout State) {
    let follows = !change.isInitial && state.list.map { change.before.isSame(as: $0) } ?? false
    let batch = follows ? ListEdits(change) : nil
    state.list = change.after
    // Nothing that a view shows has changed, so there is no batch.
    if let batch, batch.isEmpty { return }
    state.batch = batch
    state.before = batch == nil ? nil : change.before
    state.revision += 1
  }

  /// A state as the events of one observer, whose first event is always the whole list.
  private struct Snapshot: Sendable {
    var state = State()
    var isFirst = true

    var events: [FetchedEvent<Element>] {
      guard let list = state.list else { return [] }
      guard !isFirst, let batch = state.batch, let before = state.before else {
        return [.reload(list)]
      }
      var events: [FetchedEvent<Element>] = [.willChange(before)]
      events += batch.sections.map { .section($0) }
      events += batch.rows.map { .row($0) }
      events.append(.didChange(list))
      return events
    }
  }
}

/// One step of updating a view that shows a list.
///
/// A batch is `willChange`, the changes of sections, the changes of rows, `didChange`. It is
/// never empty. Deleted and updated sections and rows have their index before the batch, inserted
/// ones their index after, and moved ones both. So a batch is applied at once to the list before
/// it: delete the rows and then the sections, insert the sections and then the rows in ascending
/// order.
public enum FetchedEvent<Element: Sendable>: Sendable {
  /// The whole list, which replaces what the view shows.
  case reload(SectionedRows<Element>)
  /// The beginning of a batch, with the list before it.
  case willChange(SectionedRows<Element>)
  /// A section was deleted or inserted.
  case section(SectionEdit)
  /// A row was deleted, inserted, moved or updated.
  case row(RowEdit)
  /// The end of a batch, with the list after it.
  case didChange(SectionedRows<Element>)
}

extension FetchedEvent: Equatable where Element: Equatable {}
