import Croft

extension TodoItem {
  /// The items of a list, in the repository's order.
  static func listed(in list: ItemList, _ filter: ItemFilter) -> Query<TodoItem> {
    members(of: list, filter).order(by: \.isDone, \.order, \.createdAt)
  }

  /// The same items in their sections; live queries of both share one result.
  static func sections(
    of list: ItemList, _ filter: ItemFilter
  ) -> SectionedQuery<TodoItem, Bool> {
    members(of: list, filter).order(by: \.order, \.createdAt).sections(by: \.isDone)
  }

  private static func members(of list: ItemList, _ filter: ItemFilter) -> Query<TodoItem> {
    let all =
      switch list {
      case .all: TodoItem.all
      case .important: TodoItem.where { $0.isImportant }
      case .group(let id): TodoItem.where { $0.group == Ref(id) }
      case .ungrouped: TodoItem.where { $0.group.isNil }
      }
    return switch filter {
    case .all: all
    case .undone: all.where { !$0.isDone }
    case .done: all.where { $0.isDone }
    }
  }
}
