import Croft
import CroftFoundation

/// Undo and redo of commands whose rows another machine may have changed since.
extension CommandExecutor {
  /// Replays steps on the rows that are as the opposite steps left them; other rows are left alone.
  mutating func replay(
    _ steps: Data, after opposite: Data, in tx: inout WriteTransaction
  ) throws {
    isReplay = true
    if steps.isEmpty { return }
    let made = MadeRows(try HistoryJSON.decode([TodoCommand].self, from: opposite))
    for step in try HistoryJSON.decode([TodoCommand].self, from: steps) {
      try replay(step, made, in: &tx)
    }
  }

  private mutating func replay(
    _ step: TodoCommand, _ made: MadeRows, in tx: inout WriteTransaction
  ) throws {
    switch step {
    case .add(let groups, let items): try addAgain(groups, items, in: &tx)
    case .editItems(let ids, let patch, _, _):
      let same = try ids.filter { try isAsLeft($0, made, in: &tx) }
      if case .some(let group?) = patch.groupID, try tx.get(TodoGroup.self, group) == nil {
        // The items stay where they are.
        leftAlone.missing += same.count
      } else if !same.isEmpty {
        _ = try edit(same, patch, ifStill: nil, in: &tx)
      }
    case .editGroup(let id, let patch, _):
      guard let group = try tx.get(TodoGroup.self, id) else {
        leftAlone.missing += 1
        return
      }
      if made.isAsLeft(group) {
        _ = try edit(id, patch, ifStill: nil, in: &tx)
      } else {
        leftAlone.groups.append(group)
      }
    case .deleteItems(let ids):
      for item in try ids.compactMap({ try tx.get(TodoItem.self, $0) }) {
        if made.isAsAdded(item) {
          _ = try delete([item], in: &tx)
        } else {
          leftAlone.items.append(item)
        }
      }
    case .deleteGroup(let id, _):
      guard let group = try tx.get(TodoGroup.self, id) else { return }
      if try made.isAsAdded(group) && tx.items(in: .group(id: id), .all).isEmpty {
        _ = try deleteGroup(id, holding: [], in: &tx)
      } else {
        leftAlone.groups.append(group)
      }
    default: _ = try apply(step, in: &tx)
    }
  }

  /// Whether an item is there with the values that the opposite steps gave it.
  private mutating func isAsLeft(
    _ id: UUID, _ made: MadeRows, in tx: inout WriteTransaction
  ) throws -> Bool {
    guard let item = try tx.get(TodoItem.self, id) else {
      leftAlone.missing += 1
      return false
    }
    if made.isAsLeft(item) { return true }
    leftAlone.items.append(item)
    return false
  }

  /// Stores deleted rows again; items whose group is gone have none then.
  private mutating func addAgain(
    _ groups: [TodoGroup], _ items: [TodoItem], in tx: inout WriteTransaction
  ) throws {
    var newGroups: [TodoGroup] = []
    for group in groups {
      if let present = try tx.get(TodoGroup.self, group.id) {
        leftAlone.groups.append(present)
      } else {
        newGroups.append(group)
      }
    }
    _ = try add(newGroups, in: &tx)
    var newItems: [TodoItem] = []
    for var item in items {
      if let present = try tx.get(TodoItem.self, item.id) {
        leftAlone.items.append(present)
        continue
      }
      if let group = item.groupID, try tx.get(TodoGroup.self, group) == nil { item.groupID = nil }
      newItems.append(item)
    }
    _ = try add(newItems, in: &tx)
  }
}

/// The rows as the steps of a command left them.
private struct MadeRows {
  private var items: [UUID: TodoItem] = [:]
  private var groups: [UUID: TodoGroup] = [:]
  private var itemPatches: [UUID: ItemPatch] = [:]
  private var groupPatches: [UUID: GroupPatch] = [:]

  init(_ steps: [TodoCommand]) {
    for step in steps {
      switch step {
      case .add(let newGroups, let newItems):
        for group in newGroups { groups[group.id] = group }
        for item in newItems { items[item.id] = item }
      case .editItems(let ids, let patch, _, _): for id in ids { itemPatches[id] = patch }
      case .editGroup(let id, let patch, _): groupPatches[id] = patch
      default: break
      }
    }
  }

  func isAsLeft(_ item: TodoItem) -> Bool { itemPatches[item.id]?.holds(in: item) ?? true }

  func isAsLeft(_ group: TodoGroup) -> Bool { groupPatches[group.id]?.holds(in: group) ?? true }

  /// Whether an item has the values with which it was added; its order does not count.
  func isAsAdded(_ item: TodoItem) -> Bool {
    guard var added = items[item.id] else { return true }
    added.order = item.order
    return ItemPatch(from: added, to: item) == ItemPatch()
  }

  func isAsAdded(_ group: TodoGroup) -> Bool {
    guard var added = groups[group.id] else { return true }
    added.order = group.order
    return GroupPatch(from: added, to: group) == GroupPatch()
  }
}
