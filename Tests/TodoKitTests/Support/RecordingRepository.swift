import Foundation
import Reactive
import Synchronization
import TodoKit

/// A repository in memory that counts its calls, and fails those it is told to fail.
final class RecordingRepository: TodoRepository {
  enum Call: Hashable {
    case add, item, items, setDone, setPriority, retitle, delete, other, observedRead
  }

  struct Broken: Error {
    var call: Call
  }

  private struct State {
    var calls: [Call] = []
    var failing: Set<Call> = []
  }

  private let base = PlainTodoRepository(
    limits: HistoryLimits(commands: 0), now: { .noted })
  private let state = Mutex(State())

  var calls: [Call] { state.withLock(\.calls) }

  func count(of call: Call) -> Int { calls.count { $0 == call } }

  func fail(_ calls: Set<Call>) {
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
  func perform(_ intent: TodoCommand) throws -> CommandResult {
    try note(Call(intent))
    return try base.perform(intent)
  }

  func item(_ id: UUID) throws -> TodoItem? {
    try note(.item)
    return try base.item(id)
  }

  func items(in list: ItemList, _ filter: ItemFilter) throws -> [TodoItem] {
    try note(.items)
    return try base.items(in: list, filter)
  }

  func group(_ id: UUID) throws -> TodoGroup? { try base.group(id) }
  func groups() throws -> [GroupSummary] { try base.groups() }
  func tally(of list: ItemList) throws -> Tally { try base.tally(of: list) }
  func history() throws -> CommandHistory { try base.history() }
  func observeGroups() -> Observable<[GroupSummary]> { base.observeGroups() }
  func observeTally(of list: ItemList) -> Observable<Tally> { base.observeTally(of: list) }
  func observeHistory() -> Observable<CommandHistory> { base.observeHistory() }

  func observe(in list: ItemList, _ filter: ItemFilter) -> Observable<[TodoItem]> {
    base.observe(in: list, filter).map { items in
      try self.note(.observedRead)
      return items
    }
  }
}

extension RecordingRepository.Call {
  /// The verb that writes an intent.
  init(_ intent: TodoCommand) {
    switch intent {
    case .add: self = .add
    case .editItems(_, let patch, _) where patch.isDone != nil: self = .setDone
    case .editItems(_, let patch, _) where patch.priority != nil: self = .setPriority
    case .editItems(_, let patch, _) where patch.title != nil: self = .retitle
    case .deleteItems: self = .delete
    default: self = .other
    }
  }
}

extension Recorder where Element == any Error {
  /// The calls that were told to fail, as far as the recorded errors come from there.
  var failedCalls: [RecordingRepository.Call?] {
    elements.map { ($0 as? RecordingRepository.Broken)?.call }
  }
}
