public import Reactive
import Synchronization

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A repository whose items last as long as it does: for tests, previews and trials.
///
/// It passes the same contract tests as the one that keeps its items.
///
/// Threads: any; a mutex protects the items and is never held while calling out.
public final class InMemoryTodoRepository: TodoRepository {
  /// The items, apart from the repository, so that an observer does not keep both.
  private final class Table: Sendable {
    let rows = Mutex<[UUID: TodoItem]>([:])

    func items(_ filter: ItemFilter) -> [TodoItem] {
      rows.withLock { Array($0.values) }
        .filter { filter.includes(isDone: $0.isDone) }
        .sorted(by: TodoItem.precedes)
    }
  }

  private let table = Table()
  private let feed = CommitFeed()

  /// Makes an empty repository.
  public init() {}

  /// Stores a new item.
  public func add(_ item: TodoItem) throws {
    try commit { rows in
      guard rows[item.id] == nil else { throw TodoError.duplicate(item.id) }
      rows[item.id] = item
    }
  }

  /// The item with the given id; nil when there is none.
  public func item(_ id: UUID) throws -> TodoItem? {
    table.rows.withLock { $0[id] }
  }

  /// The items of a list, in the repository's order.
  public func items(_ filter: ItemFilter) throws -> [TodoItem] {
    table.items(filter)
  }

  /// Marks items done or open again.
  public func setDone(_ ids: [UUID], _ isDone: Bool) throws -> [TodoItem] {
    try update(ids) { $0.isDone = isDone }
  }

  /// Gives items a priority.
  public func setPriority(_ ids: [UUID], _ priority: Priority) throws -> [TodoItem] {
    try update(ids) { $0.priority = priority }
  }

  /// Gives an item another title.
  public func retitle(_ id: UUID, to title: String) throws -> TodoItem {
    try update([id]) { $0.title = title }[0]
  }

  /// Deletes items.
  public func delete(_ ids: [UUID]) throws -> [TodoItem] {
    let ids = ids.unique
    guard !ids.isEmpty else { return [] }
    return try commit { rows in
      let found = try Self.find(ids, in: rows)
      for id in ids { rows[id] = nil }
      return found
    }
  }

  /// A list as it is now, and again after each commit that changed it.
  public func observe(_ filter: ItemFilter) -> Observable<[TodoItem]> {
    feed.lists { [table] in table.items(filter) }
  }

  private func update(_ ids: [UUID], _ change: (inout TodoItem) -> Void) throws -> [TodoItem] {
    let ids = ids.unique
    guard !ids.isEmpty else { return [] }
    return try commit { rows in
      // All are found before the first is changed, so that a failure changes nothing.
      var items = try Self.find(ids, in: rows)
      for index in items.indices {
        change(&items[index])
        rows[items[index].id] = items[index]
      }
      return items
    }
  }

  private static func find(_ ids: [UUID], in rows: [UUID: TodoItem]) throws -> [TodoItem] {
    try ids.map { id in
      guard let item = rows[id] else { throw TodoError.notFound(id) }
      return item
    }
  }

  private func commit<Result: Sendable>(
    _ change: (inout [UUID: TodoItem]) throws -> Result
  ) throws -> Result {
    let result = try table.rows.withLock { try change(&$0) }
    feed.publish()
    return result
  }
}
