import Presentation
public import Reactive
public import TodoKit

/// The state of one list, which follows the stored items and is changed only by intents.
///
/// ```swift
/// let store = ListStore(list: .group(id: id), repository: repository)
/// store.states.observe(on: MainScheduler()).subscribe(onNext: { draw($0) }).disposed(by: bag)
/// store.send(.toggleDone(id: item.id))
/// ```
///
/// An intent becomes a command of the repository. Its commit is published as a new state, as are
/// the commits of other programs. A store that is deallocated stops observing.
///
/// Threads: any. States are delivered on the thread that sent an intent, or on the thread of the
/// repository's observers.
public final class ListStore: Sendable {
  private let store: IntentStore<ListState, ListEvent>
  private let scheduler: (any ImmediateSchedulerType)?

  /// Makes a store of a list, and begins to read.
  ///
  /// - Parameters:
  ///   - list: The list; a group need not exist.
  ///   - repository: Where it is stored.
  ///   - scheduler: Where states are delivered, such as the main one; nil for wherever they change.
  public convenience init(
    list: ItemList, repository: any TodoRepository,
    on scheduler: (any ImmediateSchedulerType)? = nil
  ) {
    self.init(
      showing: ListState(list: list), repository: repository,
      deletions: PendingDeletions(repository: repository), on: scheduler)
    send(.reload)
  }

  /// Makes a store of a list that was shown already, and reads nothing until ``ListIntent/reload``.
  ///
  /// A server has such a store for one request: its state is what the page shows.
  ///
  /// - Parameters:
  ///   - state: What the user sees.
  ///   - repository: Where it is stored.
  ///   - deletions: Holds the open questions, which are answered in another request.
  ///   - scheduler: Where states are delivered; nil for wherever they change.
  public init(
    showing state: ListState, repository: any TodoRepository, deletions: PendingDeletions,
    on scheduler: (any ImmediateSchedulerType)? = nil
  ) {
    self.scheduler = scheduler
    let effects = ListEffects(list: state.list, repository: repository, deletions: deletions)
    store = IntentStore(state) { state, step in
      .merge(state.reduce(step).map { effects.effect(of: $0) })
    }
  }

  /// The state now.
  public var state: ListState { store.state }

  /// The state now, and whenever it changes.
  public var states: Observable<ListState> {
    let states = store.states.distinctUntilChanged()
    return scheduler.map { states.observe(on: $0) } ?? states
  }

  /// Sends an intent of the user to the store.
  ///
  /// The repository has performed it when this returns, unless another intent is being handled:
  /// then the intent is queued after that one.
  public func send(_ intent: ListIntent) { store.send(.user(intent)) }
}

/// Does the work of a list's screen, and says what came of it.
struct ListEffects: Sendable {
  let list: ItemList
  let repository: any TodoRepository
  let deletions: PendingDeletions

  func effect(of work: ListEffect) -> Effect<ListEvent> {
    switch work {
    case .read: .run(reading.catch { .just(.readFailed(PresentableError($0))) }, id: "read")
    case .add(let title):
      commit { try repository.perform(.add(TodoItem(title: title, in: list.groupID))) }
    case .perform(let intent): commit { try repository.perform(intent) }
    case .ask(let ids): attempt { .asked(try deletions.request(items: ids)) }
    case .askGroup(let id): attempt { .asked(try deletions.request(group: id)) }
    case .confirm(let token): commit { try deletions.confirm(token) }
    case .cancel(let token):
      .run(
        .deferred { [deletions] in
          deletions.cancel(token)
          return .empty()
        })
    }
  }

  /// The list's group, if it is one's, and its items, now and whenever they change.
  private var reading: Observable<ListEvent> {
    let items = repository.observe(in: list, .all).map { ListEvent.itemsRead(ItemSections($0)) }
    guard let id = list.groupID else { return items }
    let group = repository.observeGroups()
      .map { groups in groups.first { $0.id == id }?.group }
      .distinctUntilChanged()
      .map { ListEvent.groupRead($0) }
    return .merge(group, items)
  }

  private func commit(
    _ body: @escaping @Sendable () throws -> CommandResult
  ) -> Effect<ListEvent> {
    attempt { .committed(try body()) }
  }

  private func attempt(_ body: @escaping @Sendable () throws -> ListEvent) -> Effect<ListEvent> {
    .run(
      .deferred {
        do { return .just(try body()) } catch { return .just(.failed(PresentableError(error))) }
      })
  }
}
