import Presentation
public import Reactive

/// The state of one list, in step with what is stored; only intents change it.
///
/// ```swift
/// let store = GroupStore(list: .group(id: id), repository: repository)
/// store.states.observe(on: MainScheduler()).subscribe(onNext: { draw($0) }).disposed(by: bag)
/// store.send(.toggleDone(id: item.id))
/// ```
///
/// What is sent becomes a command of the repository; what that commits comes back as a new state,
/// like whatever others commit. A store that goes away stops reading.
///
/// Threads: any. States come on the thread that sent an intent, or on the one on which the
/// repository tells of a commit.
public final class GroupStore: Sendable {
  private let store: IntentStore<GroupState, GroupStep>

  /// Makes a store of a list, and begins to read.
  ///
  /// - Parameters:
  ///   - list: The list; a group need not exist.
  ///   - repository: Where it is stored.
  public init(list: ItemList, repository: any TodoRepository) {
    let effects = GroupEffects(
      list: list, repository: repository, deletions: PendingDeletions(repository: repository))
    store = IntentStore(GroupState(list: list)) { state, step in
      .merge(state.take(step).map { effects.effect(of: $0) })
    }
    send(.reload)
  }

  /// The state now.
  public var state: GroupState { store.state }

  /// The state now, and whenever it changes.
  public var states: Observable<GroupState> { store.states.distinctUntilChanged() }

  /// Hands in what the user does.
  ///
  /// What it asks of the repository was done when this returns, unless another intent
  /// is being handled: then it waits its turn.
  public func send(_ intent: GroupIntent) { store.send(.user(intent)) }
}
