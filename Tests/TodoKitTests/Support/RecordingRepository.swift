import Foundation
import Reactive
import Synchronization
import TodoKit

/// A repository in memory that counts its calls, and fails those it is told to fail.
final class RecordingRepository: TodoRepository {
  enum Call: Hashable {
    case add, item, items, setDone, setPriority, retitle, delete, observedRead
  }

  struct Broken: Error {
    var call: Call
  }

  private struct State {
    var calls: [Call] = []
    var failing: Set<Call> = []
  }

  private let base = InMemoryTodoRepository()
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

  func add(_ item: TodoItem) throws {
    try note(.add)
    try base.add(item)
  }

  func item(_ id: UUID) throws -> TodoItem? {
    try note(.item)
    return try base.item(id)
  }

  func items(_ filter: ItemFilter) throws -> [TodoItem] {
    try note(.items)
    return try base.items(filter)
  }

  func setDone(_ ids: [UUID], _ isDone: Bool) throws -> [TodoItem] {
    try note(.setDone)
    return try base.setDone(ids, isDone)
  }

  func setPriority(_ ids: [UUID], _ priority: Priority) throws -> [TodoItem] {
    try note(.setPriority)
    return try base.setPriority(ids, priority)
  }

  func retitle(_ id: UUID, to title: String) throws -> TodoItem {
    try note(.retitle)
    return try base.retitle(id, to: title)
  }

  func delete(_ ids: [UUID]) throws -> [TodoItem] {
    try note(.delete)
    return try base.delete(ids)
  }

  func observe(_ filter: ItemFilter) -> Observable<[TodoItem]> {
    base.observe(filter).map { items in
      try self.note(.observedRead)
      return items
    }
  }
}

extension Recorder where Element == any Error {
  /// The calls that were told to fail, as far as the recorded errors come from there.
  var failedCalls: [RecordingRepository.Call?] {
    elements.map { ($0 as? RecordingRepository.Broken)?.call }
  }
}
