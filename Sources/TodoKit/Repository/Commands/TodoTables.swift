#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What commands read and write, inside one transaction: the store's, or a copy in memory.
///
/// Everything that commands mean stands above it and is written once; below it
/// there is only keeping.
protocol TodoTables: ~Copyable {
  /// The item of an id.
  mutating func item(_ id: UUID) throws -> TodoItem?
  /// The items of a list, in the repository's order.
  mutating func items(in list: ItemList, _ filter: ItemFilter) throws -> [TodoItem]
  /// Stores items whose ids are new.
  mutating func addItems(_ items: [TodoItem]) throws
  /// Replaces the item of the same id.
  mutating func setItem(_ item: TodoItem) throws
  /// Deletes an item.
  mutating func removeItem(_ id: UUID) throws

  /// The group of an id.
  mutating func group(_ id: UUID) throws -> TodoGroup?
  /// The group of a name, by canonical equivalence.
  mutating func group(named name: String) throws -> TodoGroup?
  /// Stores a group whose id and name are new.
  mutating func addGroup(_ group: TodoGroup) throws
  /// Replaces the group of the same id.
  mutating func setGroup(_ group: TodoGroup) throws
  /// Deletes a group, and with it the items that belong to it.
  mutating func removeGroup(_ id: UUID) throws

  /// What stands on a line in front of a place or behind it, the nearest first.
  ///
  /// - Parameter order: The place, which is itself left out; nil for the end that is farthest
  ///   from where the look goes.
  mutating func neighbors(
    on line: Line, _ direction: LineDirection, of order: Int64?, limit: Int
  ) throws -> [LinePlace]

  /// A list's tally.
  mutating func tally(of list: ItemList) throws -> Tally
  /// Keeps a list's tally; that of an empty list is not kept.
  mutating func setTally(_ tally: Tally, of list: ItemList) throws

  /// The oldest command of the history.
  mutating func firstCommand() throws -> LoggedCommand?
  /// The newest command of the history, taken back or not.
  mutating func lastCommand() throws -> LoggedCommand?
  /// The command that undo takes back: the newest that stands.
  mutating func lastStandingCommand() throws -> LoggedCommand?
  /// The command that redo does again: the oldest that was taken back.
  mutating func firstUndoneCommand() throws -> LoggedCommand?
  /// Keeps a command, in place of the one with its number if there is one.
  mutating func setCommand(_ command: LoggedCommand) throws
  /// Forgets the commands of a range of numbers.
  mutating func removeCommands(_ numbers: ClosedRange<Int64>) throws
}
