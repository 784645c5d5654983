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
    try fetch(TodoItem.listed(in: list, filter))
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
    try Tally(get(ListTally.self, list.tallyKey))
  }

  /// The newest command that stands.
  mutating func standingCommand() throws -> LoggedCommand? {
    try first(LoggedCommand.standing)
  }

  /// The oldest command that was taken back.
  mutating func undoneCommand() throws -> LoggedCommand? {
    try first(LoggedCommand.undone)
  }

  /// Which commands can be taken back and done again.
  mutating func commandHistory() throws -> CommandHistory {
    try CommandHistory(standing: standingCommand(), undone: undoneCommand())
  }
}

extension Tally {
  /// A tally as it is kept; that of an empty list is not kept.
  init(_ stored: ListTally?) {
    self.init(total: stored?.total ?? 0, done: stored?.done ?? 0)
  }
}
