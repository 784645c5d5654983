package import Foundation
package import Reactive
package import ReactiveTestSupport
import Synchronization
package import TodoKit

/// A repository that counts its calls, and fails those it is told to fail.
package final class RecordingRepository: TodoRepository {
  package enum Call: Hashable {
    case add, item, items, setDone, setPriority, retitle, delete, other, observedRead
  }

  package struct Broken: Error {
    package var call: Call
  }

  private struct State {
    var calls: [Call] = []
    var failing: Set<Call> = []
  }

  private let base: any TodoRepository
  private let state = Mutex(State())

  /// Makes a recorder over a repository, which is a plain one where none is given.
  ///
  /// - Parameter base: Does what is asked, in place of the plain one, whose commands cost as much
  ///   as all items together.
  package init(over base: (any TodoRepository)? = nil) {
    self.base =
      base ?? PlainTodoRepository(limits: HistoryLimits(commands: 0), now: { .noted })
  }

  package var calls: [Call] { state.withLock(\.calls) }

  package func count(of call: Call) -> Int { calls.count { $0 == call } }

  package func fail(_ calls: Set<Call>) {
    state.withLock { $0.failing = calls }
  }

  private func note(_ call: Call) throws {
    let isFailing = state.withLock { state in
      state.calls.append(call)
      return state.failing.contains(call)
    }
    if isFailing { throw Broken(call: call) }
  }

  @discardableResult
  package func perform(_ intent: TodoCommand) throws -> CommandResult {
    try note(Call(intent))
    return try base.perform(intent)
  }

  package func item(_ id: UUID) throws -> TodoItem? {
    try note(.item)
    return try base.item(id)
  }

  package func items(endingIn ending: ShortID) throws -> [TodoItem] {
    try note(.items)
    return try base.items(endingIn: ending)
  }

  package func items(
    in list: ItemList, meeting conditions: [ItemCondition], sortedBy sort: ItemSort, limit: Int?
  ) throws -> [TodoItem] {
    try note(.items)
    return try base.items(in: list, meeting: conditions, sortedBy: sort, limit: limit)
  }

  package func items(in list: ItemList, _ filter: ItemFilter) throws -> [TodoItem] {
    try note(.items)
    return try base.items(in: list, filter)
  }

  package func group(_ id: UUID) throws -> TodoGroup? { try base.group(id) }
  package func page(_ request: ListPage.Request) throws -> ListPage { try base.page(request) }
  package func observe(_ request: ListPage.Request) -> Observable<ListPage> {
    base.observe(request)
  }
  package func overview(_ request: ListPage.Request) throws -> TodoOverview {
    try base.overview(request)
  }
  package func observeOverview(_ request: ListPage.Request) -> Observable<TodoOverview> {
    base.observeOverview(request)
  }
  package func groups(named name: String) throws -> [TodoGroup] {
    try base.groups(named: name)
  }
  package func groups() throws -> [GroupSummary] { try base.groups() }
  package func tally(of list: ItemList) throws -> Tally { try base.tally(of: list) }
  package func backUp(to path: String, replacesExisting: Bool) throws {
    try base.backUp(to: path, replacesExisting: replacesExisting)
  }
  package func history() throws -> CommandHistory { try base.history() }
  package func observeGroups() -> Observable<[GroupSummary]> { base.observeGroups() }
  package func observeTally(of list: ItemList) -> Observable<Tally> { base.observeTally(of: list) }
  package func observeHistory() -> Observable<CommandHistory> { base.observeHistory() }

  package func observe(in list: ItemList, _ filter: ItemFilter) -> Observable<[TodoItem]> {
    base.observe(in: list, filter).map { items in
      try self.note(.observedRead)
      return items
    }
  }
}

extension RecordingRepository.Call {
  /// The verb that writes an intent.
  package init(_ intent: TodoCommand) {
    switch intent {
    case .add: self = .add
    case .editItems(_, let patch, _, _) where patch.isDone != nil: self = .setDone
    case .editItems(_, let patch, _, _) where patch.priority != nil: self = .setPriority
    case .editItems(_, let patch, _, _) where patch.title != nil: self = .retitle
    case .deleteItems: self = .delete
    default: self = .other
    }
  }
}

extension Recorder where Element == any Error {
  /// The calls that were told to fail, as far as the recorded errors come from there.
  package var failedCalls: [RecordingRepository.Call?] {
    elements.map { ($0 as? RecordingRepository.Broken)?.call }
  }
}
