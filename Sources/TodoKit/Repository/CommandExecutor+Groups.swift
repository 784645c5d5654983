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
    func owner(of group: TodoGroup) throws -> TodoGroup? {
      for name in GroupName.candidates(for: group.name).prefix(1) {
        return try tx.first(TodoGroup.where { $0.name == name })
      }
      return nil
    }
    switch command {
    case .add(let groups, var items):
      var reused: [UUID: TodoGroup] = [:]
      for group in groups { reused[group.id] = try owner(of: group) }
      for index in items.indices {
        if let group = items[index].groupID.flatMap({ reused[$0] }) {
          items[index].groupID = group.id
        }
      }
      let new = groups.filter { reused[$0.id] == nil }
      return (.add(groups: new, items: items), groups.compactMap { reused[$0.id] })
    case .editItems(let ids, var patch, let expected, let group?):
      guard let reused = try owner(of: group) else { return (command, []) }
      if patch.groupID == .some(group.id) { patch.groupID = .some(reused.id) }
      return (.editItems(ids: ids, patch: patch, ifStill: expected), [reused])
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
