import Foundation
import Reactive
import Synchronization
import TodoKit

/// An in-memory repository whose items get ids and dates that a test can write down.
///
/// The nth item to be added ends in `a001`, `a002`, ... and is made n seconds after
/// 2026-01-02 03:04:00 UTC. The ids that callers made are still understood.
final class KnownRepository: TodoRepository {
  private let items = InMemoryTodoRepository()
  /// The known ids by those the callers made; the mutex protects it.
  private let knownIDs = Mutex<[UUID: UUID]>([:])

  static func id(_ number: Int) -> UUID {
    let digits = String(number, radix: 16)
    let tail = String(repeating: "0", count: 3 - digits.count) + digits
    guard let id = UUID(uuidString: "019b7c3e-0000-7000-8000-00000000a\(tail)") else {
      preconditionFailure("A known id must be a UUID.")
    }
    return id
  }

  func add(_ item: TodoItem) throws {
    let number = knownIDs.withLock { $0.count + 1 }
    let known = TodoItem(
      id: Self.id(number), title: item.title, priority: item.priority, isDone: item.isDone,
      isImportant: item.isImportant,
      createdAt: Date(timeIntervalSince1970: 1_767_323_040 + Double(number)))
    try items.add(known)
    knownIDs.withLock { $0[item.id] = known.id }
  }

  private func known(_ id: UUID) -> UUID {
    knownIDs.withLock { $0[id] } ?? id
  }

  func item(_ id: UUID) throws -> TodoItem? { try items.item(known(id)) }

  func items(_ filter: ItemFilter) throws -> [TodoItem] { try items.items(filter) }

  func setDone(_ ids: [UUID], _ isDone: Bool) throws -> [TodoItem] {
    try items.setDone(ids.map(known), isDone)
  }

  func setPriority(_ ids: [UUID], _ priority: Priority) throws -> [TodoItem] {
    try items.setPriority(ids.map(known), priority)
  }

  func retitle(_ id: UUID, to title: String) throws -> TodoItem {
    try items.retitle(known(id), to: title)
  }

  func delete(_ ids: [UUID]) throws -> [TodoItem] { try items.delete(ids.map(known)) }

  func observe(_ filter: ItemFilter) -> Observable<[TodoItem]> { items.observe(filter) }
}
