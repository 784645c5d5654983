import Croft

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The store's transaction as commands see it.
extension WriteTransaction: TodoTables {
  mutating func item(_ id: UUID) throws -> TodoItem? { try get(TodoItem.self, id) }

  mutating func items(in list: ItemList, _ filter: ItemFilter) throws -> [TodoItem] {
    try todoItems(in: list, filter)
  }

  mutating func addItems(_ items: [TodoItem]) throws {
    try insert(contentsOf: items)
  }

  mutating func setItem(_ item: TodoItem) throws {
    try upsert(item)
  }

  mutating func removeItem(_ id: UUID) throws {
    try delete(TodoItem.self, id)
  }

  mutating func group(_ id: UUID) throws -> TodoGroup? { try get(TodoGroup.self, id) }

  mutating func group(named name: String) throws -> TodoGroup? {
    try first(TodoGroup.where { $0.name == name }.limit(1))
  }

  mutating func addGroup(_ group: TodoGroup) throws {
    try insert(group)
  }

  mutating func setGroup(_ group: TodoGroup) throws {
    try upsert(group)
  }

  mutating func removeGroup(_ id: UUID) throws {
    // The items go by the delete rule of their reference.
    try delete(TodoGroup.self, id)
  }

  mutating func neighbors(
    on line: Line, _ direction: LineDirection, of order: Int64?, limit: Int
  ) throws -> [LinePlace] {
    switch line {
    case .items:
      let all = TodoItem.all
      let query =
        switch (direction, order) {
        case (.front, let order?):
          all.where { $0.order < order }.order(by: \.order.descending)
        case (.front, nil): all.order(by: \.order.descending)
        case (.behind, let order?): all.where { $0.order > order }.order(by: \.order)
        case (.behind, nil): all.order(by: \.order)
        }
      return try fetch(query.limit(limit)).map(\.linePlace)
    case .groups:
      let all = TodoGroup.all
      let query =
        switch (direction, order) {
        case (.front, let order?):
          all.where { $0.order < order }.order(by: \.order.descending)
        case (.front, nil): all.order(by: \.order.descending)
        case (.behind, let order?): all.where { $0.order > order }.order(by: \.order)
        case (.behind, nil): all.order(by: \.order)
        }
      return try fetch(query.limit(limit)).map(\.linePlace)
    }
  }

  mutating func tally(of list: ItemList) throws -> Tally { try listTally(of: list) }

  mutating func setTally(_ tally: Tally, of list: ItemList) throws {
    if tally == Tally() {
      try delete(ListTally.self, list.tallyKey)
    } else {
      try upsert(ListTally(list: list.tallyKey, total: tally.total, done: tally.done))
    }
  }

  mutating func firstCommand() throws -> LoggedCommand? {
    try first(LoggedCommand.all.limit(1))
  }

  mutating func lastCommand() throws -> LoggedCommand? {
    try first(LoggedCommand.all.order(by: \.number.descending).limit(1))
  }

  mutating func lastStandingCommand() throws -> LoggedCommand? { try standingCommand() }

  mutating func firstUndoneCommand() throws -> LoggedCommand? { try undoneCommand() }

  mutating func setCommand(_ command: LoggedCommand) throws {
    try upsert(command)
  }

  mutating func removeCommands(_ numbers: ClosedRange<Int64>) throws {
    try delete(LoggedCommand.where { $0.number.in(numbers) })
  }
}
