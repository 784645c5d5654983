import Croft
package import Foundation
import Presentation
package import Reactive
import Synchronization
import Testing
package import TodoKit

/// The plain twin of the stored repository: dictionaries, and a copy of everything for each undo.
///
/// It is written to be right at a glance, not for speed: commands are carried out on arrays,
/// and undo puts the whole state before the command back. Only the rules for values (patches,
/// names, the arithmetic of order keys) are the module's own.
///
/// Observers are called on the thread that commits, before `perform` returns.
///
/// Threads: any; a mutex protects the content and is not held while observers are called.
package final class PlainTodoRepository: TodoRepository {
  private let content: Content
  private let commits = BehaviorRelay<Void>(value: ())
  private let limits: HistoryLimits
  private let now: @Sendable () -> Date

  /// Apart from the repository, so that an observer does not keep that.
  private final class Content: Sendable {
    let state = Mutex(PlainState())

    func read<Value: Sendable>(_ body: (PlainState) throws -> Value) rethrows -> Value {
      try body(state.withLock { $0 })
    }
  }

  package init(
    limits: HistoryLimits = HistoryLimits(), now: @escaping @Sendable () -> Date = { .now }
  ) {
    content = Content()
    self.limits = limits
    self.now = now
  }

  @discardableResult
  package func perform(_ command: TodoCommand) throws -> CommandResult {
    guard !command.isEmpty else { return CommandResult(command: command, isNoOp: true) }
    let now = now()
    let result = try content.state.withLock { state in
      var next = state
      do {
        let result = try next.perform(command, now: now, limits: limits)
        state = next
        return result
      } catch {
        throw error is TodoError ? error : TodoError.storage(error)
      }
    }
    commits.accept(())
    return result
  }

  package func item(_ id: UUID) throws -> TodoItem? { content.read { $0.items[id] } }
  package func items(in list: ItemList, _ filter: ItemFilter) throws -> [TodoItem] {
    content.read { $0.items(in: list, filter) }
  }
  package func items(endingIn ending: ShortID) throws -> [TodoItem] {
    try items(.all).filter { ending.matches($0.id) }.sorted { $0.id.uuidString < $1.id.uuidString }
  }
  package func items(
    in list: ItemList, meeting conditions: [ItemCondition], sortedBy sort: ItemSort, limit: Int?
  ) throws -> [TodoItem] {
    content.read { $0.items(in: list, meeting: conditions, sortedBy: sort, limit: limit) }
  }
  package func group(_ id: UUID) throws -> TodoGroup? { content.read { $0.groups[id] } }
  package func page(_ request: ListPage.Request) throws -> ListPage {
    content.read { $0.page(request) }
  }
  package func observe(_ request: ListPage.Request) -> Observable<ListPage> {
    observe { $0.page(request) }
  }
  package func overview(_ request: ListPage.Request) throws -> TodoOverview {
    content.read { $0.overview(request) }
  }
  package func observeOverview(_ request: ListPage.Request) -> Observable<TodoOverview> {
    observe { $0.overview(request) }
  }
  package func groups(named name: String) throws -> [TodoGroup] {
    let groups = try groups().map(\.group).filter { $0.name.caseFolded == name.caseFolded }
    return groups.sorted { $0.id.uuidString < $1.id.uuidString }
  }
  package func groups() throws -> [GroupSummary] { content.read { $0.summaries } }
  package func tally(of list: ItemList) throws -> Tally { content.read { $0.tally(of: list) } }
  package func backUp(to path: String, replacesExisting: Bool) throws {
    preconditionFailure("A repository without a store cannot be copied to a file.")
  }
  package func history() throws -> CommandHistory { content.read { $0.history } }

  package func observe(in list: ItemList, _ filter: ItemFilter) -> Observable<[TodoItem]> {
    observe { $0.items(in: list, filter) }
  }
  package func observeGroups() -> Observable<[GroupSummary]> { observe { $0.summaries } }
  package func observeTally(of list: ItemList) -> Observable<Tally> {
    observe { $0.tally(of: list) }
  }
  package func observeHistory() -> Observable<CommandHistory> { observe { $0.history } }

  private func observe<Value: Equatable & Sendable>(
    _ read: @escaping @Sendable (PlainState) -> Value
  ) -> Observable<Value> {
    commits.map { [content] _ in content.read(read) }.distinctUntilChanged()
  }
}

/// All that a plain repository contains.
private struct PlainState: Sendable {
  var items: [UUID: TodoItem] = [:]
  var groups: [UUID: TodoGroup] = [:]
  /// The commands that can be undone, the oldest first.
  private var done: [Step] = []
  /// The commands that can be redone, the next one last.
  private var undone: [Step] = []

  private struct Step: Sendable {
    let command: TodoCommand
    var entry: HistoryStep
    let before: Rows
    let after: Rows
    let byteCount: Int
  }

  private struct Rows: Sendable {
    let items: [UUID: TodoItem]
    let groups: [UUID: TodoGroup]
  }

  // Reading.

  func items(in list: ItemList, _ filter: ItemFilter) -> [TodoItem] {
    items.values.filter { list.includes($0) && filter.includes(isDone: $0.isDone) }.sorted {
      if $0.isDone != $1.isDone { return $1.isDone }
      if $0.order != $1.order { return $0.order < $1.order }
      if $0.createdAt != $1.createdAt { return $0.createdAt < $1.createdAt }
      return $0.id < $1.id
    }
  }

  func items(
    in list: ItemList, meeting conditions: [ItemCondition], sortedBy sort: ItemSort, limit: Int?
  ) -> [TodoItem] {
    let found = items(in: list, .all).filter { $0.meets(conditions) }
    return Array(sort.sorted(found).prefix(limit ?? .max))
  }

  func lastCompleted(
    in list: ItemList, meeting conditions: [ItemCondition], limit: Int
  ) -> [TodoItem] {
    let found = items(in: list, .done).filter { $0.meets(conditions) }
    // The sort is stable, so that equal times keep the list's order.
    let sorted = found.sorted { ($0.doneAt ?? .distantPast) > ($1.doneAt ?? .distantPast) }
    return Array(sorted.prefix(limit))
  }

  func tally(of list: ItemList, meeting conditions: [ItemCondition]) -> Tally {
    let found = items(in: list, .all).filter { $0.meets(conditions) }
    return Tally(total: found.count, done: found.count(where: \.isDone))
  }

  func page(_ request: ListPage.Request) -> ListPage {
    var open = items(
      in: request.list, meeting: request.openConditions, sortedBy: request.sort,
      limit: request.limit)
    var completed = lastCompleted(
      in: request.list, meeting: request.conditions,
      limit: request.completedLimit(behind: open.count))
    if let rows = request.rows {
      let done = items(
        in: request.list, meeting: request.conditions + [.isDone(true)], sortedBy: request.sort,
        limit: nil)
      let all = open + done
      let shown = all[rows.clamped(to: all.indices)]
      (open, completed) = (shown.filter { !$0.isDone }, shown.filter(\.isDone))
    }
    let ids = Set((open + completed).compactMap(\.groupID))
    let waiting = request.hidesWaitingOn.map { today in
      tally(of: request.list, meeting: request.conditions + [.isWaiting(today)]).total
    }
    return ListPage(
      request, open: open, completed: completed,
      groups: ids.sorted().compactMap { groups[$0] },
      tally: tally(of: request.list, meeting: request.conditions), waiting: waiting ?? 0)
  }

  func overview(_ request: ListPage.Request) -> TodoOverview {
    TodoOverview(
      page: page(request), groups: summaries.map(\.withoutPicture), all: tally(of: .all),
      important: tally(of: .important), ungrouped: tally(of: .ungrouped), undo: done.last?.entry,
      redo: undone.last?.entry)
  }

  var summaries: [GroupSummary] {
    groups.values.sorted { $0.order != $1.order ? $0.order < $1.order : $0.id < $1.id }
      .map { GroupSummary(group: $0, tally: tally(of: .group(id: $0.id))) }
  }

  func tally(of list: ItemList) -> Tally {
    let counted = items.values.filter { list.includes($0) }
    return Tally(total: counted.count, done: counted.count { $0.isDone })
  }

  var history: CommandHistory {
    CommandHistory(undo: done.last?.command, redo: undone.last?.command)
  }

  // Commands.

  mutating func perform(
    _ command: TodoCommand, now: Date, limits: HistoryLimits
  ) throws -> CommandResult {
    switch command {
    case .ifUnchanged(let shown, let command):
      try check(shown)
      return try perform(command, now: now, limits: limits)
    case .reusingGroups(let command):
      let (command, reused) = reusing(command)
      let result = try perform(command, now: now, limits: limits)
      return reused.isEmpty ? result : result.with(groups: result.groups + reused)
    case .undo:
      guard let step = done.popLast() else { throw TodoError.nothingToUndo }
      undone.append(step)
      return replace(step.after, with: step.before, of: step, isUndoable: false)
    case .redo:
      guard var step = undone.popLast() else { throw TodoError.nothingToRedo }
      step.entry = HistoryStep(number: step.entry.number, performedAt: now)
      done.append(step)
      return replace(step.before, with: step.after, of: step, isUndoable: true)
    default:
      let before = Rows(items: items, groups: groups)
      let (changedItems, changedGroups) = try apply(command, now: now)
      let changes = changes(since: before)
      let step = try note(command, before, changes, now, limits)
      return CommandResult(
        command: command, items: changedItems, groups: changedGroups, isNoOp: changes.isEmpty,
        step: step)
    }
  }

  /// Puts the rows of one state in place of those of another.
  private mutating func replace(
    _ old: Rows, with new: Rows, of step: Step, isUndoable: Bool
  ) -> CommandResult {
    (items, groups) = (new.items, new.groups)
    let changes = changes(since: old)
    return CommandResult(
      command: step.command, items: changes.items.all.compactMap { $0.new ?? $0.old },
      groups: changes.groups.all.compactMap { $0.new ?? $0.old },
      step: isUndoable ? step.entry : nil)
  }

  private func changes(since old: Rows) -> ChangeSet {
    var changes = ChangeSet()
    for id in Set(old.items.keys).union(items.keys).sorted() {
      let (before, after) = (old.items[id], items[id])
      if let before, let after, ItemPatch(from: before, to: after) == ItemPatch() { continue }
      changes.record(before, after)
    }
    for id in Set(old.groups.keys).union(groups.keys).sorted() {
      let (before, after) = (old.groups[id], groups[id])
      if let before, let after, GroupPatch(from: before, to: after) == GroupPatch() { continue }
      changes.record(before, after)
    }
    return changes
  }

  private mutating func note(
    _ command: TodoCommand, _ before: Rows, _ changes: ChangeSet, _ now: Date,
    _ limits: HistoryLimits
  ) throws -> HistoryStep? {
    if changes.isEmpty { return nil }
    let encoder = JSONEncoder()
    // Of a command of many rows the history has portions, which count as no bytes.
    let isInPortions = changes.count >= limits.rowsPerPortion
    let command = isInPortions ? command.withoutRows : command
    let own = isInPortions ? [] : [changes.undo, changes.redo]
    let byteCount =
      try encoder.encode(command).count
      + own.map { try encoder.encode($0).count }.reduce(0, +)
    undone = []
    guard limits.commands > 0 else {
      done = []
      return nil
    }
    let entry = HistoryStep(number: (done.last?.entry.number ?? 0) + 1, performedAt: now)
    done.append(
      Step(
        command: command, entry: entry, before: before, after: Rows(items: items, groups: groups),
        byteCount: byteCount))
    while done.count > limits.commands
      || done.count > 1 && done.map(\.byteCount).reduce(0, +) > limits.bytes
    {
      done.removeFirst()
    }
    return entry
  }

  /// A command with the present groups of its new groups' names, which are left out of it.
  private func reusing(_ command: TodoCommand) -> (TodoCommand, [TodoGroup]) {
    func present(_ group: TodoGroup, isTyped: Bool = true) -> TodoGroup? {
      let name = GroupName.plain(group.name)
      return groups.values.first { $0.name == name }
        ?? groups.values.sorted { $0.id < $1.id }
        .first { isTyped && $0.name.lowercased() == name.lowercased() }
    }
    func place(_ id: UUID?, _ new: [TodoGroup], isTyped: Bool = true) -> UUID? {
      new.first { $0.id == id }.flatMap { present($0, isTyped: isTyped) }?.id ?? id
    }
    func moved(_ items: [TodoItem], _ new: [TodoGroup], isTyped: Bool = true) -> [TodoItem] {
      items.map { item in
        var item = item
        item.groupID = place(item.groupID, new, isTyped: isTyped)
        return item
      }
    }
    switch command {
    case .add(let new, let items):
      return (
        .add(groups: new.filter { present($0) == nil }, items: moved(items, new)),
        new.compactMap { present($0) }
      )
    case .editItems(let ids, var patch, let expected, let new?):
      guard let group = present(new) else { return (command, []) }
      if patch.groupID == .some(new.id) { patch.groupID = .some(group.id) }
      return (.editItems(ids: ids, patch: patch, ifStill: expected), [group])
    case .importItems(let new, let items, let edits):
      let edits = edits.map { edit in
        var edit = edit
        if case .some(let id?) = edit.patch.groupID {
          edit.patch.groupID = .some(place(id, new, isTyped: false))
        }
        return edit
      }
      return (
        .importItems(
          groups: new.filter { present($0, isTyped: false) == nil },
          items: moved(items, new, isTyped: false), edits: edits),
        new.compactMap { present($0, isTyped: false) }
      )
    case .ifUnchanged(let shown, let command):
      let (command, reused) = reusing(command)
      return (.ifUnchanged(shown, then: command), reused)
    default: return (command, [])
    }
  }

  private func check(_ shown: ExpectedState) throws {
    for old in shown.items {
      var new = try known(item: old.id)
      new.order = old.order
      if ItemPatch(from: old, to: new) != ItemPatch() { throw TodoError.changedSince(old.id) }
    }
    for old in shown.groups {
      var new = try known(group: old.id)
      new.order = old.order
      if GroupPatch(from: old, to: new) != GroupPatch() { throw TodoError.changedSince(old.id) }
    }
    if let step = shown.lastStep, step != done.last?.entry { throw TodoError.notTheLastCommand }
  }

  private mutating func apply(
    _ command: TodoCommand, now: Date
  ) throws -> (items: [TodoItem], groups: [TodoGroup]) {
    switch command {
    case .add(let newGroups, let newItems):
      let groups = try add(newGroups)
      return (try add(newItems), groups)
    case .editItems(let ids, let patch, let expected, let newGroup):
      let added = try add(newGroup.map { [$0] } ?? [])
      if case .some(let groupID?) = patch.groupID { _ = try known(group: groupID) }
      let edited = try once(ids).map { id in
        let old = try known(item: id)
        if let expected, !expected.holds(in: old) { throw TodoError.changedSince(id) }
        var new = old
        patch.apply(to: &new, now: now)
        return new
      }
      for item in edited { items[item.id] = item }
      return (edited, added)
    case .editGroup(let id, let patch, let expected):
      var group = try known(group: id)
      if let expected, !expected.holds(in: group) { throw TodoError.changedSince(id) }
      patch.applyExceptName(to: &group)
      if let name = patch.name { group.name = try freeName(name, for: id) }
      groups[id] = group
      return ([], [group])
    case .moveItems(let ids, let position):
      let ids = once(ids)
      for id in ids { _ = try known(item: id) }
      if let id = position.neighbor { _ = try known(item: id) }
      let orders = items.mapValues(\.order)
      for (id, order) in arrange(ids, at: position, in: orders) { items[id]?.order = order }
      return (ids.compactMap { items[$0] }, [])
    case .moveGroup(let id, let position):
      _ = try known(group: id)
      if let id = position.neighbor { _ = try known(group: id) }
      let orders = groups.mapValues(\.order)
      for (id, order) in arrange([id], at: position, in: orders) { groups[id]?.order = order }
      return ([], [try known(group: id)])
    case .deleteItems(let ids):
      let deleted = try once(ids).map { try known(item: $0) }
      for item in deleted { items[item.id] = nil }
      return (deleted, [])
    case .deleteAll(let list, let filter):
      let deleted = items(in: list, filter)
      for item in deleted { items[item.id] = nil }
      return (deleted, [])
    case .deleteGroup(let id, let held):
      let group = try known(group: id)
      let deleted = items(in: .group(id: id), .all)
      if let held, Set(held) != Set(deleted.map(\.id)) { throw TodoError.changedSince(id) }
      for item in deleted { items[item.id] = nil }
      groups[id] = nil
      return (deleted, [group])
    case .importItems(let newGroups, let newItems, let edits):
      let newIDs = newItems.compactMap(\.foreignID)
      for old in items.values.sorted(by: { $0.id < $1.id }) {
        if let id = old.foreignID, newIDs.contains(id) { throw TodoError.changedSince(old.id) }
      }
      let added = (groups: try add(newGroups), items: try add(newItems))
      let edited = try edits.map { edit in
        try apply(
          .editItems(ids: [edit.id], patch: edit.patch, ifStill: edit.expected), now: now
        ).items[0]
      }
      return (added.items + edited, added.groups)
    case .ifUnchanged, .reusingGroups, .undo, .redo: return ([], [])
    }
  }

  private mutating func add(_ new: [TodoGroup]) throws -> [TodoGroup] {
    var (added, moved) = placed(new.map(\.order), in: groups.mapValues(\.order))
    for (id, order) in moved { groups[id]?.order = order }
    return try new.map { group in
      guard groups[group.id] == nil else { throw TodoError.duplicate(group.id) }
      var group = group
      group.order = added.removeFirst()
      group.name = try freeName(group.name, for: group.id)
      groups[group.id] = group
      return group
    }
  }

  private mutating func add(_ new: [TodoItem]) throws -> [TodoItem] {
    var ids: Set<UUID> = []
    for item in new where !ids.insert(item.id).inserted || items[item.id] != nil {
      throw TodoError.duplicate(item.id)
    }
    for id in new.compactMap(\.groupID) { _ = try known(group: id) }
    var (added, moved) = placed(new.map(\.order), in: items.mapValues(\.order))
    for (id, order) in moved { items[id]?.order = order }
    return new.map { item in
      var item = item
      item.order = added.removeFirst()
      items[item.id] = item
      return item
    }
  }

  private func freeName(_ typed: String, for id: UUID) throws -> String {
    if GroupName.isReserved(typed) { throw TodoError.reservedName(typed.trimmed) }
    let taken = groups.values.filter { $0.id != id }.map(\.name)
    return try #require(GroupName.candidates(for: typed).first { !taken.contains($0) })
  }

  private func known(item id: UUID) throws -> TodoItem {
    guard let item = items[id] else { throw TodoError.notFound(id) }
    return item
  }

  private func known(group id: UUID) throws -> TodoGroup {
    guard let group = groups[id] else { throw TodoError.groupNotFound(id) }
    return group
  }

  // Order keys.

  /// The order keys of new rows, and of rows that get another one for them.
  private func placed(
    _ wanted: [Int64], in orders: [UUID: Int64]
  ) -> (new: [Int64], moved: [UUID: Int64]) {
    var taken = Set(orders.values).union([0, .min])
    var asked: Set<Int64> = [0]
    var keys = wanted.map { order -> Int64? in
      let isFree = asked.insert(order).inserted && !taken.contains(order)
      return isFree ? order : nil
    }
    taken.subtract([0, .min])
    let missing = keys.count { $0 == nil }
    let end = (Array(orders.values) + keys.compactMap { $0 }).max()
    if var free = OrderKeys.keys(missing, between: end, and: nil) {
      for index in keys.indices where keys[index] == nil { keys[index] = free.removeFirst() }
      return (keys.compactMap { $0 }, [:])
    }
    let ids = (0..<missing).map { _ in UUID() }
    var moved = arrange(ids, at: .last, in: orders)
    for (index, id) in zip(keys.indices.filter { keys[$0] == nil }, ids) {
      keys[index] = moved.removeValue(forKey: id)
    }
    return (keys.compactMap { $0 }, moved)
  }

  /// The new order keys of rows that are put at a position, and of those that make room.
  private func arrange(
    _ ids: [UUID], at position: Position, in orders: [UUID: Int64]
  ) -> [UUID: Int64] {
    let rows = orders.map { OrderEntry(id: $0, order: $1) }
    let anchor = position.neighbor.flatMap { id in orders[id].map { OrderEntry(id: id, order: $0) }
    }
    // Of equal keys the lower id comes first.
    var before = rows.filter { row in anchor.map { (row.order, row.id) < ($0.order, $0.id) } ?? true
    }
    .sorted {
      if $0.order != $1.order { return $0.order > $1.order }
      return $0.order == anchor?.order ? $0.id > $1.id : $0.id < $1.id
    }
    var after = rows.filter { row in anchor.map { (row.order, row.id) > ($0.order, $0.id) } ?? true
    }
    .sorted { $0.order != $1.order ? $0.order < $1.order : $0.id < $1.id }
    switch position {
    case .first: before = []
    case .last: after = []
    case .before: after = anchor.map { [$0] + after } ?? after
    case .after: before = anchor.map { [$0] + before } ?? before
    }
    before.removeAll { ids.contains($0.id) }
    after.removeAll { ids.contains($0.id) }
    var isInOrder = !ids.isEmpty
    var last = before.first?.order
    for order in ids.map({ orders[$0] }) + [after.first?.order] {
      guard let order else {
        if ids.contains(where: { orders[$0] == nil }) { isInOrder = false }
        continue
      }
      if let last, last >= order { isInOrder = false }
      last = order
    }
    if isInOrder { return [:] }
    for reach in [0, 32, 64, 128, 256, 512, 1_024, 2_048, 4_096] {
      let row = before.prefix(reach).reversed().map(\.id) + ids + after.prefix(reach).map(\.id)
      let keys = OrderKeys.keys(
        row.count, between: before.dropFirst(reach).first?.order,
        and: after.dropFirst(reach).first?.order, gap: reach == 0 ? 2 : 1 << 16)
      if let keys { return Dictionary(uniqueKeysWithValues: zip(row, keys)) }
    }
    Issue.record("no room for \(ids.count) rows")
    return [:]
  }
}

/// Each id once, at its first position.
private func once(_ ids: [UUID]) -> [UUID] {
  var seen: Set<UUID> = []
  return ids.filter { seen.insert($0).inserted }
}

extension Position {
  fileprivate var neighbor: UUID? {
    switch self {
    case .first, .last: nil
    case .before(let id), .after(let id): id
    }
  }
}

extension TodoItem {
  /// Whether all of some conditions hold, as Foundation compares tags.
  fileprivate func meets(_ conditions: [ItemCondition]) -> Bool {
    conditions.allSatisfy { condition in
      switch condition {
      case .completed(let start, let end):
        doneAt.map { $0 >= start && $0 < end ?? .distantFuture } ?? false
      case .isWaiting(let day): isWaiting(on: day)
      case .not(let condition): !meets([condition])
      case .any(let conditions): conditions.contains { meets([$0]) }
      case .all(let conditions): meets(conditions)
      case .text(let text):
        TextSearch(text).matches(title) || TextSearch(text).matches(note)
      case .tag(let tag): tags.contains { $0.caseFolded == tag.caseFolded }
      case .list(let list): list.includes(self)
      case .priority(let priority): self.priority == priority
      case .due(let day): due == day
      case .dueBefore(let day): due.map { $0 < day } ?? false
      case .dueAfter(let day): due.map { $0 > day } ?? false
      case .overdue(let day, let time): isOverdue(on: day, at: time)
      case .hasNoDue: due == nil
      case .estimate(let estimate): self.estimate == estimate
      case .isDone(let isDone): self.isDone == isDone
      }
    }
  }
}

extension String {
  fileprivate var caseFolded: String { folding(options: .caseInsensitive, locale: nil) }
}
