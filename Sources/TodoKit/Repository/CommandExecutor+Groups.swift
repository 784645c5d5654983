import Croft
import CroftFoundation
import Presentation

/// The commands about groups, except for moves.
extension CommandExecutor {
  /// Stores groups under names that are free.
  mutating func add(
    _ newGroups: [TodoGroup], in tx: inout WriteTransaction
  ) throws -> [TodoGroup] {
    guard !newGroups.isEmpty else { return [] }
    var groups = newGroups
    if !isReplay {
      let orders = try newOrders(groups.map(\.order), of: .groups, in: &tx)
      for (index, order) in orders.enumerated() { groups[index].order = order }
    }
    for index in groups.indices {
      guard try tx.get(TodoGroup.self, groups[index].id) == nil else {
        throw TodoError.duplicate(groups[index].id)
      }
      groups[index].name = try freeName(groups[index].name, for: groups[index].id, in: &tx)
      try tx.insert(groups[index])
      try record(nil, groups[index], in: &tx)
    }
    return groups
  }

  /// A command with the groups that have the names of its new groups, and these groups.
  ///
  /// They are looked up in the transaction that stores the others, so two writers cannot store one each.
  func reusingGroups(
    of command: TodoCommand, in tx: inout WriteTransaction
  ) throws -> (command: TodoCommand, reused: [TodoGroup]) {
    switch command {
    case .add(let groups, let items):
      let present = try PresentGroups(ofTyped: groups, in: &tx)
      return (.add(groups: present.missing, items: present.moving(items)), present.groups)
    case .importItems(let groups, let items, let edits):
      let present = try PresentGroups(ofFile: groups, in: &tx)
      let edits = edits.map { edit in
        var edit = edit
        edit.patch = present.moving(edit.patch)
        return edit
      }
      return (
        .importItems(groups: present.missing, items: present.moving(items), edits: edits),
        present.groups
      )
    case .editItems(let ids, let patch, let expected, let group?):
      let present = try PresentGroups(ofTyped: [group], in: &tx)
      return (
        .editItems(
          ids: ids, patch: present.moving(patch), ifStill: expected,
          inNewGroup: present.missing.first), present.groups
      )
    case .ifUnchanged(let shown, let command):
      let (command, reused) = try reusingGroups(of: command, in: &tx)
      return (.ifUnchanged(shown, then: command), reused)
    default: return (command, [])
    }
  }

  /// Changes the properties in a patch of a group, if it still has the expected values.
  mutating func edit(
    _ id: UUID, _ patch: GroupPatch, ifStill expected: GroupPatch?,
    in tx: inout WriteTransaction
  ) throws -> TodoGroup {
    let old = try knownGroup(id, in: &tx)
    if let expected, !expected.holds(in: old) { throw TodoError.changedSince(id) }
    var new = old
    patch.applyExceptName(to: &new)
    if let name = patch.name { new.name = try freeName(name, for: id, in: &tx) }
    try replace(old, with: new, in: &tx)
    return new
  }

  /// Deletes a group with its items.
  ///
  /// - Parameter held: The ids of exactly the items that may go with it; nil for any.
  mutating func deleteGroup(
    _ id: UUID, holding held: [UUID]?, in tx: inout WriteTransaction
  ) throws -> (items: [TodoItem], groups: [TodoGroup]) {
    let group = try knownGroup(id, in: &tx)
    let items = try tx.items(in: .group(id: id), .all)
    if let held, Set(held) != Set(items.map(\.id)) { throw TodoError.changedSince(id) }
    // The items are deleted by the delete rule of their reference.
    try tx.delete(TodoGroup.self, id)
    for item in items.reversed() { try record(item, nil, in: &tx) }
    try record(group, nil, in: &tx)
    return (items, [group])
  }

  /// The name a group gets for what was typed: the first that no other group has.
  ///
  /// A replay keeps the name, unless another machine has given it to another group. It is looked up in the transaction that stores it, so two writers cannot choose
  /// the same one. The group's own name counts as free.
  private func freeName(
    _ typed: String, for id: UUID, in tx: inout WriteTransaction
  ) throws -> String {
    if isReplay {
      let owner = try tx.first(TodoGroup.where { $0.name == typed }.limit(1))
      if owner == nil || owner?.id == id { return typed }
    } else if GroupName.isReserved(typed) {
      throw TodoError.reservedName(typed.trimmed)
    }
    for candidate in GroupName.candidates(for: typed) {
      let owner = try tx.first(TodoGroup.where { $0.name == candidate }.limit(1))
      if owner == nil || owner?.id == id { return candidate }
    }
    preconditionFailure("Names are numbered without end, so one is free.")
  }

  /// Stores the new state of a group, if it differs from the old one.
  mutating func replace(
    _ old: TodoGroup, with new: TodoGroup, in tx: inout WriteTransaction
  ) throws {
    guard GroupPatch(from: old, to: new) != GroupPatch() else { return }
    try tx.upsert(new)
    try record(old, new, in: &tx)
  }

  /// The group of an id that must exist.
  func knownGroup(_ id: UUID, in tx: inout WriteTransaction) throws -> TodoGroup {
    guard let group = try tx.get(TodoGroup.self, id) else { throw TodoError.groupNotFound(id) }
    return group
  }
}

/// The groups that new groups of a command find under their names.
private struct PresentGroups {
  /// The new groups whose names no group has.
  private(set) var missing: [TodoGroup] = []
  /// The groups that are there.
  private(set) var groups: [TodoGroup] = []
  private var ids: [UUID: UUID] = [:]

  /// Looks up names that were typed, perhaps in another case.
  init(ofTyped new: [TodoGroup], in tx: inout WriteTransaction) throws {
    for group in new {
      let name = GroupName.plain(group.name)
      let alike = try tx.fetch(TodoGroup.named(name))
      add(group, alike.first { $0.name == name } ?? alike.first)
    }
  }

  /// Looks up the names of a file, in which those that differ in case are different groups.
  init(ofFile new: [TodoGroup], in tx: inout WriteTransaction) throws {
    for group in new {
      let name = GroupName.plain(group.name)
      add(group, try tx.first(TodoGroup.where { $0.name == name }))
    }
  }

  private mutating func add(_ group: TodoGroup, _ present: TodoGroup?) {
    guard let present else { return missing.append(group) }
    ids[group.id] = present.id
    groups.append(present)
  }

  func moving(_ items: [TodoItem]) -> [TodoItem] {
    if ids.isEmpty { return items }
    return items.map { item in
      var item = item
      item.groupID = item.groupID.map { ids[$0] ?? $0 }
      return item
    }
  }

  func moving(_ patch: ItemPatch) -> ItemPatch {
    guard case .some(let id?) = patch.groupID, let present = ids[id] else { return patch }
    var patch = patch
    patch.groupID = .some(present)
    return patch
  }
}

extension TodoGroup {
  /// The query of the groups of a name, in any case, from the oldest to the newest.
  static func named(_ name: String) -> Query<TodoGroup> {
    TodoGroup.where { $0.name.equals(name, options: .caseInsensitive) }.order(by: \.id)
  }
}
