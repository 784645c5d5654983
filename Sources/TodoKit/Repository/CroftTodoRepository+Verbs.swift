#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension CroftTodoRepository {
  /// Stores a new item.
  public func add(_ item: TodoItem) throws {
    try commit(Self.adding(item))
  }

  /// Stores a new item without blocking.
  public func add(_ item: TodoItem) async throws {
    try await commit(Self.adding(item))
  }

  /// Marks items done or open again.
  public func setDone(_ ids: [UUID], _ isDone: Bool) throws -> [TodoItem] {
    try ids.isEmpty ? [] : commit(Self.updating(ids) { $0.isDone = isDone })
  }

  /// Marks items done or open without blocking.
  public func setDone(_ ids: [UUID], _ isDone: Bool) async throws -> [TodoItem] {
    try await ids.isEmpty ? [] : commit(Self.updating(ids) { $0.isDone = isDone })
  }

  /// Gives items a priority.
  public func setPriority(_ ids: [UUID], _ priority: Priority) throws -> [TodoItem] {
    try ids.isEmpty ? [] : commit(Self.updating(ids) { $0.priority = priority })
  }

  /// Gives items a priority without blocking.
  public func setPriority(_ ids: [UUID], _ priority: Priority) async throws -> [TodoItem] {
    try await ids.isEmpty ? [] : commit(Self.updating(ids) { $0.priority = priority })
  }

  /// Gives an item another title.
  public func retitle(_ id: UUID, to title: String) throws -> TodoItem {
    try commit(Self.updating([id]) { $0.title = title })[0]
  }

  /// Gives an item another title without blocking.
  public func retitle(_ id: UUID, to title: String) async throws -> TodoItem {
    try await commit(Self.updating([id]) { $0.title = title })[0]
  }

  /// Deletes items.
  public func delete(_ ids: [UUID]) throws -> [TodoItem] {
    try ids.isEmpty ? [] : commit(Self.deleting(ids))
  }

  /// Deletes items without blocking.
  public func delete(_ ids: [UUID]) async throws -> [TodoItem] {
    try await ids.isEmpty ? [] : commit(Self.deleting(ids))
  }
}
