import Croft

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension CroftTodoRepository {
  /// What happens inside one write transaction; throwing undoes it.
  typealias Change<Result> = @Sendable (inout WriteTransaction) throws -> Result

  /// Inserts an item whose id must be new.
  static func adding(_ item: TodoItem) -> Change<Void> {
    { tx in
      do {
        try tx.insert(item)
      } catch StoreError.duplicateKey {
        throw TodoError.duplicate(item.id)
      }
    }
  }

  /// Changes every item in the same way; gives them as they are afterwards.
  static func updating(
    _ ids: [UUID], _ change: @escaping @Sendable (inout TodoItem) -> Void
  ) -> Change<[TodoItem]> {
    { tx in
      try ids.unique.map { id in
        guard let item = try tx.update(TodoItem.self, id, change) else {
          throw TodoError.notFound(id)
        }
        return item
      }
    }
  }

  /// Deletes every item; gives them as they were.
  static func deleting(_ ids: [UUID]) -> Change<[TodoItem]> {
    { tx in
      try ids.unique.map { id in
        guard let item = try tx.get(TodoItem.self, id) else { throw TodoError.notFound(id) }
        try tx.delete(TodoItem.self, id)
        return item
      }
    }
  }
}
