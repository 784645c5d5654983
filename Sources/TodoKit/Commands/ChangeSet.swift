package import CroftFoundation

/// The rows that a command changed, from which tallies, undo and redo are derived.
package struct ChangeSet: Sendable {
  /// The items that were changed.
  package private(set) var items = RowChanges<TodoItem>()
  /// The groups that were changed.
  package private(set) var groups = RowChanges<TodoGroup>()

  /// Makes an empty set.
  package init() {}

  /// Whether nothing was changed.
  package var isEmpty: Bool { items.isEmpty && groups.isEmpty }

  /// How many rows were changed.
  package var count: Int { items.count + groups.count }

  /// Adds a change of an item, which is nil before its insertion and after its deletion.
  package mutating func record(_ old: TodoItem?, _ new: TodoItem?) { items.record(old, new) }

  /// Adds a change of a group, which is nil before its insertion and after its deletion.
  package mutating func record(_ old: TodoGroup?, _ new: TodoGroup?) { groups.record(old, new) }

  /// By how much the tallies of lists change.
  var tallyChanges: [ItemList: Tally] {
    var changes: [ItemList: Tally] = [:]
    func count(_ item: TodoItem?, _ sign: Int) {
      guard let item else { return }
      for list in ItemList.containing(item) {
        changes[list, default: Tally()].total += sign
        if item.isDone { changes[list, default: Tally()].done += sign }
      }
    }
    for (old, new) in items.all {
      count(old, -1)
      count(new, 1)
    }
    return changes.filter { $0.value != Tally() }
  }

  /// The commands that make the old state out of the new one.
  package var undo: [TodoCommand] {
    Self.commands(
      items: itemsInOrder.map { ($0.new, $0.old) }, groups: groups.all.map { ($0.new, $0.old) })
  }

  /// The commands that make the new state out of the old one.
  package var redo: [TodoCommand] { Self.commands(items: itemsInOrder, groups: groups.all) }

  /// The changes of items; deletions, which a command records from the last item to the first, in their order.
  private var itemsInOrder: [(old: TodoItem?, new: TodoItem?)] {
    items.all.filter { $0.new != nil } + items.all.filter { $0.new == nil }.reversed()
  }

  /// Groups are added before the items that refer to them, and deleted after these.
  private static func commands(
    items: [(old: TodoItem?, new: TodoItem?)], groups: [(old: TodoGroup?, new: TodoGroup?)]
  ) -> [TodoCommand] {
    let addedGroups = groups.compactMap { $0.old == nil ? $0.new : nil }
    let addedItems = items.compactMap { $0.old == nil ? $0.new : nil }
    let deletedItems = items.compactMap { $0.new == nil ? $0.old?.id : nil }
    var commands: [TodoCommand] = []
    if !addedGroups.isEmpty || !addedItems.isEmpty {
      commands.append(.add(groups: addedGroups, items: addedItems))
    }
    for case (let old?, let new?) in groups {
      commands.append(.editGroup(id: new.id, patch: GroupPatch(from: old, to: new)))
    }
    commands += edits(items)
    if !deletedItems.isEmpty { commands.append(.deleteItems(ids: deletedItems)) }
    for case (let old?, nil) in groups { commands.append(.deleteGroup(id: old.id, holding: [])) }
    return commands
  }

  /// One command for all items that are changed in the same way.
  private static func edits(_ items: [(old: TodoItem?, new: TodoItem?)]) -> [TodoCommand] {
    var patches: [ExactPatch] = []
    var ids: [ExactPatch: [UUID]] = [:]
    for case (let old?, let new?) in items {
      let patch = ExactPatch(ItemPatch(from: old, to: new))
      if ids[patch] == nil { patches.append(patch) }
      ids[patch, default: []].append(new.id)
    }
    return patches.map { .editItems(ids: ids[$0] ?? [], patch: $0.patch) }
  }
}

/// A patch that equals another one only if it stores the same bytes.
private struct ExactPatch: Hashable {
  let patch: ItemPatch
  /// Strings can be equal in Swift and differ in their bytes, which are stored.
  private let texts: [[UInt8]]

  init(_ patch: ItemPatch) {
    self.patch = patch
    let texts =
      [patch.title, patch.note, patch.foreignID ?? nil].compactMap { $0 } + (patch.tags ?? [])
    self.texts = texts.map { Array($0.utf8) }
  }
}

/// The rows of one kind that were changed: the first state of each, and the last.
package struct RowChanges<Row: Identifiable & Hashable & Sendable>: Sendable where Row.ID == UUID {
  private var order: [UUID] = []
  private var pairs: [UUID: (old: Row?, new: Row?)] = [:]

  /// Whether no row was changed.
  package var isEmpty: Bool { order.isEmpty }

  /// How many rows were changed.
  package var count: Int { order.count }

  /// The changes, in the order in which the rows were first changed.
  package var all: [(old: Row?, new: Row?)] { order.compactMap { pairs[$0] } }

  mutating func record(_ old: Row?, _ new: Row?) {
    guard let id = (new ?? old)?.id else { return }
    if pairs[id] == nil {
      order.append(id)
      pairs[id] = (old, new)
    } else {
      pairs[id]?.new = new
    }
  }
}
