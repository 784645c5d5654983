import Foundation
import Reactive
import Synchronization
import TodoKit

/// An in-memory repository whose items get ids and dates that a test can write down.
///
/// The nth item to be added ends in `a001`, `a002`, ... and is made n seconds after
/// 2026-01-02 03:04:00 UTC, whatever id the caller made. Groups are counted with the items.
final class KnownRepository: TodoRepository {
  private let base: CroftTodoRepository
  /// How many items have been added; the mutex protects it.
  private let count = Mutex(0)

  init() {
    do {
      base = try CroftTodoRepository.inMemory(now: { Self.date(0) }, today: { Self.today })
    } catch {
      preconditionFailure("A store in memory must open: \(error)")
    }
  }

  private static var today: CalendarDay {
    guard let day = CalendarDay("2026-01-02") else { preconditionFailure("A day must be one.") }
    return day
  }

  static func id(_ number: Int) -> UUID {
    let digits = String(number, radix: 16)
    let tail = String(repeating: "0", count: 3 - digits.count) + digits
    guard let id = UUID(uuidString: "019b7c3e-0000-7000-8000-00000000a\(tail)") else {
      preconditionFailure("A known id must be a UUID.")
    }
    return id
  }

  /// The colour itself, or a fixed one for one that is dark, as those are that nobody chose.
  private static func known(_ color: RGBA) -> RGBA {
    let isDark = [color.red, color.green, color.blue].allSatisfy { $0 < 0.5 }
    return isDark ? RGBA(rawValue: 0x607D_8BFF) : color
  }

  private static func known(_ group: TodoGroup, number: Int) -> TodoGroup {
    var group = group
    group.id = id(number)
    group.createdAt = date(number)
    group.color = known(group.color)
    return group
  }

  private static func date(_ number: Int) -> Date {
    Date(timeIntervalSince1970: 1_767_323_040 + Double(number))
  }

  @discardableResult
  func perform(_ command: TodoKit.TodoCommand) throws -> CommandResult {
    if case .reusingGroups(let command) = command {
      return try perform(command) { .reusingGroups($0) }
    }
    return try perform(command) { $0 }
  }

  /// Performs a command whose rows have got known ids, as it was asked for.
  private func perform(
    _ command: TodoKit.TodoCommand, as asked: (TodoKit.TodoCommand) -> TodoKit.TodoCommand
  ) throws -> CommandResult {
    if case .importItems(let groups, var items, let edits) = command {
      let first = count.withLock { $0 + 1 }
      for index in items.indices { items[index].id = Self.id(first + index) }
      count.withLock { $0 += items.count }
      return try base.perform(asked(.importItems(groups: groups, items: items, edits: edits)))
    }
    if case .editItems(let ids, var patch, let expected, var group?) = command {
      group = Self.known(group, number: count.withLock { $0 + 1 })
      patch.groupID = group.id
      let receipt = try base.perform(
        asked(.editItems(ids: ids, patch: patch, ifStill: expected, inNewGroup: group)))
      count.withLock { $0 += 1 }
      return receipt
    }
    guard case .add(var groups, var items) = command else {
      return try base.perform(asked(command))
    }
    let first = count.withLock { $0 + 1 }
    for index in groups.indices {
      for place in items.indices where items[place].groupID == groups[index].id {
        items[place].groupID = Self.id(first + index)
      }
      groups[index] = Self.known(groups[index], number: first + index)
    }
    for index in items.indices {
      items[index].id = Self.id(first + groups.count + index)
      items[index].createdAt = Self.date(first + groups.count + index)
    }
    let receipt = try base.perform(asked(.add(groups: groups, items: items)))
    count.withLock { $0 += groups.count + items.count }
    return receipt
  }

  func item(_ id: UUID) throws -> TodoItem? { try base.item(id) }
  func items(endingIn ending: ShortID) throws -> [TodoItem] {
    try base.items(endingIn: ending)
  }

  func items(
    in list: ItemList, meeting conditions: [ItemCondition], sortedBy sort: ItemSort, limit: Int?
  ) throws -> [TodoItem] {
    try base.items(in: list, meeting: conditions, sortedBy: sort, limit: limit)
  }

  func items(in list: ItemList, _ filter: ItemFilter) throws -> [TodoItem] {
    try base.items(in: list, filter)
  }
  func group(_ id: UUID) throws -> TodoGroup? { try base.group(id) }
  func forEachPortion(
    in list: ItemList, meeting conditions: [ItemCondition], sortedBy sort: ItemSort,
    _ body: ([TodoItem], [TodoGroup]) throws -> Void
  ) throws {
    try base.forEachPortion(in: list, meeting: conditions, sortedBy: sort, body)
  }
  func page(_ request: ListPage.Request) throws -> ListPage { try base.page(request) }
  func observe(_ request: ListPage.Request) -> Observable<ListPage> {
    base.observe(request)
  }
  func overview(_ request: ListPage.Request) throws -> TodoOverview {
    try base.overview(request)
  }
  func observeOverview(_ request: ListPage.Request) -> Observable<TodoOverview> {
    base.observeOverview(request)
  }
  func groups(named name: String) throws -> [TodoGroup] { try base.groups(named: name) }
  func groups() throws -> [GroupSummary] { try base.groups() }
  func tally(of list: ItemList) throws -> Tally { try base.tally(of: list) }
  func backUp(to path: String, replacesExisting: Bool) throws {
    try base.backUp(to: path, replacesExisting: replacesExisting)
  }
  func history() throws -> CommandHistory { try base.history() }
  func observe(in list: ItemList, _ filter: ItemFilter) -> Observable<[TodoItem]> {
    base.observe(in: list, filter)
  }
  func observeGroups() -> Observable<[GroupSummary]> { base.observeGroups() }
  func observeTally(of list: ItemList) -> Observable<Tally> { base.observeTally(of: list) }
  func observeHistory() -> Observable<CommandHistory> { base.observeHistory() }
}
