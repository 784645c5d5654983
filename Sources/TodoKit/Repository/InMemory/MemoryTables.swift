#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The tables of the repository in memory, which remember what to put back.
///
/// Copying them for each command would cost as much as all items together, so what
/// a command overwrites is kept until it has ended.
struct MemoryTables: TodoTables {
  private var items: [UUID: TodoItem] = [:]
  private var groups: [UUID: TodoGroup] = [:]
  private var tallies: [ItemList: Tally] = [:]
  /// The history, by ascending numbers.
  private var commands: [LoggedCommand] = []
  /// The places of items and groups, nearest the beginning first.
  private var itemLine = SortedLine()
  private var groupLine = SortedLine()
  /// What the command in hand has overwritten.
  private var before = Before()

  private struct Before {
    var items: [UUID: TodoItem?] = [:]
    var groups: [UUID: TodoGroup?] = [:]
    var tallies: [ItemList: Tally?] = [:]
    var commands: [LoggedCommand]?
  }

  /// Does all of a command, or nothing.
  mutating func transaction<Value>(
    _ body: (inout MemoryTables) throws -> Value
  ) throws -> Value {
    before = Before()
    defer { before = Before() }
    do {
      return try body(&self)
    } catch {
      let before = before
      for (id, item) in before.items { set(item, at: id) }
      for (id, group) in before.groups { set(group, at: id) }
      for (list, tally) in before.tallies { tallies[list] = tally }
      if let commands = before.commands { self.commands = commands }
      throw error
    }
  }

  private mutating func set(_ item: TodoItem?, at id: UUID) {
    let old = items[id]
    if before.items[id] == nil { before.items[id] = .some(old) }
    if let old { itemLine.remove(old.linePlace) }
    if let item { itemLine.insert(item.linePlace) }
    items[id] = item
  }

  private mutating func set(_ group: TodoGroup?, at id: UUID) {
    let old = groups[id]
    if before.groups[id] == nil { before.groups[id] = .some(old) }
    if let old { groupLine.remove(old.linePlace) }
    if let group { groupLine.insert(group.linePlace) }
    groups[id] = group
  }

  private mutating func set(_ commands: [LoggedCommand]) {
    if before.commands == nil { before.commands = self.commands }
    self.commands = commands
  }

  func item(_ id: UUID) -> TodoItem? { items[id] }

  func items(in list: ItemList, _ filter: ItemFilter) -> [TodoItem] {
    items.values
      .filter { list.includes($0) && filter.includes(isDone: $0.isDone) }
      .sorted(by: TodoItem.precedes)
  }

  mutating func addItems(_ items: [TodoItem]) {
    for item in items { set(item, at: item.id) }
  }

  mutating func setItem(_ item: TodoItem) { set(item, at: item.id) }

  mutating func removeItem(_ id: UUID) { set(TodoItem?.none, at: id) }

  func group(_ id: UUID) -> TodoGroup? { groups[id] }

  func group(named name: String) -> TodoGroup? { groups.values.first { $0.name == name } }

  mutating func addGroup(_ group: TodoGroup) { set(group, at: group.id) }

  mutating func setGroup(_ group: TodoGroup) { set(group, at: group.id) }

  mutating func removeGroup(_ id: UUID) {
    for item in items.values where item.groupID == id { removeItem(item.id) }
    set(TodoGroup?.none, at: id)
  }

  /// All groups with their tallies, in their order.
  func groupSummaries() -> [GroupSummary] {
    groups.values.sorted(by: TodoGroup.precedes)
      .map { GroupSummary(group: $0, tally: tally(of: .group(id: $0.id))) }
  }

  func neighbors(
    on line: Line, _ direction: LineDirection, of order: Int64?, limit: Int
  ) -> [LinePlace] {
    switch line {
    case .items: itemLine.neighbors(direction, of: order, limit: limit)
    case .groups: groupLine.neighbors(direction, of: order, limit: limit)
    }
  }

  func tally(of list: ItemList) -> Tally { tallies[list] ?? Tally() }

  mutating func setTally(_ tally: Tally, of list: ItemList) {
    if before.tallies[list] == nil { before.tallies[list] = .some(tallies[list]) }
    tallies[list] = tally == Tally() ? nil : tally
  }

  func firstCommand() -> LoggedCommand? { commands.first }

  func lastCommand() -> LoggedCommand? { commands.last }

  func lastStandingCommand() -> LoggedCommand? { commands.last { !$0.isUndone } }

  func firstUndoneCommand() -> LoggedCommand? { commands.first(where: \.isUndone) }

  mutating func setCommand(_ command: LoggedCommand) {
    set(commands.filter { $0.number != command.number } + [command])
    commands.sort { $0.number < $1.number }
  }

  mutating func removeCommands(_ numbers: ClosedRange<Int64>) {
    set(commands.filter { !numbers.contains($0.number) })
  }

  /// Which commands can be taken back and done again.
  func commandHistory() throws -> CommandHistory {
    try CommandHistory(standing: lastStandingCommand(), undone: firstUndoneCommand())
  }
}
