import Croft

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is read of to-dos inside a transaction of any kind.
extension ReadableTransaction where Self: ~Copyable {
  /// The items of a list, in the repository's order.
  mutating func todoItems(in list: ItemList, _ filter: ItemFilter) throws -> [TodoItem] {
    let all =
      switch list {
      case .all: TodoItem.all
      case .important: TodoItem.where { $0.isImportant }
      case .group(let id): TodoItem.where { $0.group == Ref(id) }
      case .ungrouped: TodoItem.where { $0.group.isNil }
      }
    let filtered =
      switch filter {
      case .all: all
      case .undone: all.where { !$0.isDone }
      case .done: all.where { $0.isDone }
      }
    return try fetch(filtered.order(by: \.isDone, \.order, \.createdAt))
  }

  /// All groups, in their order.
  mutating func todoGroups() throws -> [TodoGroup] {
    try fetch(TodoGroup.all.order(by: \.order))
  }

  /// All groups with their tallies.
  mutating func groupSummaries() throws -> [GroupSummary] {
    try todoGroups().map { group in
      GroupSummary(group: group, tally: try listTally(of: .group(id: group.id)))
    }
  }

  /// A list's tally.
  mutating func listTally(of list: ItemList) throws -> Tally {
    let stored = try get(ListTally.self, list.tallyKey)
    return stored.map { Tally(total: $0.total, done: $0.done) } ?? Tally()
  }

  /// The newest command that stands.
  mutating func standingCommand() throws -> LoggedCommand? {
    try first(LoggedCommand.where { !$0.isUndone }.order(by: \.number.descending).limit(1))
  }

  /// The oldest command that was taken back.
  mutating func undoneCommand() throws -> LoggedCommand? {
    try first(LoggedCommand.where { $0.isUndone }.limit(1))
  }

  /// Which commands can be taken back and done again.
  mutating func commandHistory() throws -> CommandHistory {
    try CommandHistory(standing: standingCommand(), undone: undoneCommand())
  }
}
