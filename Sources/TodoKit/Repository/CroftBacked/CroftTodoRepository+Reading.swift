import Croft

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif
extension CroftTodoRepository {
  /// The item with the given id; nil when there is none.
  public func item(_ id: UUID) throws -> TodoItem? {
    try store.read { tx in try tx.get(TodoItem.self, id) }
  }

  /// The item with the given id, without blocking; nil when there is none.
  public func item(_ id: UUID) async throws -> TodoItem? {
    try await store.read { tx in try tx.get(TodoItem.self, id) }
  }

  /// The items of a list, as one commit left them.
  public func items(in list: ItemList, _ filter: ItemFilter) throws -> [TodoItem] {
    try store.read { tx in try tx.todoItems(in: list, filter) }
  }

  /// The items of a list, without blocking.
  public func items(in list: ItemList, _ filter: ItemFilter) async throws -> [TodoItem] {
    try await store.read { tx in try tx.todoItems(in: list, filter) }
  }

  /// The group with the given id; nil when there is none.
  public func group(_ id: UUID) throws -> TodoGroup? {
    try store.read { tx in try tx.get(TodoGroup.self, id) }
  }

  /// The group with the given id, without blocking; nil when there is none.
  public func group(_ id: UUID) async throws -> TodoGroup? {
    try await store.read { tx in try tx.get(TodoGroup.self, id) }
  }

  /// All groups with their tallies, in their order, as one commit left them.
  public func groups() throws -> [GroupSummary] {
    try store.read { tx in try tx.groupSummaries() }
  }

  /// All groups with their tallies, without blocking.
  public func groups() async throws -> [GroupSummary] {
    try await store.read { tx in try tx.groupSummaries() }
  }

  /// How many items a list holds, and how many of them are done.
  public func tally(of list: ItemList) throws -> Tally {
    try store.read { tx in try tx.listTally(of: list) }
  }

  /// A list's tally, without blocking.
  public func tally(of list: ItemList) async throws -> Tally {
    try await store.read { tx in try tx.listTally(of: list) }
  }

  /// Which commands can be taken back and done again.
  public func history() throws -> CommandHistory {
    try store.read { tx in try tx.commandHistory() }
  }

  /// Which commands can be taken back and done again, without blocking.
  public func history() async throws -> CommandHistory {
    try await store.read { tx in try tx.commandHistory() }
  }
}
