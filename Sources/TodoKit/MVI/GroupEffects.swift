import Presentation
import Reactive

/// Does the work of a list's screen, and says what came of it.
struct GroupEffects: Sendable {
  let list: ItemList
  let repository: any TodoRepository
  let deletions: PendingDeletions

  func effect(of work: GroupWork) -> Effect<GroupStep> {
    switch work {
    case .read: .run(reading, id: "read")
    case .add(let title):
      attempt {
        try repository.perform(.add(TodoItem(title: title, in: list.groupID)))
        return .committed
      }
    case .perform(let intent):
      attempt {
        try repository.perform(intent)
        return .committed
      }
    case .ask(let ids): attempt { .asked(try deletions.request(items: ids)) }
    case .askGroup(let id): attempt { .asked(try deletions.request(group: id)) }
    case .confirm(let token):
      attempt {
        try deletions.confirm(token)
        return .committed
      }
    case .cancel(let token):
      .run(
        .deferred { [deletions] in
          deletions.cancel(token)
          return .empty()
        })
    }
  }

  /// The list's group, if it is one's, and its items, now and whenever they change.
  private var reading: Observable<GroupStep> {
    let items = repository.observe(in: list, .all).map { GroupStep.itemsRead(ItemSections($0)) }
    guard let id = list.groupID else { return items.reportingFailure() }
    let group = repository.observeGroups()
      .map { groups in groups.first { $0.id == id }?.group }
      .distinctUntilChanged()
      .map { GroupStep.groupRead($0) }
    return .merge(group, items).reportingFailure()
  }

  private func attempt(_ body: @escaping @Sendable () throws -> GroupStep) -> Effect<GroupStep> {
    .run(
      .deferred {
        do { return .just(try body()) } catch { return .just(.failed(PresentableError(error))) }
      })
  }
}

extension Observable<GroupStep> {
  /// The same steps, with a failure as the last of them.
  fileprivate func reportingFailure() -> Observable<GroupStep> {
    self.catch { .just(.readFailed(PresentableError($0))) }
  }
}
