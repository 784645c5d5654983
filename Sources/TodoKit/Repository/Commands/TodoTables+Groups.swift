#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension TodoTables where Self: ~Copyable {
  /// Stores groups under names that are free.
  mutating func add(
    _ groups: [TodoGroup], _ context: CommandContext, _ journal: inout Journal
  ) throws -> [TodoGroup] {
    guard !groups.isEmpty else { return [] }
    var groups = groups
    if !context.isReplay {
      let places = try newPlaces(groups.map(\.order), on: .groups, &journal)
      for (index, place) in places.enumerated() { groups[index].order = place }
    }
    for index in groups.indices {
      guard try group(groups[index].id) == nil else {
        throw TodoError.duplicate(groups[index].id)
      }
      groups[index].name = try name(groups[index].name, for: groups[index].id, context)
      try addGroup(groups[index])
      journal.note(nil, groups[index])
    }
    return groups
  }

  /// Changes what a patch names in a group, if it still has what is expected.
  mutating func edit(
    _ id: UUID, _ patch: GroupPatch, ifStill expected: GroupPatch?, _ context: CommandContext,
    _ journal: inout Journal
  ) throws -> TodoGroup {
    let old = try knownGroup(id)
    if let expected, !expected.holds(in: old) { throw TodoError.changedSince(id) }
    var new = old
    patch.applyExceptName(to: &new)
    if let name = patch.name { new.name = try self.name(name, for: id, context) }
    try replace(old, with: new, &journal)
    return new
  }

  /// Deletes a group with its items.
  ///
  /// - Parameter holding: The ids of exactly the items that may go with it; nil for any.
  mutating func deleteGroup(
    _ id: UUID, holding: [UUID]?, _ journal: inout Journal
  ) throws -> DeletionReport {
    let group = try knownGroup(id)
    let items = try items(in: .group(id: id), .all)
    if let holding, Set(holding) != Set(items.map(\.id)) { throw TodoError.changedSince(id) }
    try removeGroup(id)
    for item in items { journal.note(item, nil) }
    journal.note(group, nil)
    return DeletionReport(groups: [group], items: items)
  }

  /// The name a group gets for what was typed: the first that no other group has.
  ///
  /// It is looked up in the transaction that stores it, so two writers cannot choose
  /// the same one. The group's own name counts as free.
  private mutating func name(
    _ typed: String, for id: UUID, _ context: CommandContext
  ) throws -> String {
    if context.isReplay { return typed }
    if GroupName.isReserved(typed) { throw TodoError.reservedName(typed.trimmed) }
    for candidate in GroupName.candidates(for: typed) {
      guard let owner = try group(named: candidate), owner.id != id else { return candidate }
    }
    preconditionFailure("Names are numbered without end, so one is free.")
  }

  /// Stores the new state of a group, if it differs from the old one.
  mutating func replace(
    _ old: TodoGroup, with new: TodoGroup, _ journal: inout Journal
  ) throws {
    guard GroupPatch(from: old, to: new) != GroupPatch() else { return }
    try setGroup(new)
    journal.note(old, new)
  }

  /// The group of an id that must be there.
  mutating func knownGroup(_ id: UUID) throws -> TodoGroup {
    guard let group = try group(id) else { throw TodoError.groupNotFound(id) }
    return group
  }
}
