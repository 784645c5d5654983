import Croft
import CroftFoundation
import Presentation

/// The commands about items, except for moves.
extension CommandExecutor {
  /// Stores items; those without an order key, or with one that is taken, go to the end.
  mutating func add(
    _ newItems: [TodoItem], in tx: inout WriteTransaction
  ) throws -> [TodoItem] {
    guard !newItems.isEmpty else { return [] }
    var items = newItems
    var ids: Set<UUID> = []
    for item in items {
      guard try ids.insert(item.id).inserted && tx.get(TodoItem.self, item.id) == nil else {
        throw TodoError.duplicate(item.id)
      }
    }
    for groupID in items.compactMap(\.groupID).unique { _ = try knownGroup(groupID, in: &tx) }
    if !isReplay {
      for index in items.indices where items[index].due == nil && items[index].dueTime != nil {
        items[index].due = today()
      }
      // A file may say no day, and gets none from us.
      for index in items.indices where items[index].due == nil && items[index].foreignID == nil {
        items[index].due = items[index].repeats?.first(from: today())
      }
      let orders = try newOrders(items.map(\.order), of: .items, in: &tx)
      for (index, order) in orders.enumerated() { items[index].order = order }
    }
    try tx.insert(contentsOf: items)
    for item in items { try record(nil, item, in: &tx) }
    return items
  }

  /// Changes the properties in a patch of each item that still has the expected values.
  mutating func edit(
    _ ids: [UUID], _ patch: ItemPatch, ifStill expected: ItemPatch?,
    in tx: inout WriteTransaction
  ) throws -> [TodoItem] {
    if case .some(let groupID?) = patch.groupID { _ = try knownGroup(groupID, in: &tx) }
    var items: [TodoItem] = []
    var again: [TodoItem] = []
    for id in ids.unique {
      let old = try knownItem(id, in: &tx)
      if let expected, !expected.holds(in: old) { throw TodoError.changedSince(id) }
      var new = old
      patch.apply(to: &new, now: now)
      if new.isDone, !old.isDone, !isReplay, let next = next(of: &new) { again.append(next) }
      if case .some(let rule?) = patch.repeats, new.due == nil, !isReplay {
        new.due = rule.first(from: today())
      }
      if new.dueTime != nil, new.due == nil, !isReplay { new.due = today() }
      try replace(old, with: new, in: &tx)
      items.append(new)
    }
    return items + (try add(again, in: &tx))
  }

  /// The item that comes after one that was done, to which the rule moves; nil without a rule.
  private func next(of item: inout TodoItem) -> TodoItem? {
    let today = today()
    guard let rule = item.repeats,
      let (day, nextRule) = rule.next(after: item.due ?? today, today: today)
    else { return nil }
    var next = item
    next.id = .timeOrdered()
    (next.isDone, next.doneAt, next.createdAt) = (false, nil, now)
    (next.due, next.repeats) = (day, nextRule)
    next.hiddenUntil = item.hiddenUntil.flatMap { hidden in
      // Hidden until as long before the next day as before this one.
      item.due.flatMap { day.adding(days: hidden.number - $0.number) }
    }
    // A file knows the one that it has given an id.
    (next.foreignID, next.foreignRecord) = (nil, nil)
    next.order = 0
    item.repeats = nil
    return next
  }

  /// Stores what a file says: new groups and items, and edits of items that were read before.
  mutating func importItems(
    _ newGroups: [TodoGroup], _ newItems: [TodoItem], _ edits: [ItemEdit],
    in tx: inout WriteTransaction
  ) throws -> (items: [TodoItem], groups: [TodoGroup]) {
    let newIDs = Set(newItems.compactMap(\.foreignID))
    if !newIDs.isEmpty {
      for old in try tx.fetch(TodoItem.where { $0.foreignID != nil })
      where old.foreignID.map(newIDs.contains) == true {
        throw TodoError.changedSince(old.id)
      }
    }
    let groups = try add(newGroups, in: &tx)
    var items = try add(newItems, in: &tx)
    for edit in edits {
      items += try self.edit([edit.id], edit.patch, ifStill: edit.expected, in: &tx)
    }
    return (items, groups)
  }

  /// Deletes items that have just been read, the last one first.
  ///
  /// Undo takes the portions from the last to the first, and so stores the items again in the order of the list. That is
  /// mostly the order of their ids: the pages of rows that are appended are full, and those of rows that are put
  /// before others half full.
  mutating func delete(
    _ items: [TodoItem], in tx: inout WriteTransaction
  ) throws -> [TodoItem] {
    for item in items.reversed() {
      try tx.delete(TodoItem.self, item.id)
      try record(item, nil, in: &tx)
    }
    return items
  }

  /// Stores the new state of an item, if it differs from the old one.
  mutating func replace(
    _ old: TodoItem, with new: TodoItem, in tx: inout WriteTransaction
  ) throws {
    guard ItemPatch(from: old, to: new) != ItemPatch() else { return }
    try tx.upsert(new)
    try record(old, new, in: &tx)
  }

  /// The item of an id that must exist.
  func knownItem(_ id: UUID, in tx: inout WriteTransaction) throws -> TodoItem {
    guard let item = try tx.get(TodoItem.self, id) else { throw TodoError.notFound(id) }
    return item
  }
}
