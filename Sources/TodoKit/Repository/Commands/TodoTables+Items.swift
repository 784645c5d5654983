#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension TodoTables where Self: ~Copyable {
  /// Stores items; those without a place, or with one that is taken, go to the end.
  mutating func add(
    _ items: [TodoItem], _ context: CommandContext, _ journal: inout Journal
  ) throws -> [TodoItem] {
    guard !items.isEmpty else { return [] }
    var items = items
    var ids: Set<UUID> = []
    for item in items {
      guard try ids.insert(item.id).inserted && self.item(item.id) == nil else {
        throw TodoError.duplicate(item.id)
      }
    }
    for groupID in items.compactMap(\.groupID).unique where try group(groupID) == nil {
      throw TodoError.groupNotFound(groupID)
    }
    if !context.isReplay {
      let places = try newPlaces(items.map(\.order), on: .items, &journal)
      for (index, place) in places.enumerated() { items[index].order = place }
    }
    try addItems(items)
    for item in items { journal.note(nil, item) }
    return items
  }

  /// Changes what a patch names in each item that still has what is expected.
  mutating func edit(
    _ ids: [UUID], _ patch: ItemPatch, ifStill expected: ItemPatch?, _ context: CommandContext,
    _ journal: inout Journal
  ) throws -> [TodoItem] {
    if case .some(let groupID?) = patch.groupID, try group(groupID) == nil {
      throw TodoError.groupNotFound(groupID)
    }
    return try ids.unique.map { id in
      let old = try knownItem(id)
      if let expected, !expected.holds(in: old) { throw TodoError.changedSince(id) }
      var new = old
      patch.apply(to: &new, now: context.now)
      try replace(old, with: new, &journal)
      return new
    }
  }

  /// Deletes the items of some ids.
  mutating func delete(_ ids: [UUID], _ journal: inout Journal) throws -> [TodoItem] {
    let items = try ids.unique.map { try knownItem($0) }
    try remove(items, &journal)
    return items
  }

  /// Deletes items that have just been read.
  mutating func remove(_ items: [TodoItem], _ journal: inout Journal) throws {
    for item in items {
      try removeItem(item.id)
      journal.note(item, nil)
    }
  }

  /// Stores the new state of an item, if it differs from the old one.
  mutating func replace(
    _ old: TodoItem, with new: TodoItem, _ journal: inout Journal
  ) throws {
    guard ItemPatch(from: old, to: new) != ItemPatch() else { return }
    try setItem(new)
    journal.note(old, new)
  }

  /// The item of an id that must be there.
  mutating func knownItem(_ id: UUID) throws -> TodoItem {
    guard let item = try item(id) else { throw TodoError.notFound(id) }
    return item
  }
}
