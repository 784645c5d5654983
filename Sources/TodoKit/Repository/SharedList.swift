public import Croft
public import CroftFoundation

/// The store of a list, for a program that keeps the list the same on several machines.
///
/// Groups and items are shared as they are, with their tags. Tallies and the endings of ids are derived from them on
/// each machine. The history of undo stays on the machine whose commands it has, and so do settings.
///
/// Threads: any.
public struct SharedList: Sendable {
  /// The models that machines share.
  public static let models: [any Model.Type] = [TodoGroup.self, TodoItem.self]

  /// The store of the list.
  public let store: Store
  private let repository: CroftTodoRepository

  /// Opens the list at a path, as a repository does.
  ///
  /// - Throws: As the initializer of ``CroftTodoRepository``.
  public init(path: String) throws {
    repository = try CroftTodoRepository(path: path)
    store = repository.store
  }

  /// Counts items that another machine has changed, in the transaction that stores them.
  ///
  /// - Parameters:
  ///   - keys: The ids of the items that it added, changed or deleted.
  ///   - tx: The transaction, which has changed them.
  /// - Throws: `StoreError`.
  /// - Complexity: O(*n* log *m*) for *n* of *m* items.
  public func count(_ keys: [UUID], in tx: inout WriteTransaction) throws {
    var start = 0
    while start < keys.count {
      let some = keys[start..<min(start + Self.portion, keys.count)]
      start = some.endIndex
      // What a read sees was committed before.
      let before = try store.read { tx in try some.map { try tx.get(TodoItem.self, $0) } }
      var changes = ChangeSet()
      for (id, old) in zip(some, before) {
        let new = try tx.get(TodoItem.self, id)
        changes.record(old, new)
        if old == nil, new != nil { try tx.upsert(ItemEnding(reversed: id.reversed)) }
        if old != nil, new == nil { try tx.delete(ItemEnding.self, id.reversed) }
      }
      try tx.updateTallies(changes)
    }
  }

  /// How many items are counted at a time, so that memory does not hold all.
  private static let portion = 1_000

  /// The title of an item or the name of a group, as far as the list or its history knows it.
  ///
  /// - Throws: `StoreError`.
  public func name(of id: UUID) throws -> String? {
    try store.read { tx in
      if let item = try tx.get(TodoItem.self, id) { return item.title }
      if let group = try tx.get(TodoGroup.self, id) { return group.name }
      var number =
        try tx.first(
          LoggedCommand.all.order(by: \.number.descending).limit(1))?.number ?? 0
      while let command = try tx.get(LoggedCommand.self, number) {
        number -= 1
        for steps in [command.redo, command.undo] where !steps.isEmpty {
          for step in try HistoryJSON.decode([TodoCommand].self, from: steps) {
            if let name = step.name(ofAdded: id) { return name }
          }
        }
      }
      return nil
    }
  }
}

extension TodoCommand {
  /// The title or the name of one of the rows that the command adds.
  fileprivate func name(ofAdded id: UUID) -> String? {
    guard case .add(let groups, let items) = self else { return nil }
    return items.first { $0.id == id }?.title ?? groups.first { $0.id == id }?.name
  }
}
